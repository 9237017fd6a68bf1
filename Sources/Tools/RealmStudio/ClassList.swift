// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools
import RealmValues

extension FollowedFile {
    func writeClasses(_ json: inout JSONText) throws {
        try json.member("classes", try snapshot.allTables().filter { $0.className != nil }) { json, table in
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
        try PropertyDescription(column, of: table, in: snapshot).write(&json)
        if column.type == .link {
            json.member("embedded", try snapshot.table(table.oppositeTables[column.leafIndex])?.isEmbedded ?? false)
        }
        json.raw("}")
    }
}
