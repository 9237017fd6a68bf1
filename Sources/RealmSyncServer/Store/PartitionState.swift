// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// All objects of a partition, as its versions have made them (§3.6). It refuses a change that no client could apply,
/// so that none is ever sent one, and gives a new client what is there without the past.
///
/// Links to objects that are not there are kept: they come to life with the object, and lists count them.
struct PartitionState {
    /// What a property, an element or a key holds, where that is not what it begins with.
    indirect enum Content: Equatable {
        case value(SyncValue)
        case list([Content])
        case set(Set<SyncValue>)
        case dictionary([Text: Content])
        case object(Text, [Text: Content])
    }

    /// What an object holds, by property. What it does not name is what the property begins with.
    typealias Row = [Text: Content]

    struct Table {
        let definition: TableDefinition
        var columns: [Text: ColumnDefinition] = [:]
        /// The names of the columns, in the order in which they were added.
        var order: [Text] = []
        var objects: [PrimaryKey: Row] = [:]
    }

    private(set) var tables: [Text: Table] = [:]
    /// The rows as they were before the changesets under way.
    private var undo: [(object: ObjectReference, row: Row?)] = []

    /// How many steps lead inside an object at most: databases have no deeper collections.
    static let longestPath = 128

    /// Applies a changeset. Where it throws nothing has changed.
    mutating func apply(_ changeset: Changeset) throws(StateError) { try apply([changeset]) }

    /// Applies changesets. Where it throws nothing has changed.
    mutating func apply(_ changesets: [Changeset]) throws(StateError) {
        let changesSchema = changesets.contains { $0.instructions.contains { $0.object == nil } }
        let before = changesSchema ? tables : nil
        undo.removeAll(keepingCapacity: true)
        do throws(StateError) {
            for changeset in changesets { for instruction in changeset.instructions { try apply(instruction) } }
            undo.removeAll(keepingCapacity: true)
        } catch {
            if let before { tables = before } else { goBack() }
            throw error
        }
    }

    private mutating func goBack() {
        for (object, row) in undo.reversed() { tables[object.table]?.objects[object.key] = row }
        undo.removeAll()
    }

    private mutating func apply(_ instruction: Instruction) throws(StateError) {
        switch instruction {
        case .addTable(let definition): try addTable(definition)
        case .eraseTable(let name):
            guard tables.removeValue(forKey: name) != nil else { throw StateError("there is no class \(name)") }
        case .addColumn(let definition): try addColumn(definition)
        case .eraseColumn(let column): try eraseColumn(column)
        case .createObject(let object): try createObject(object)
        case .eraseObject(let object):
            guard tables[object.table] != nil else { throw StateError("there is no class \(object.table)") }
            remember(object)
            tables[object.table]?.objects[object.key] = nil
        case .change(let place, let change): try self.change(place, change)
        }
    }

    private mutating func remember(_ object: ObjectReference) {
        // Neighbours mostly concern one object.
        if undo.last?.object == object { return }
        undo.append((object, tables[object.table]?.objects[object.key]))
    }

    private mutating func createObject(_ object: ObjectReference) throws(StateError) {
        guard let table = tables[object.table] else { throw StateError("there is no class \(object.table)") }
        guard case .topLevel(let key) = table.definition.kind else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard object.key.type == key.type || object.key == .null && key.isNullable else {
            throw StateError("\(object) has not the primary key of its class")
        }
        guard table.objects[object.key] == nil else { return }
        remember(object)
        tables[object.table]?.objects[object.key] = [:]
    }

    // MARK: The schema

    private mutating func addTable(_ definition: TableDefinition) throws(StateError) {
        if let table = tables[definition.name] {
            guard table.definition == definition else {
                throw StateError("class \(definition.name) is another one already")
            }
            return
        }
        tables[definition.name] = Table(definition: definition)
    }

    private mutating func addColumn(_ definition: ColumnDefinition) throws(StateError) {
        let (name, property) = (definition.column.table, definition.column.name)
        guard let table = tables[name] else { throw StateError("there is no class \(name)") }
        if let column = table.columns[property] {
            guard column == definition else { throw StateError("\(name).\(property) is another property already") }
            return
        }
        tables[name]?.columns[property] = definition
        tables[name]?.order.append(property)
    }

