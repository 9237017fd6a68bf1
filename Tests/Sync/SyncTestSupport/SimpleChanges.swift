// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Small changes for session tests: a class with a counter and a list.
package enum SimpleChanges {
    package static let table: Text = "Note"

    package static let schema = Changeset([
        .addTable(TableDefinition(table, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
        .column("n", of: table, .int),
        .column("tags", of: table, .string, .list),
    ])

    package static func object(_ key: Int64) -> ObjectReference { ObjectReference(table, .int(key)) }

    package static func create(_ key: Int64) -> Changeset { Changeset([.createObject(object(key))]) }

    package static func create(_ key: Int64, n: Int64) -> Changeset {
        Changeset(create(key).instructions + set(n, of: key).instructions)
    }

    package static func set(_ n: Int64, of key: Int64) -> Changeset {
        Changeset([.change(Place(object(key), "n"), .update(.int(n), isDefault: false))])
    }

    package static func add(_ amount: Int64, to key: Int64) -> Changeset {
        Changeset([.change(Place(object(key), "n"), .addInteger(amount))])
    }

    package static func insert(_ text: Text, at index: Int, of size: Int, in key: Int64) -> Changeset {
        Changeset([
            .change(Place(object(key), "tags", .one(.index(index))), .insert(.string(text), priorSize: size))
        ])
    }
}

extension Instruction {
    /// Adds a column.
    package static func column(
        _ name: Text, of table: Text, _ type: ValueType, _ collection: CollectionKind = .single,
        isNullable: Bool = false, target: Text? = nil
    ) -> Instruction {
        .addColumn(
            ColumnDefinition(ColumnReference(table, name), type, isNullable: isNullable, collection, target: target))
    }
}
