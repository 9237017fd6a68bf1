// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import Testing

@testable import RealmQuery

/// Plans and results of queries.
@Suite struct PlanTests {
    private let database: Database
    private let table: TableKey
    private let snapshot: Snapshot

    /// 2,000 objects. `id` is the primary key; `name`, `group`, and `flag` are indexed; `size` isn't.
    init() throws {
        database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        table = try write.schema.addTable("class_Item")
        let id = try write.schema.addColumn("id", .int, [], to: table)
        try write.schema.setPrimaryKey(id, of: table)
        let name = try write.schema.addColumn("name", .string, [.indexed, .nullable], to: table)
        let group = try write.schema.addColumn("group", .int, .indexed, to: table)
        let flag = try write.schema.addColumn("flag", .bool, .indexed, to: table)
        let size = try write.schema.addColumn("size", .int, [], to: table)
        for number in 0..<2_000 {
            _ = try write.createObject(
                in: table,
                [
                    id: .int(Int64(number) * 3), name: number % 100 == 0 ? .null : .string("item \(number % 500)"),
                    group: .int(Int64(number % 40)), flag: .bool(number % 2 == 0), size: .int(Int64(number % 7)),
                ])
        }
        try write.commit()
        snapshot = try database.snapshot(label: "plans")
    }

    @Test(arguments: [
        (
            "size == 3",
            """
            scan of Item (2000 objects)
            then size == 3 (estimated 283, actual 286)
            """, 286
        ),
        ("id == 300", "index on Item.id: id == 300 (estimated 1, actual 1)", 1),
        ("id == 301", "index on Item.id: id == 301 (estimated 1, actual 0)", 0),
        (
            "id == 300 AND size == 2",
            "index on Item.id: id == 300 (estimated 1, actual 1)\nthen size == 2 (estimated 0, actual 1)", 1
        ),
        (
            "size == 2 AND group == 4 AND name == 'item 4'",
            """
            index on Item.name: name == 'item 4' (estimated 4, actual 4)
            then group == 4 (estimated 0, actual 2)
            then size == 2 (estimated 0, actual 0)
            """, 0
        ),
        (
            "name == nil",
            """
            scan of Item (2000 objects)
            then name == NULL (estimated 23, actual 20)
            """, 20
        ),
        (
            "name IN {'item 7', 'item 8', 'item 7'}",
            "index on Item.name: name IN {'item 7', 'item 8', 'item 7'} (estimated 8, actual 8)", 8
        ),
        ("flag == true", "scan of Item (2000 objects)\nthen flag == true (estimated 1000, actual 1000)", 1000),
        (
            "name != 'item 7'",
            """
            scan of Item (2000 objects)
            then name != 'item 7' (estimated 1994, actual 1996)
            """, 1996
        ),
        (
            "name ==[c] 'ITEM 7'",
            """
            scan of Item (2000 objects)
            then name ==[c] 'ITEM 7' (estimated 6, actual 4)
            """, 4
        ),
        (
            "name BEGINSWITH 'item 49'",
            """
            index on Item.name: name BEGINSWITH 'item 49' (estimated 44, actual 44)
            """, 44
        ),
        (
            "name == 'item 4' OR id == 3",
            """
            union (estimated 5, actual 5)
              index on Item.name: name == 'item 4' (estimated 4, actual 4)
              index on Item.id: id == 3 (estimated 1, actual 1)
            """, 5
        ),
        (
            "name CONTAINS '7' AND size == 1",
            """
            scan of Item (2000 objects)
            then size == 1 (estimated 287, actual 286)
            then name CONTAINS '7' (estimated 55, actual 54)
            """, 54
        ),
        ("TRUEPREDICATE", "scan of Item (2000 objects)", 2000),
        ("FALSEPREDICATE", "nothing: FALSEPREDICATE (estimated 0, actual 0)", 0),
        (
            "id BETWEEN {30, 40}",
            """
            scan of Item (2000 objects)
            then id BETWEEN {30, 40} (estimated 1, actual 4)
            """, 4
        ),
        (
            "group BETWEEN {4, 4}",
            """
            scan of Item (2000 objects)
            then group BETWEEN {4, 4} (estimated 49, actual 50)
            """, 50
        ),
        (
            "size IN {1, 2, 3, 4, 5, 6, 10, 11, 12, 13}",
            """
            scan of Item (2000 objects)
            then size IN {1, 2, 3, 4, 5, 6, 10, 11, … 10 values} (estimated 1711, actual 1714)
            """, 1714
        ),
    ])
    func plan(_ text: String, _ plan: String, _ rows: Int) throws {
        let query = try Query.compile(Predicate(parsing: text), on: table, in: snapshot)
        let explained = try query.explain(in: snapshot)
        #expect(explained == plan)
        let objects = try query.objects(in: snapshot)
        #expect(objects.count == rows)
        #expect(objects == objects.sorted() && Set(objects).count == objects.count)
        #expect(try query.count(in: snapshot) == rows)
        #expect(
            try query.filter(
                try Query.compile(.constant(true), on: table, in: snapshot).objects(in: snapshot), in: snapshot)
                == objects)
    }

    /// A compiled query serves all versions, and write transactions.
    @Test func laterVersions() throws {
        let query = try Query.compile(Predicate(parsing: "name == 'new' AND size == 5"), on: table, in: snapshot)
        let write = try database.beginWrite()
        let live = try #require(try write.table(table))
        let column = { (name: String) in live.column(named: name)!.key }
        let key = try write.createObject(
            in: table, [column("id"): .int(-1), column("name"): .string("new"), column("size"): .int(5)])
        #expect(try query.objects(in: write) == [key])
        #expect(try query.contains(key, in: write))
        try write.set(.int(6), column("size"), of: key, in: table)
        #expect(try query.first(in: write) == nil)
        try write.set(.int(5), column("size"), of: key, in: table)
        try write.commit()
        let later = try database.snapshot(label: "later")
        #expect(try query.first(in: later) == key)
        #expect(try query.first(in: snapshot) == nil)
        #expect(try query.firstIndex(in: [ObjectKey(0), ObjectKey(999_999), key], in: later) == 2)
    }

    @Test func aRemovedTable() throws {
        let query = try Query.compile(Predicate(parsing: "size == 1"), on: table, in: snapshot)
        let order = try SortOrder([SortKey("size")], on: table, in: snapshot)
        let sum = try Aggregate(.sum, of: "size", on: table, in: snapshot)
        let write = try database.beginWrite()
        try write.schema.removeTable(table)
        try write.commit()
        let later = try database.snapshot(label: "without table")
        #expect(try query.objects(in: later) == [] && query.count(in: later) == 0)
        #expect(try order.sort([ObjectKey(0)], in: later) == [])
        #expect(try sum.value(in: later) == .int(0))
        #expect(throws: StorageError.self) { try Query.compile(.constant(true), on: table, in: later) }
    }
}
