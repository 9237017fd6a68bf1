// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The tables of a file as an application's classes: the output of `realm schema`.
struct SchemaDescription {
    let tables: [TableDescription]
    /// Notes on values whose interpretation is ambiguous.
    let notes: [String]

    init(tables: [TableDescription], notes: [String] = []) { (self.tables, self.notes) = (tables, notes) }

    init(_ snapshot: any TableSource) throws {
        self.init(tables: try snapshot.allTables().map { try TableDescription($0, in: snapshot) })
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

    init(_ table: Table, in source: any TableSource) throws {
        name = table.name
        className = table.className
        kind = table.kind
        properties = try table.publicColumns.map { try PropertyDescription($0, of: table, in: source) }
        origins = try table.backlinkColumns.compactMap { column in
            guard let origin = try source.table(table.oppositeTables[column.leafIndex]),
                let link = origin.column(table.oppositeColumns[column.leafIndex])
            else { return nil }
            return (origin.className ?? origin.name) + "." + link.name
        }
    }
}

package struct PropertyDescription {
    /// The raw values are the names in the dump format.
    enum Collection: String {
        case list
        case set
        case dictionary
    }

    let name: String
    let type: ColumnType
    let isOptional: Bool
    /// nil for a single value.
    let collection: Collection?
    let keyType: ColumnType?
    let isPrimaryKey: Bool
    let index: IndexKind?
    let targetTable: String?
    let targetClass: String?

    init(
        name: String, type: ColumnType, isOptional: Bool, collection: Collection? = nil, isPrimaryKey: Bool = false,
        index: IndexKind? = nil, targetClass: String? = nil
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

    package init(_ column: Column, of table: Table, in source: any TableSource) throws {
        name = column.name
        type = column.type
        isOptional = column.key.isNullable
        collection = column.collection
        keyType = column.dictionaryKeyType
        isPrimaryKey = table.primaryKey == column.key
        index = table.indexKind(column)
        let target = column.type == .link ? try source.table(table.oppositeTables[column.leafIndex]) : nil
        targetTable = target?.name
        targetClass = target?.className
    }
}

extension Column {
    /// nil for a single value.
    var collection: PropertyDescription.Collection? {
        key.isList ? .list : key.isSet ? .set : key.isDictionary ? .dictionary : nil
    }

    /// Whether the column has single numbers.
    var isNumeric: Bool { [.int, .float, .double, .decimal].contains(type) && !key.isCollection }
}
