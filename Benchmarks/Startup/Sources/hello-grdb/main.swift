// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

struct Person: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
}

// hello-grdb FILE: adds a row to a file that has none, and reads the first one.
let queue = try DatabaseQueue(path: CommandLine.arguments[1])
try queue.write { database in
    try database.create(table: "person", options: .ifNotExists) { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
    }
    if try Person.fetchCount(database) == 0 { try Person(id: 1, name: "Ada").insert(database) }
}
print(try queue.read { try Person.fetchOne($0)?.name ?? "nobody" })
