// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmValues

extension SchemaDescription {
    init(_ snapshot: any TableSource) throws {
        self.init(tables: try snapshot.allTables().map { try TableDescription($0, in: snapshot) })
    }
}

extension TableDescription {
    init(_ table: Table, in source: any TableSource) throws {
        self.init(
            name: table.name, className: table.className, kind: table.kind,
            properties: try table.publicColumns.map { try PropertyDescription($0, of: table, in: source) },
            origins: try table.backlinkColumns.compactMap { column in
                guard let origin = try source.table(table.oppositeTables[column.leafIndex]),
                    let link = origin.column(table.oppositeColumns[column.leafIndex])
                else { return nil }
                return (origin.className ?? origin.name) + "." + link.name
            })
    }
}

extension PropertyDescription {
    package init(_ column: Column, of table: Table, in source: any TableSource) throws {
        let target = column.type == .link ? try source.table(table.oppositeTables[column.leafIndex]) : nil
        self.init(
            name: column.name, type: column.type, isOptional: column.key.isNullable, collection: column.collection,
            keyType: column.dictionaryKeyType, isPrimaryKey: table.primaryKey == column.key,
            index: table.indexKind(column), targetTable: target?.name, targetClass: target?.className)
    }
}