    private mutating func eraseColumn(_ column: ColumnReference) throws(StateError) {
        guard tables[column.table]?.columns.removeValue(forKey: column.name) != nil else {
            throw StateError("there is no property \(column.table).\(column.name)")
        }
        tables[column.table]?.order.removeAll { $0 == column.name }
        for key in Array((tables[column.table]?.objects ?? [:]).keys) {
            tables[column.table]?.objects[key]?[column.name] = nil
        }
        guard tables[column.table]?.definition.kind == .embedded else { return }
        for name in Array(tables.keys) {
            let rows = (tables[name]?.objects ?? [:]).mapValues { row in row.mapValues { $0.without(column) } }
            tables[name]?.objects = rows
        }
    }

    // MARK: Values

    private mutating func change(_ place: Place, _ change: Change) throws(StateError) {
        guard let column = tables[place.object.table]?.columns[place.column] else {
            throw StateError("there is no property \(place.object.table).\(place.column)")
        }
        guard let row = tables[place.object.table]?.objects[place.object.key] else {
            throw StateError("there is no object \(place.object)")
        }
        guard place.path.count <= PartitionState.longestPath else { throw StateError("a path is too long") }
        remember(place.object)
        var content = row[place.column] ?? PartitionState.start(of: column)
        // Taken out, so that a large collection is changed in its place.
        tables[place.object.table]?.objects[place.object.key]?[place.column] = nil
        try self.change(&content, column, isColumn: true, place.path.elements[...], change)
        tables[place.object.table]?.objects[place.object.key]?[place.column] =
            content == PartitionState.start(of: column) ? nil : content
    }

    /// What a property holds to which nothing was assigned.
    static func start(of column: ColumnDefinition) -> Content {
        switch column.collection {
        case .list: return .list([])
        case .dictionary: return .dictionary([:])
        case .set: return .set([])
        case .single: break
        }
        if column.isNullable { return .value(.null) }
        return switch column.type {
        case .int: .value(.int(0))
        case .bool: .value(.bool(false))
        case .string: .value(.string(""))
        case .double: .value(.double(0))
        case .float: .value(.float(0))
        case .binary: .value(.binary([]))
        // Nothing equals it but null, which such a property cannot be given.
        default: .value(.null)
        }
    }

    /// Changes what is at the end of `path` from `content`, which is that of a property, or inside it.
    private func change(
        _ content: inout Content, _ column: ColumnDefinition, isColumn: Bool, _ path: ArraySlice<PathElement>,
        _ change: Change
    ) throws(StateError) {
        guard let step = path.first else { return try self.change(&content, column, isColumn: isColumn, change) }
        let rest = path.dropFirst()
        switch (content, step) {
        case (.list(var elements), .index(let index)):
            content = .value(.null)
            if rest.isEmpty, let size = change.priorSize {
                try changeElement(&elements, size, index, column, change)
            } else {
                guard elements.indices.contains(index) else { throw StateError("a list has no element \(index)") }
                try self.change(&elements[index], column, isColumn: false, rest, change)
            }
            content = .list(elements)
        case (.dictionary(var members), .key(let key)):
            content = .value(.null)
            try changeMember(&members, key, rest, column, change)
            content = .dictionary(members)
        case (.object(let name, var members), .key(let key)):
            guard let inner = tables[name]?.columns[key] else { throw StateError("there is no \(name).\(key)") }
            var member = members[key] ?? PartitionState.start(of: inner)
            try self.change(&member, inner, isColumn: true, rest, change)
            members[key] = member == PartitionState.start(of: inner) ? nil : member
            content = .object(name, members)
        default: throw StateError("a path leads nowhere")
        }
    }

    private func changeMember(
        _ members: inout [Text: Content], _ key: Text, _ rest: ArraySlice<PathElement>, _ column: ColumnDefinition,
        _ change: Change
    ) throws(StateError) {
        guard rest.isEmpty, case .update(let value, _) = change else {
            guard var member = members[key] else { throw StateError("there is no key \(key)") }
            try self.change(&member, column, isColumn: false, rest, change)
            members[key] = member
            return
        }
        // Under a key an object is always a fresh one.
        let old = value == .object ? nil : members[key]
        members[key] = value == .erased ? nil : try updated(old ?? .value(.null), to: value, column)
    }

