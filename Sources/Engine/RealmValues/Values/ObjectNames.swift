// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The identities of objects outside their file: the primary key if the class has one, otherwise the object key.
package struct ObjectNames {
    package let source: any TableSource

    package init(_ source: any TableSource) { self.source = source }

    /// The name is nil if the object doesn't exist.
    package func name(_ object: ObjectName) throws -> (table: Table?, name: StoredValue?) {
        switch object {
        case .primaryKey(let table, let value): return (try source.table(table), value)
        case .key(let tableKey, let key):
            guard let table = try source.table(tableKey) else { return (nil, nil) }
            guard let position = try table.find(key) else { return (table, nil) }
            guard let primaryKey = table.primaryKey else { return (table, .int(key.rawValue)) }
            return (table, try table.value(try table.require(primaryKey), at: position))
        }
    }

    /// Returns the object that a name refers to; nil if it doesn't exist.
    package func object(_ name: ObjectName) throws -> ObjectLink? {
        switch name {
        case .key(let table, let key):
            try source.table(table)?.find(key).map { _ in ObjectLink(table: table, object: key) }
        case .primaryKey(let table, let value):
            try source.table(table)?.object(primaryKey: value).map { ObjectLink(table: table, object: $0) }
        }
    }
}

extension Table {
    package var primaryKeyPlace: Int? { primaryKey.flatMap { key in publicColumns.firstIndex { $0.key == key } } }
}
