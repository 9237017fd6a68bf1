// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The tables of a file as an application's classes: the output of `realm schema`.
struct SchemaDescription {
    let tables: [TableDescription]
    /// Notes on values whose interpretation is ambiguous.
    let notes: [String]

    init(tables: [TableDescription], notes: [String] = []) { (self.tables, self.notes) = (tables, notes) }

    init(_ snapshot: any TableSource) throws {
        let tables = try snapshot.tableKeys().sorted().compactMap { try snapshot.table($0) }
        let byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
        self.init(tables: tables.map { TableDescription($0, byKey) })
    }
}

struct TableDescription {
    let name: String
    /// nil for a table that isn't a class (content 2.3).
    let className: String?
    let kind: TableKind
    let properties: [PropertyDescription]
    /// "Person.dogs" for each property that links here.
    let origins: [String]

    init(className: String, kind: TableKind = .topLevel, properties: [PropertyDescription]) {
        name = "class_" + className
        self.className = className
        self.kind = kind
        self.properties = properties
        origins = []
    }

    init(_ table: Table, _ tables: [TableKey: Table]) {
        name = table.name
        className = table.className
        kind = table.kind
        properties = table.publicColumns.map { PropertyDescription($0, of: table, tables) }
        origins = table.backlinkColumns.compactMap { column in
            guard let origin = tables[table.oppositeTables[column.leafIndex]],
                let link = origin.column(table.oppositeColumns[column.leafIndex])
            else { return nil }
            return (origin.className ?? origin.name) + "." + link.name
        }
    }
}

struct PropertyDescription {
    enum Collection {
        case list
        case set
        case dictionary
    }

    enum Index {
        case general
        case fullText
    }

    let name: String
    let type: ColumnType
    let isOptional: Bool
    /// nil for a single value.
    let collection: Collection?
    let keyType: ColumnType?
    let isPrimaryKey: Bool
    let index: Index?
    let targetTable: String?
    let targetClass: String?

    init(
        name: String, type: ColumnType, isOptional: Bool, collection: Collection? = nil, isPrimaryKey: Bool = false,
        index: Index? = nil, targetClass: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        keyType = collection == .dictionary ? .string : nil
        self.isPrimaryKey = isPrimaryKey
        self.index = index
        targetTable = targetClass.map { "class_" + $0 }
        self.targetClass = targetClass
    }

    init(_ column: Column, of table: Table, _ tables: [TableKey: Table]) {
        name = column.name
        type = column.type
        isOptional = column.key.isNullable
        collection =
            column.key.isList ? .list : column.key.isSet ? .set : column.key.isDictionary ? .dictionary : nil
        keyType = column.dictionaryKeyType
        isPrimaryKey = table.primaryKey == column.key
        index = table.hasIndex(column.key) ? (column.isFullTextIndexed ? .fullText : .general) : nil
        let target = column.type == .link ? tables[table.oppositeTables[column.leafIndex]] : nil
        targetTable = target?.name
        targetClass = target?.className
    }
}
