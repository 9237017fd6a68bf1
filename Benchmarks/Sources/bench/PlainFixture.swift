// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// A text and a number without index, and a value of one of five types.
final class BenchPlain: Object {
    @Persisted var text: String
    @Persisted var number: Int
    @Persisted var mixed: AnyRealmValue
}

/// As many of them as there are people, in both databases.
final class PlainFixture {
    let realm: Realm
    let queue: DatabaseQueue
    let numbers: [Int]

    init(_ folder: URL, _ people: People) throws {
        var random = XorShift(state: 0x9E6C_63D0_676A_9A99)
        numbers = people.rows.map { _ in Int(random.next() % 1_000_000) }
        realm = try Realm(
            configuration: .init(
                fileURL: folder.appendingPathComponent("plain.realm"), objectTypes: [BenchPlain.self]))
        queue = try TestFixture.openWAL(folder.appendingPathComponent("plain.sqlite"))
        try fillRealm(people)
        try fillQueue(people)
    }

    private func fillRealm(_ people: People) throws {
        try realm.write {
            for (row, number) in zip(people.rows, numbers) {
                let object = BenchPlain()
                object.text = row.name
                object.number = number
                object.mixed = Self.mixed(row)
                realm.add(object)
            }
        }
    }

    private static func mixed(_ row: People.Row) -> AnyRealmValue {
        switch row.id % 5 {
        case 0: .int(row.age * 10)
        case 1: .double(row.score)
        case 2: .string(row.name)
        case 3: .bool(row.active)
        default: .data(Data(row.name.utf8))
        }
    }

    private func fillQueue(_ people: People) throws {
        try queue.write { database in
            // A column of type BLOB stores values unchanged.
            try database.execute(
                sql: """
                    CREATE TABLE plain (
                        id INTEGER PRIMARY KEY, text TEXT NOT NULL, number INTEGER NOT NULL, mixed BLOB NOT NULL)
                    """)
            let statement = try database.makeStatement(sql: "INSERT INTO plain VALUES (?, ?, ?, ?)")
            for (row, number) in zip(people.rows, numbers) {
                try statement.execute(arguments: [row.id, row.name, number, Self.value(row)])
            }
        }
    }

    private static func value(_ row: People.Row) -> any DatabaseValueConvertible {
        switch row.id % 5 {
        case 0: row.age * 10
        case 1: row.score
        case 2: row.name
        case 3: row.active
        default: Data(row.name.utf8)
        }
    }
}

extension TestFixture {
    func plain() throws -> PlainFixture { try topic(PlainFixture.self) { try PlainFixture($0, people) } }
}
