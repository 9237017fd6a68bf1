// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

struct ContentSpot {
    let column: ColumnDefinition
    /// Not an element of the property or a nested location.
    let isProperty: Bool
    /// The nesting level of a collection at this location.
    let level: Int

    init(_ column: ColumnDefinition) { (self.column, isProperty, level) = (column, true, 1) }

    private init(_ column: ColumnDefinition, level: Int) {
        (self.column, isProperty, self.level) = (column, false, level)
    }

    var inside: ContentSpot { ContentSpot(column, level: level + 1) }
}

extension PartitionObjects {
    /// If it throws, nothing is changed.
    ///
    /// A collection is moved out of its container before it's changed, because a second reference would copy it.
    ///
    /// - Parameter origin: Is set to the Mixed property to which the change assigns a link.
    func change(
        _ content: inout Content, _ spot: ContentSpot, _ path: ArraySlice<PathElement>, _ change: Change,
        _ origin: inout ColumnReference?
    ) throws(StateError) -> Undo? {
        guard let step = path.first else { return try self.change(&content, spot, change, &origin) }
        let rest = path.dropFirst()
        switch step {
        case .index(let index):
            guard case .list(var elements) = content else { throw StateError("a path leads nowhere") }
            content = .value(.null)
            defer { content = .list(elements) }
            if rest.isEmpty, let size = change.priorSize {
                return try changeElement(&elements, size, index, spot.inside, change, &origin)
            }
            guard index < elements.count else { throw StateError("a list has no element \(index)") }
            return try elements.modify(at: index) { (element: inout Content) throws(StateError) -> Undo? in
                try self.change(&element, spot.inside, rest, change, &origin)
            }
        case .key(let key):
            if case .dictionary(var members) = content {
                content = .value(.null)
                defer { content = .dictionary(members) }
                return try changeMember(&members, key, rest, spot.inside, change, &origin)
            }
            guard case .object(let name, var members) = content else { throw StateError("a path leads nowhere") }
            guard let inner = tables[name]?.columns[key] else {
                throw StateError("the property \(name).\(key.short) doesn't exist")
            }
            content = .value(.null)
            let start = ObjectContent.start(of: inner.definition)
            var member = members.removeValue(forKey: inner.slot) ?? start
            defer {
                if retainsInitialContent || member != start { members[inner.slot] = member }
                content = .object(name, members)
            }
            return try self.change(&member, ContentSpot(inner.definition), rest, change, &origin)
        }
    }

    private func changeMember(
        _ members: inout [Text: Content], _ key: Text, _ rest: ArraySlice<PathElement>, _ spot: ContentSpot,
        _ change: Change, _ origin: inout ColumnReference?
    ) throws(StateError) -> Undo? {
        guard rest.isEmpty, case .update(let value, _) = change else {
            guard var member = members.removeValue(forKey: key) else {
                throw StateError("a dictionary of \(spot.column.column) lacks the key of a change")
            }
            defer { members[key] = member }
            return try self.change(&member, spot, rest, change, &origin)
        }
        if value == .erased { return members.removeValue(forKey: key).map { .content($0) } }
        do throws(StorageError) { try DictionaryKey.validate(key.string) } catch {
            throw StateError("\(error.message) (\(spot.column.column))")
        }
        // An object under a key is always a new one.
        if value != .object, members[key]?.stays(value) == true { return nil }
        let new = try updated(to: value, spot, &origin)
        return .content(members.updateValue(new, forKey: key))
    }

    private func change(
        _ content: inout Content, _ spot: ContentSpot, _ change: Change, _ origin: inout ColumnReference?
    ) throws(StateError) -> Undo? {
        let column = spot.column
        switch change {
        case .update(let value, _):
            guard column.collection == .single || !spot.isProperty else { throw StateError("a value for a collection") }
            if content.stays(value) { return nil }
            let new = try updated(to: value, spot, &origin)
            defer { content = new }
            return .content(content)
        case .addInteger(let amount):
            guard spot.isProperty, column.collection == .single, column.type == .int || column.type == .null else {
                throw StateError("AddInteger on a value that isn't an integer")
            }
            if content == .value(.null) { return nil }
            guard case .value(.int(let number)) = content else {
                throw StateError("AddInteger on a value that isn't an integer")
            }
            content = .value(.int(number &+ amount))
            return .content(.value(.int(number)))
        case .clear(let kind):
            let new = try cleared(content, kind, spot)
            defer { content = new }
            return .content(content)
        case .setInsert(let value), .setErase(let value):
            guard spot.isProperty, case .set(var elements) = content else { throw StateError("the value isn't a set") }
            try requireFits(value, column, &origin)
            content = .value(.null)
            defer { content = .set(elements) }
            if case .setInsert = change {
                return elements.insert(value).inserted ? .member(wasThere: false) : nil
            }
            return elements.remove(value) == nil ? nil : .member(wasThere: true)
        default: throw StateError("the value isn't a list")
        }
    }

    private func cleared(
        _ content: Content, _ kind: CollectionKind, _ spot: ContentSpot
    ) throws(StateError) -> Content {
        let column = spot.column
        if spot.isProperty, column.collection != .single {
            // Clients from before protocol 13 don't send the kind.
            guard kind == .single || kind == column.collection else {
                throw StateError("Clear of another kind of collection")
            }
            return ObjectContent.start(of: column)
        }
        guard column.type == .null else { throw StateError("Clear of a value that isn't a collection") }
        try requireLevel(spot)
        switch (kind, content) {
        case (.list, _), (.single, .list): return .list(PositionTree())
        case (.dictionary, _), (.single, .dictionary): return .dictionary([:])
        default: throw StateError("Clear of another kind of collection")
        }
    }

