// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

struct Wide001: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
    var amount: Double
    var made: Double
    var active: Bool
}

// wide-grdb FILE: opens a file with two hundred tables, which it creates if it doesn't exist, and reads one row.
// Migrations are checked when a file is opened, as in apps.
var migrator = DatabaseMigrator()
migrator.registerMigration("tables") { database in
    for number in 1...200 {
        let digits = String(1000 + number).dropFirst()
        try database.create(table: "wide\(digits)") { table in
            table.primaryKey("id", .integer)
            table.column("name", .text).notNull().indexed()
            table.column("amount", .double).notNull()
            table.column("made", .double).notNull()
            table.column("active", .boolean).notNull()
        }
    }
    try Wide001(id: 7, name: "", amount: 0, made: 0, active: false).insert(database)
}
let queue = try DatabaseQueue(path: CommandLine.arguments[1])
try migrator.migrate(queue)
print(try queue.read { try Wide001.fetchOne($0)?.id ?? 0 })
