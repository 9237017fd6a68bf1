// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension RandomEditor {
    /// Tables that aren't an application's class keep their form, because the SDK relies on that of `metadata`.
    mutating func changeSchema(of table: Table, _ transaction: WriteTransaction) throws {
        switch generator.below(100) {
        case 0..<10: return try removeTable(table, transaction)
        case 10..<14: return try createTable(transaction)
        default: break
        }
        guard table.className != nil else { return }
        guard let column = table.publicColumns.randomElement(using: &generator), table.columns.count < 400 else {
            return try addColumn(to: table, transaction)
        }
        let key = table.key
        switch generator.below(100) {
        case 0..<25: try addColumn(to: table, transaction)
        case 25..<40:
            try give("remove column", transaction) { try transaction.schema.removeColumn(column.key, of: key) }
        case 40..<50:
            serial += 1
            let name = generator.chance(10) ? table.publicColumns[0].name : "renamed \(serial)"
            try give("rename column", transaction, mayBeRefused: true) {
                try transaction.schema.renameColumn(column.key, of: key, to: name)
            }
        case 50..<65:
            let nulls: SchemaWriter.NullTreatment = generator.chance(70) ? .becomeDefault : .refuse
            try give("set nullable", transaction, mayBeRefused: true) {
                try transaction.schema.setNullable(!column.key.isNullable, column.key, of: key, nulls: nulls)
            }
        case 65..<80: try changeIndex(of: column, of: table, transaction)
        case 80..<90:
            let primaryKey = generator.chance(70) ? column.key : nil
            try give("set primary key", transaction, mayBeRefused: true) {
                try transaction.schema.setPrimaryKey(primaryKey, of: key)
            }
        default:
            try give("set kind", transaction, mayBeRefused: true) {
                try transaction.schema.setKind(table.isEmbedded ? .topLevel : .embedded, of: key)
            }
        }
    }

    private mutating func changeIndex(
        of column: Column, of table: Table, _ transaction: WriteTransaction
    ) throws {
        if table.hasIndex(column.key), generator.chance(60) {
            try give("remove index", transaction) { try transaction.indexes.remove(column.key, of: table.key) }
        } else {
            let kind: IndexKind = column.type == .string && generator.chance(30) ? .fullText : .general
            try give("add index", transaction, mayBeRefused: true) {
                try transaction.indexes.add(column.key, kind, of: table.key)
            }
        }
    }

    private mutating func addColumn(to table: Table, _ transaction: WriteTransaction) throws {
        serial += 1
        let isLink = generator.chance(30)
        let type: ColumnType = isLink ? .link : generator.pick(RandomValues.types)
        var attributes: ColumnAttributes = generator.chance(50) ? .nullable : []
        attributes.formUnion(generator.pick([[], [], .list, .list, .set, .dictionary] as [ColumnAttributes]))
        if generator.chance(20) { attributes.insert(generator.chance(70) ? .indexed : .fullTextIndexed) }
        let target = isLink ? generator.pick(try transaction.tableKeys()) : nil
        let (name, key) = ("added \(serial)", table.key)
        try give("add column", transaction, mayBeRefused: true) {
            try transaction.schema.addColumn(name, type, attributes, target: target, to: key)
        }
    }

    mutating func createTable(_ transaction: WriteTransaction) throws {
        guard try transaction.tableKeys().count < 200 else { return }
        serial += 1
        let (name, isEmbedded) = ("class_Added\(serial)", generator.chance(25))
        let key = try give("create table", transaction, mayBeRefused: true) {
            try transaction.schema.addTable(name, kind: isEmbedded ? .embedded : .topLevel)
        }
        guard let key, let table = try transaction.table(key) else { return }
        for _ in 0..<3 { try addColumn(to: table, transaction) }
    }

    private mutating func removeTable(_ table: Table, _ transaction: WriteTransaction) throws {
        guard table.className != nil, generator.chance(50), try transaction.tableKeys().count > 1 else { return }
        try give("remove table", transaction, mayBeRefused: true) { try transaction.schema.removeTable(table.key) }
    }
}
