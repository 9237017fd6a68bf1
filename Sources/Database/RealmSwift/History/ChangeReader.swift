// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmValues

/// Reads objects of one version as values.
struct ChangeReader: Sendable {
    let version: Snapshot
    let names: ClassNames

    func reference(to object: ObjectKey, in key: TableKey) throws -> Realm.ObjectReference? {
        guard let table = try version.table(key), let position = try table.find(object) else { return nil }
        let primaryKey = try table.primaryKey.map { column in
            Realm.ChangeValue(try table.value(try table.require(column), at: position))
        }
        return Realm.ObjectReference(
            className: table.className ?? table.name, primaryKey: primaryKey, objectKey: object.rawValue)
    }

    func value(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws -> Realm.ChangeValue? {
        guard let table = try version.table(key), let column = table.column(column),
            let position = try table.find(object)
        else { return nil }
        return try value(ObjectReader(version, depthLimit: 1000).value(column, of: table, at: position))
    }

    private func value(_ value: DetachedValue) throws -> Realm.ChangeValue {
        switch value {
        case .plain(let stored): return Realm.ChangeValue(stored)
        case .link(.key(let table, let object)):
            return try reference(to: object, in: table).map { .link($0) } ?? .null
        case .link(.primaryKey): return .null
        case .object(let key, let values):
            guard let table = try version.table(key) else { return .null }
            let members = try zip(table.publicColumns, values).map { (names.property($0, table), try self.value($1)) }
            return .embedded(Dictionary(members, uniquingKeysWith: { $1 }))
        case .list(let elements): return .list(try elements.map(self.value))
        case .set(let elements): return .set(try elements.map(self.value))
        case .dictionary(let entries):
            return .dictionary(
                Dictionary(try entries.map { ($0.key, try self.value($0.value)) }, uniquingKeysWith: { $1 }))
        }
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
