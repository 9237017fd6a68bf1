// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

extension OpenedFile {
    func writeClasses(_ json: inout JSONText) throws {
        let tables = try snapshot.tableKeys().sorted().compactMap { try snapshot.table($0) }
            .filter { $0.className != nil }
        try json.member("classes", tables) { json, table in
            json.raw("{")
            json.member("table", table.key.rawValue)
            json.member("name", table.className)
            json.member("kind", table.kind.dumpName)
            json.member("count", try table.count())
            try json.member("properties", table.publicColumns) { try write($1, of: table, &$0) }
            try json.member("incoming", table.backlinkColumns) { json, column in
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
        json.member("name", column.name)
        json.member("type", column.type.dumpName)
        json.member("optional", column.key.isNullable || column.type == .link && !column.key.isCollection)
        let collection =
            column.key.isList ? "list" : column.key.isSet ? "set" : column.key.isDictionary ? "dictionary" : nil
        if let collection { json.member("collection", collection) }
        if table.primaryKey == column.key { json.member("primary", true) }
        if table.hasIndex(column.key) {
            json.member("index", column.isFullTextIndexed ? "fulltext" : "general")
        }
        if column.type == .link {
            let target = try snapshot.table(table.oppositeTables[column.leafIndex])
            json.member("target", target?.className)
            json.member("embedded", target?.isEmbedded ?? false)
        }
        json.raw("}")
    }
}
