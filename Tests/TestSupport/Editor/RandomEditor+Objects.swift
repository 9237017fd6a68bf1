// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension RandomEditor {
    mutating func create(in table: Table, _ transaction: WriteTransaction) throws {
        guard !table.isEmbedded, try table.count() < size || generator.chance(10) else { return }
        var values: [ColumnKey: StoredValue] = [:]
        for column in table.publicColumns
        where !column.key.isCollection && !column.holdsLinks && generator.chance(70) {
            values[column.key] = RandomValues.value(column.type, isNullable: column.key.isNullable, &generator)
        }
        let hasPrimaryKey = table.primaryKey != nil
        if !hasPrimaryKey, generator.chance(15) {
            let key = ObjectKey(Int64(generator.next() >> UInt64(generator.pick([2, 20, 40, 44, 54]))))
            guard try table.find(key) == nil else { return }
            try give("create with key", transaction) { try transaction.createObject(key, in: table.key, values) }
        } else {
            try give("create", transaction, mayBeRefused: hasPrimaryKey) {
                try transaction.createObject(in: table.key, values)
            }
        }
    }

    mutating func remove(from table: Table, _ transaction: WriteTransaction) throws {
        if generator.chance(3), try table.count() < size || generator.chance(10) {
            try give("clear", transaction) { try transaction.clear(table.key) }
        } else if let object = try object(of: table) {
            if table.kind == .topLevel, generator.chance(25) {
                try give("invalidate", transaction) { try transaction.tombstones.invalidate(object, in: table.key) }
            } else if generator.chance(10) {
                let next = (0..<Int64(generator.below(6))).map { ObjectKey(object.rawValue &+ $0) }
                try give("remove many", transaction) { try transaction.removeObjects(next, from: table.key) }
            } else {
                try give("remove", transaction) { try transaction.removeObject(object, from: table.key) }
            }
        }
    }

    mutating func change(in table: Table, _ transaction: WriteTransaction) throws {
        guard let object = try object(of: table), !table.publicColumns.isEmpty else { return }
        let column = generator.pick(table.publicColumns)
        try withTrace("\(column.name) of \(object)") {
            if column.key.isCollection {
                try changeCollection(column, of: object, in: table, transaction)
            } else {
                try set(column, of: object, in: table, transaction)
            }
        }
    }

    private mutating func set(
        _ column: Column, of object: ObjectKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        if try isEmbedding(column, of: table, transaction) {
            // Tables change kind, so an embedded object may be in a cycle of parents, and be removed with its child.
            let isEmpty = try table.value(column.key, of: object) == .null
            if generator.chance(60), isEmpty || !table.isEmbedded {
                try give("create embedded", transaction) {
                    try transaction.links.createEmbedded(column.key, of: object, in: table.key)
                }
            } else {
                try give("set", transaction) { try transaction.set(.null, column.key, of: object, in: table.key) }
            }
            return
        }
        if column.type == .mixed, generator.chance(50) {
            return try changeMixed(column, of: object, in: table, transaction)
        }
        guard let value = try value(for: column, of: table, transaction) else { return }
        try give("set", transaction, mayBeRefused: column.key == table.primaryKey) {
            try transaction.set(value, column.key, of: object, in: table.key)
        }
    }

    func isEmbedding(_ column: Column, of table: Table, _ transaction: WriteTransaction) throws -> Bool {
        guard column.type == .link else { return false }
        return try transaction.table(table.oppositeTables[column.leafIndex])?.isEmbedded ?? false
    }
}
