// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Reads objects of one version as values.
struct ChangeReader: Sendable {
    let version: Snapshot
    let names: ClassNames

    /// Returns the reference to an object, or nil if the object doesn't exist.
    func reference(to object: ObjectKey, in key: TableKey) throws -> Realm.ObjectReference? {
        guard let table = try version.table(key), let position = try table.find(object) else { return nil }
        let primaryKey = try table.primaryKey.map { column in
            Realm.ChangeValue(try table.value(try table.require(column), at: position))
        }
        return Realm.ObjectReference(
            className: table.className ?? table.name, primaryKey: primaryKey, objectKey: object.rawValue)
    }

    /// Returns the value of a property, or nil if the object or the property doesn't exist.
    func value(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws -> Realm.ChangeValue? {
        guard let table = try version.table(key), let column = table.column(column),
            let position = try table.find(object)
        else { return nil }
        return try value(column, table, position, depth: 0)
    }

    /// Returns all properties of an object, by name, or nil if the object doesn't exist.
    func values(of object: ObjectKey, in key: TableKey, depth: Int = 0) throws -> [String: Realm.ChangeValue]? {
        guard let table = try version.table(key), let position = try table.find(object) else { return nil }
        guard depth < 1000 else {
            throw StorageError(.invalidDatabase, "embedded objects in a circle; the file is damaged")
        }
        var values: [String: Realm.ChangeValue] = [:]
        for column in table.publicColumns {
            values[names.property(column, table)] = try value(column, table, position, depth: depth)
        }
        return values
    }

    // MARK: Below

    private func value(
        _ column: Column, _ table: Table, _ position: ClusterTree.Position, depth: Int
    ) throws -> Realm.ChangeValue {
        let target = column.type == .link ? table.oppositeTables[column.leafIndex] : nil
        if column.key.isList { return .list(try elements(table.list(column, at: position), target, depth)) }
        if column.key.isSet { return .set(try elements(table.set(column, at: position).tree, target, depth)) }
        if column.key.isDictionary {
            return .dictionary(try entries(try table.dictionary(column, at: position), depth))
        }
        return try value(try table.value(column, at: position), target, depth)
    }

    /// Links whose target is unresolved are omitted (content 5.8).
    private func elements(_ tree: BPlusTree, _ target: TableKey?, _ depth: Int) throws -> [Realm.ChangeValue] {
        try tree.values().compactMap { element in
            if case .link(let key) = element, key.isUnresolved { return nil }
            return try value(element, target, depth)
        }
    }

    private func entries(_ dictionary: DictionaryTree, _ depth: Int) throws -> [String: Realm.ChangeValue] {
        var entries: [String: Realm.ChangeValue] = [:]
        for index in 0..<dictionary.count {
            entries[try dictionary.key(at: index)] = try value(try dictionary.value(at: index), nil, depth)
        }
        return entries
    }

    private func value(_ value: StoredValue, _ target: TableKey?, _ depth: Int) throws -> Realm.ChangeValue {
        switch value {
        case .link(let key): return try target.map { try link(key, in: $0, depth) } ?? .null
        case .typedLink(let link): return try self.link(link.object, in: link.table, depth)
        case .list, .dictionary:
            guard depth < 1000 else {
                throw StorageError(.invalidDatabase, "collections nested too deeply; the file is damaged")
            }
            switch try StoredCollection(value: value, in: version.space) {
            case .list(let tree): return .list(try elements(tree, nil, depth + 1))
            case .dictionary(let dictionary): return .dictionary(try entries(dictionary, depth + 1))
            case .set, nil: return .null
            }
        default: return Realm.ChangeValue(value)
        }
    }

    private func link(_ object: ObjectKey, in table: TableKey, _ depth: Int) throws -> Realm.ChangeValue {
        if object.isNull || object.isUnresolved { return .null }
        if try version.table(table)?.kind == .embedded {
            return try values(of: object, in: table, depth: depth + 1).map { .embedded($0) } ?? .null
        }
        return try reference(to: object, in: table).map { .link($0) } ?? .null
    }
}

/// The Swift names of properties, or those of the columns for classes without a model.
struct ClassNames: Sendable {
    private let classes: [TableKey: ManagedClass]

    init(_ coordinator: RealmCoordinator) {
        classes = Dictionary(
            coordinator.managedClasses.map { ($0.tableKey, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func property(_ column: Column, _ table: Table) -> String {
        guard let managed = classes[table.key], let index = managed.columns.firstIndex(of: column.key) else {
            return column.name
        }
        return managed.info.properties[index].name
    }
}