    private func changeElement(
        _ elements: inout PositionTree<Content>, _ size: Int, _ index: Int, _ spot: ContentSpot, _ change: Change,
        _ origin: inout ColumnReference?
    ) throws(StateError) -> Undo? {
        guard elements.count == size, change.isPossible(at: index) else {
            throw StateError("a list of \(elements.count) has no element \(index), or is said to have \(size)")
        }
        switch change {
        case .updateElement(.object, _): return nil
        case .updateElement(let value, _):
            let old = elements[index]
            if old.stays(value) { return nil }
            elements[index] = try updated(to: value, spot, &origin)
            return .content(old)
        case .insert(let value, _):
            elements.insert(try updated(to: value, spot, &origin), at: index)
            return .inserted
        case .move(let target, _):
            elements.insert(elements.remove(at: index), at: target)
            return .moved
        case .erase: return .removed(elements.remove(at: index))
        default: return nil
        }
    }

    private func updated(
        to value: SyncValue, _ spot: ContentSpot, _ origin: inout ColumnReference?
    ) throws(StateError) -> Content {
        let column = spot.column
        switch value {
        case .object:
            guard column.type == .link, let target = column.target, tables[target]?.definition.kind == .embedded else {
                throw StateError("the property can't contain embedded objects")
            }
            return .object(target, [:])
        case .list, .dictionary:
            guard column.type == .null else { throw StateError("the property can't contain collections") }
            try requireLevel(spot)
            return value == .list ? .list(PositionTree()) : .dictionary([:])
        default:
            try requireFits(value, column, &origin)
            return .value(value)
        }
    }

    // MARK: Rules

    private func requireLevel(_ spot: ContentSpot) throws(StateError) {
        guard spot.level <= FileFormat.maximumNestingLevel else {
            throw StateError("collections are nested more than \(FileFormat.maximumNestingLevel) deep")
        }
    }

    private func requireFits(
        _ value: SyncValue, _ column: ColumnDefinition, _ origin: inout ColumnReference?
    ) throws(StateError) {
        switch value {
        case .object, .list, .dictionary, .set, .erased:
            throw StateError("a value can't have the type \(value.type) here")
        case .null:
            guard column.takesNull else { throw StateError("null for \(column.column)") }
            return
        case .link(let object):
            try requireFits(object, column)
            if column.type == .null { origin = column.column }
            return
        case .binary(let bytes):
            let isMixed = column.type == .null || column.collection == .dictionary
            let limit = isMixed ? FileFormat.maximumStringByteCount : FileFormat.maximumBinaryByteCount
            guard bytes.count <= limit else { throw StateError("\(bytes.count) bytes for \(column.column)") }
        default: break
        }
        guard column.type == .null || value.type == column.type else {
            throw StateError("\(value.type) for \(column.column)")
        }
    }

    private func requireFits(_ object: ObjectReference, _ column: ColumnDefinition) throws(StateError) {
        guard let target = tables[object.table], case .topLevel(let key) = target.definition.kind,
            object.key.type == key.type || object.key == .null && key.isNullable
        else { throw StateError("a link to an object of \(object.table), which cannot be") }
        if column.type == .null { return try requireRoom(for: column.column, in: target) }
        guard column.type == .link, column.target == object.table else {
            throw StateError("a link to \(object.table) for \(column.column)")
        }
    }

    // MARK: Undo

    func restore(_ undo: Undo, _ change: Change, _ content: inout Content, _ path: ArraySlice<PathElement>) {
        guard let step = path.first else { return restore(undo, change, &content) }
        let rest = path.dropFirst()
        switch step {
        case .index(let index):
            guard case .list(var elements) = content else { return }
            content = .value(.null)
            defer { content = .list(elements) }
            switch (undo, change) {
            case (.inserted, _) where rest.isEmpty: elements.remove(at: index)
            case (.removed(let old), _) where rest.isEmpty: elements.insert(old, at: index)
            case (.moved, .move(let target, _)) where rest.isEmpty:
                elements.insert(elements.remove(at: target), at: index)
            default: elements.modify(at: index) { restore(undo, change, &$0, rest) }
            }
        case .key(let key):
            if case .dictionary(var members) = content {
                content = .value(.null)
                defer { content = .dictionary(members) }
                if rest.isEmpty, case .content(let old) = undo, case .update = change { return members[key] = old }
                guard var member = members.removeValue(forKey: key) else { return }
                restore(undo, change, &member, rest)
                members[key] = member
            } else if case .object(let name, var members) = content, let inner = tables[name]?.columns[key] {
                content = .value(.null)
                let start = ObjectContent.start(of: inner.definition)
                var member = members.removeValue(forKey: inner.slot) ?? start
                restore(undo, change, &member, rest)
                if member != start { members[inner.slot] = member }
                content = .object(name, members)
            }
        }
    }

    private func restore(_ undo: Undo, _ change: Change, _ content: inout Content) {
        switch (undo, change) {
        case (.content(let old?), _): content = old
        case (.member(let wasThere), .setInsert(let value)), (.member(let wasThere), .setErase(let value)):
            guard case .set(var elements) = content else { return }
            content = .value(.null)
            if wasThere { elements.insert(value) } else { elements.remove(value) }
            content = .set(elements)
        default: break
        }
    }
}

extension ObjectContent {
    /// An update retains a collection of the same kind, or an embedded object.
    fileprivate func stays(_ value: SyncValue) -> Bool {
        switch (self, value) {
        case (.object, .object), (.list, .list), (.dictionary, .dictionary): true
        default: false
        }
    }
}
