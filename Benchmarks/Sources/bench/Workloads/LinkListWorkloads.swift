// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchItem: Object {
    @Persisted var value: Int
}

final class BenchLinkList: Object {
    @Persisted var items: List<BenchItem>
}

/// As many items as there are people, and one list of links to all of them. In SQLite: a table of links by position.
final class LinkListBed: Topic {
    let files: TopicFiles
    let list: List<BenchItem>
    let count: Int

    init(_ bed: TestBed, _ folder: URL) throws {
        files = try TopicFiles(
            folder, [BenchItem.self, BenchLinkList.self],
            sql: """
                CREATE TABLE item (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
                CREATE TABLE link (position INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item);
                CREATE INDEX link_item ON link (item);
                """)
        count = bed.people.rows.count
        let (owner, realm) = (BenchLinkList(), files.realm)
        try realm.write {
            realm.add(owner)
            for row in bed.people.rows {
                let item = BenchItem()
                item.value = row.age
                realm.add(item)
            }
        }
        list = owner.items
        try files.queue.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO item VALUES (?, ?)")
            for row in bed.people.rows { try statement.execute(arguments: [row.id, row.age]) }
        }
    }

    var tenth: Int { count / 10 }

    func empty() throws {
        try files.realm.write { list.removeAll() }
    }

    func fill() throws {
        try files.realm.write {
            list.removeAll()
            append()
        }
    }

    func fillIfNeeded() throws {
        if list.count != count { try fill() }
    }

    func append() { list.append(objectsIn: files.realm.objects(BenchItem.self)) }

    func emptyTable() throws {
        try files.queue.write { try $0.execute(sql: "DELETE FROM link") }
    }

    func fillTable() throws {
        try files.queue.write { database in
            try database.execute(sql: "DELETE FROM link")
            try append(in: database)
        }
    }

    func append(in database: Database) throws {
        let statement = try database.makeStatement(sql: "INSERT INTO link VALUES (?, ?)")
        for position in 0..<count { try statement.execute(arguments: [position, position]) }
    }
}

/// Lists of links, per link.
enum LinkListWorkloads {
    static let all = [append, iterate, query, sum, insertMiddle, removeLast]

    private static let append = Workload.on(
        LinkListBed.self, "list_link_append", prepare: { try $0.empty() },
        realm: { bed in
            try bed.files.realm.write { bed.append() }
            return (bed.count, bed.list.count)
        },
        prepareGRDB: { try $0.emptyTable() },
        grdb: { bed in
            try bed.files.queue.write { try bed.append(in: $0) }
            return (bed.count, try bed.files.queue.read { try $0.count("link") })
        })

    private static let iterate = Workload.on(
        LinkListBed.self, "list_link_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for item in bed.list { sum &+= item.value }
            return (bed.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(
                    database, sql: "SELECT value FROM link JOIN item ON item.id = link.item ORDER BY position")
                while let value = try cursor.next() { sum &+= value }
                return (bed.count, sum)
            }
        })

    /// The count of the items that an int rules in.
    private static let query = aggregate(
        "list_link_query", { $0.where { $0.value > 50 }.count },
        "SELECT COUNT(*) FROM link JOIN item ON item.id = link.item WHERE value > 50")

    /// The sum of an int of the items.
    private static let sum = aggregate(
        "list_link_sum", { $0.sum(of: \.value) }, "SELECT SUM(value) FROM link JOIN item ON item.id = link.item")

    private static func aggregate(
        _ name: String, _ aggregate: @escaping @Sendable (List<BenchItem>) -> Int, _ sql: String
    ) -> Workload {
        .on(
            LinkListBed.self, name, prepare: { try $0.fillIfNeeded() },
            realm: { bed in (bed.count, aggregate(bed.list)) },
            prepareGRDB: { try $0.fillTable() },
            grdb: { bed in (bed.count, try bed.files.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }) })
    }

    private static let insertMiddle = Workload.on(
        LinkListBed.self, "list_link_insert_middle", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write {
                for item in bed.files.realm.objects(BenchItem.self).prefix(bed.tenth) {
                    bed.list.insert(item, at: bed.list.count / 2)
                }
            }
            return (bed.tenth, bed.list.count)
        }, growth: .logarithmic)

    private static let removeLast = Workload.on(
        LinkListBed.self, "list_link_remove_last", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write { for _ in 0..<bed.count { bed.list.removeLast() } }
            return (bed.count, bed.list.count)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "DELETE FROM link WHERE position = ?")
                for position in (0..<bed.count).reversed() { try statement.execute(arguments: [position]) }
                return (bed.count, try database.count("link"))
            }
        })
}
