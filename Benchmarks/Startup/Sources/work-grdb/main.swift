// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

struct Person: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
    var age: Int
}

func measure(_ name: String, _ count: Int, _ work: () throws -> Void) rethrows {
    let time = try ContinuousClock().measure(work)
    print(name, Int(Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9) / count)
}

// work-grdb FILE: adds records, iterates over them, and reads a column of a fetched row, in a new file. Records are
// values, so reading their fields doesn't involve the database.
let (count, reads) = (20_000, 200_000)
let queue = try DatabaseQueue(path: CommandLine.arguments[1])
try queue.write { database in
    try database.create(table: "person") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull().indexed()
        table.column("age", .integer).notNull()
    }
}
try measure("add", count) {
    try queue.write { database in
        for id in 0..<count { try Person(id: id, name: "person-\(id)", age: id % 100).insert(database) }
    }
}
var sum = 0
try measure("iterate", count) {
    try queue.read { database in
        let people = try Person.fetchCursor(database)
        while let person = try people.next() { sum += person.age }
    }
}
let first = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM person") } ?? Row()
measure("read", reads) { for _ in 0..<reads { sum += first["age"] as Int } }
print("sum", sum)