    private func change(
        _ content: inout Content, _ column: ColumnDefinition, isColumn: Bool, _ change: Change
    ) throws(StateError) {
        switch change {
        case .update(let value, _):
            guard column.collection == .single || !isColumn else { throw StateError("a value for a collection") }
            content = try updated(content, to: value, column)
        case .addInteger(let amount):
            switch content {
            case .value(.null): break
            case .value(.int(let number)): content = .value(.int(number &+ amount))
            default: throw StateError("AddInteger on what is no integer")
            }
        case .clear(let kind): try clear(&content, kind, column)
        case .setInsert(let value), .setErase(let value):
            guard case .set(var elements) = content else { throw StateError("this is no set") }
            try requireFits(value, column)
            content = .value(.null)
            elements.remove(value)
            if case .setInsert = change { elements.insert(value) }
            content = .set(elements)
        default: throw StateError("this is no list")
        }
    }

    private func clear(
        _ content: inout Content, _ kind: CollectionKind, _ column: ColumnDefinition
    ) throws(StateError) {
        switch content {
        case .list where kind == .list: content = .list([])
        case .set where kind == .set: content = .set([])
        case .dictionary where kind == .dictionary: content = .dictionary([:])
        default:
            guard column.type == .null, kind == .list || kind == .dictionary else {
                throw StateError("Clear of another kind of collection")
            }
            content = kind == .list ? .list([]) : .dictionary([:])
        }
    }

    private func changeElement(
        _ elements: inout [Content], _ size: Int, _ index: Int, _ column: ColumnDefinition, _ change: Change
    ) throws(StateError) {
        guard elements.count == size, change.isPossible(at: index) else {
            throw StateError("a list of \(elements.count) has no element \(index), or is said to have \(size)")
        }
        switch change {
        case .updateElement(.object, _): break
        case .updateElement(let value, _): elements[index] = try updated(elements[index], to: value, column)
        case .insert(let value, _): elements.insert(try updated(.value(.null), to: value, column), at: index)
        case .move(let target, _): elements.insert(elements.remove(at: index), at: target)
        case .erase: elements.remove(at: index)
        default: break
        }
    }

    private func updated(
        _ content: Content, to value: SyncValue, _ column: ColumnDefinition
    ) throws(StateError) -> Content {
        switch value {
        case .object:
            if case .object = content { return content }
            guard let target = column.target, tables[target]?.definition.kind == .embedded else {
                throw StateError("an object where there can be none")
            }
            return .object(target, [:])
        case .list, .dictionary:
            guard column.type == .null else { throw StateError("a collection where there can be none") }
            switch (value, content) {
            case (.list, .list), (.dictionary, .dictionary): return content
            default: return value == .list ? .list([]) : .dictionary([:])
            }
        case .set, .erased: throw StateError("\(value.type) is no value here")
        default:
            try requireFits(value, column)
            return .value(value)
        }
    }

    private func requireFits(_ value: SyncValue, _ column: ColumnDefinition) throws(StateError) {
        if column.type == .null { return }
        let isNullAllowed = column.isNullable || column.type == .link
        guard value.type == column.type || value == .null && isNullAllowed else {
            throw StateError("\(value.type) for \(column.column.table).\(column.column.name)")
        }
        if case .link(let object) = value, let target = column.target, !target.isEmpty, object.table != target {
            throw StateError("a link to \(object.table) for \(column.column.table).\(column.column.name)")
        }
    }
}

/// A change that does not fit the state: no client could apply it.
struct StateError: Error, Hashable, CustomStringConvertible {
    let message: String

    @inline(never) init(_ message: String) { self.message = message }

    var description: String { "bad changeset: \(message)" }
}

extension PartitionState.Content {
    /// Without what embedded objects hold in a property that is no more.
    fileprivate func without(_ column: ColumnReference) -> PartitionState.Content {
        switch self {
        case .value, .set: return self
        case .list(let elements): return .list(elements.map { $0.without(column) })
        case .dictionary(let members): return .dictionary(members.mapValues { $0.without(column) })
        case .object(let name, var members):
            if name == column.table { members[column.name] = nil }
            return .object(name, members.mapValues { $0.without(column) })
        }
    }
}
