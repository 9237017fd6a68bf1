// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

extension OpenedFile {
    /// Writes the classes with their properties and numbers of objects.
    func writeClasses(_ json: inout JSONText) throws {
        let tables = try snapshot.tableKeys().sorted().compactMap { try snapshot.table($0) }
            .filter { $0.className != nil }
        json.member("classes")
        try json.array(tables) { json, table in
            json.raw("{")
            json.member("table")
            json.integer(table.key.rawValue)
            json.member("name")
            json.string(table.className)
            json.member("kind")
            json.string(table.kind.dumpName)
            json.member("count")
            json.integer(try table.count())
            json.member("properties")
            try json.array(table.publicColumns) { try write($1, of: table, &$0) }
            json.member("incoming")
            try json.array(table.backlinkColumns) { json, column in
                let origin = try self.table(table.oppositeTables[column.leafIndex])
                json.array([origin.className, origin.column(table.oppositeColumns[column.leafIndex])?.name]) {
                    $0.string($1)
                }
            }
            json.raw("}")
        }
    }

    private func write(_ column: Column, of table: Table, _ json: inout JSONText) throws {
        json.raw("{")
        json.member("name")
        json.string(column.name)
        json.member("type")
        json.string(column.type.dumpName)
        json.member("optional")
        json.bool(column.key.isNullable || column.type == .link && !column.key.isCollection)
        let collection =
            column.key.isList ? "list" : column.key.isSet ? "set" : column.key.isDictionary ? "dictionary" : nil
        if let collection { json.member("collection"); json.string(collection) }
        if table.primaryKey == column.key { json.member("primary"); json.bool(true) }
        if table.hasIndex(column.key) {
            json.member("index")
            json.string(column.isFullTextIndexed ? "fulltext" : "general")
        }
        if column.type == .link {
            let target = try snapshot.table(table.oppositeTables[column.leafIndex])
            json.member("target")
            json.string(target?.className)
            json.member("embedded")
            json.bool(target?.isEmbedded ?? false)
        }
        json.raw("}")
    }
}
