// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension ChangesetApplier {
    enum Target {
        case property(Table, ObjectKey, Column)
        /// The list may have no such element.
        case element(Int, CollectionPath, Table, Column)
        /// The dictionary may have no such entry.
        case entry(String, CollectionPath, Table, Column)

        var column: Column {
            switch self {
            case .property(_, _, let column), .element(_, _, _, let column), .entry(_, _, _, let column): column
            }
        }

        var table: Table {
            switch self {
            case .property(let table, _, _), .element(_, _, let table, _), .entry(_, _, let table, _): table
            }
        }

        /// Also for a collection that doesn't exist yet.
        var collectionPath: CollectionPath {
            switch self {
            case .property(let table, let object, let column): CollectionPath(column.key, of: object, in: table.key)
            case .element(let index, let path, _, _): path.appending(.index(index))
            case .entry(let key, let path, _, _): path.appending(.key(key))
            }
        }
    }

    func apply(_ change: Change, at place: Place) throws {
        var target = try property(at: place)
        for element in place.path.elements { target = try inside(target, element, place) }
        switch change {
        case .update(let value, let isDefault):
            transaction.givesDefaults = isDefault
            defer { transaction.givesDefaults = false }
            try update(target, to: value, place)
        case .addInteger(let amount): try add(amount, to: target, place)
        case .clear(let kind): try clear(target, kind, place)
        case .setInsert(let value):
            try requireSet(target, place)
            try transaction.set(at: target.collectionPath).insert(stored(value, target))
        case .setErase(let value):
            try requireSet(target, place)
            let path = target.collectionPath
            try transaction.set(at: path).erase(stored(value, target))
        case .updateElement, .insert, .move, .erase: try changeList(target, change, place)
        }
    }

    // MARK: Resolution of paths

    /// Returns the property of a location, ignoring the location's path.
    func property(at place: Place) throws -> Target {
        let table = try table(place.object.table)
        return .property(table, try object(place.object, in: table), try column(place.column, of: table))
    }

    func inside(_ target: Target, _ element: PathElement, _ place: Place) throws -> Target {
        if let (child, table) = try embedded(target) {
            guard case .key(let name) = element else { throw nowhere(place) }
            return .property(table, child, try column(name, of: table))
        }
        let path = target.collectionPath
        switch (try transaction.collectionIfPresent(path), element) {
        case (.list, .index(let index)): return .element(index, path, target.table, target.column)
        case (.dictionary, .key(let key)): return .entry(key.string, path, target.table, target.column)
        default: throw nowhere(place)
        }
    }

    private func nowhere(_ place: Place) -> SessionError { bad("\(place) doesn't exist") }

    func embedded(_ target: Target) throws -> (ObjectKey, Table)? {
        guard target.column.type == .link,
            let table = try transaction.table(target.table.oppositeTables[target.column.leafIndex]), table.isEmbedded
        else { return nil }
        let value: StoredValue?
        switch target {
        case .property(_, _, let column) where column.key.isCollection: return nil
        case .property(let table, let object, let column): value = try table.value(column.key, of: object)
        case .element(let index, let path, _, _):
            let list = try transaction.collection(path).list
            value = try list.flatMap { try 0..<$0.count ~= index ? $0.value(at: index) : nil }
        case .entry(let key, let path, _, _): value = try transaction.collection(path).dictionary?.find(key)
        }
        switch value {
        case .link(let object): return (object, table)
        case .typedLink(let link): return (link.object, table)
        default: return nil
        }
    }

    // MARK: Values

    private func stored(_ value: SyncValue, _ target: Target) throws -> StoredValue {
        if let value = ChangesetApplier.plain(value) { return value }
        guard case .link(let reference) = value else { throw bad("'\(value)' isn't a value") }
        return try link(to: reference, from: target)
    }

    /// Returns the stored form of a plain value; nil for links and for operations such as erasing a key.
    static func plain(_ value: SyncValue) -> StoredValue? {
        switch value {
        case .null: .null
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .string(let value): .string(value.string)
        case .binary(let value): .binary(value)
        case .timestamp(let value): .timestamp(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        case .objectId(let value): .objectId(value)
        case .uuid(let value): .uuid(value)
        case .link, .object, .dictionary, .list, .set, .erased: nil
        }
    }

    private func link(to reference: ObjectReference, from target: Target) throws -> StoredValue {
        let table = try table(reference.table)
        guard table.kind == .topLevel else { throw bad("a link to \(reference), which isn't a top-level object") }
        if target.column.type == .mixed {
            return .typedLink(ObjectLink(table: table.key, object: try linkKey(reference, in: table)))
        }
        guard target.column.type == .link, target.table.oppositeTables[target.column.leafIndex] == table.key else {
            throw bad("'\(target.column.name)' does not link to '\(reference.table)'")
        }
        return .link(try linkKey(reference, in: table))
    }

    private func update(_ target: Target, to value: SyncValue, _ place: Place) throws {
        switch target {
        case .element: throw bad("an element of a list at \(place) without its size")
        case .property(let table, let object, let column):
            guard !column.key.isCollection, column.key != table.primaryKey else {
                throw bad("\(place) cannot be given a value")
            }
            switch value {
            case .object:
                guard try embedded(target) == nil else { return }
                _ = try transaction.links.createEmbedded(column.key, of: object, in: table.key)
            case .list, .dictionary: try setCollection(value, target)
            default: try transaction.set(stored(value, target), column.key, of: object, in: table.key)
            }
        case .entry(let key, let path, _, _):
            switch value {
            case .erased: try transaction.dictionary(at: path).erase(key)
            case .object: _ = try transaction.dictionary(at: path).createEmbedded(forKey: key)
            case .list, .dictionary: try setCollection(value, target)
            default: try transaction.dictionary(at: path).set(stored(value, target), forKey: key)
            }
        }
    }

    private func setCollection(_ value: SyncValue, _ target: Target) throws {
        try transaction.setCollection(value == .list ? .list : .dictionary, at: target.collectionPath)
    }

    private func add(_ amount: Int64, to target: Target, _ place: Place) throws {
        guard case .property(let table, let object, let column) = target, !column.key.isCollection else {
            throw bad("\(place) isn't a property that supports AddInteger")
        }
        if try table.value(column.key, of: object) == .null { return }
        try transaction.addInteger(amount, column.key, of: object, in: table.key)
    }

    // MARK: Collections

    private func requireSet(_ target: Target, _ place: Place) throws {
        guard case .property(_, _, let column) = target, column.key.isSet else { throw bad("\(place) isn't a set") }
    }

    private func clear(_ target: Target, _ kind: CollectionKind, _ place: Place) throws {
        let path = target.collectionPath
        if case .property(_, _, let column) = target, column.key.isCollection {
            // Clients before protocol 13 don't send the kind.
            let isSame = kind == .single || kind == SyncNames.collection(column.key)
            guard isSame else { throw bad("\(place) isn't a \(kind)") }
            if column.key.isSet { return try transaction.set(at: path).clear() }
        } else {
            switch kind {
            case .list: try transaction.setCollection(.list, at: path)
            case .dictionary: try transaction.setCollection(.dictionary, at: path)
            case .single: break
            case .set: throw bad("\(place) isn't a set")
            }
        }
        switch try transaction.collectionIfPresent(path) {
        case .list: try transaction.list(at: path).clear()
        case .dictionary: try transaction.dictionary(at: path).clear()
        default: throw bad("\(place) isn't a collection")
        }
    }

    private func changeList(_ target: Target, _ change: Change, _ place: Place) throws {
        guard case .element(let index, let path, _, _) = target,
            let list = try transaction.collection(path).list
        else { throw bad("\(place) isn't an element of a list") }
        guard list.count == change.priorSize, change.isPossible(at: index) else {
            throw bad("\(Instruction.change(place, change)) doesn't fit a list of \(list.count)")
        }
        switch change {
        case .updateElement(.object, _): break
        case .updateElement(.list, _): try setCollection(.list, target)
        case .updateElement(.dictionary, _): try setCollection(.dictionary, target)
        case .updateElement(let value, _): try transaction.list(at: path).set(stored(value, target), at: index)
        case .insert(.object, _):
            guard path.steps.isEmpty else { throw bad("\(place) can't contain embedded objects") }
            _ = try transaction.list(at: path).createEmbedded(at: index)
        case .insert(.list, _): try transaction.list(at: path).insertCollection(.list, at: index)
        case .insert(.dictionary, _): try transaction.list(at: path).insertCollection(.dictionary, at: index)
        case .insert(let value, _): try transaction.list(at: path).insert(stored(value, target), at: index)
        case .move(let to, _): try transaction.list(at: path).move(from: index, to: to)
        case .erase: try transaction.list(at: path).erase(at: index)
        default: break
        }
    }
}
