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

    init(_ bed: TestFixture, _ folder: URL) throws {
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

    static func aggregate(
        _ name: String, _ aggregate: @escaping @Sendable (List<BenchItem>) -> Int, _ sql: String
    ) -> Workload {
        .on(
            LinkListBed.self, name, prepare: { try $0.fillIfNeeded() },
            realm: { bed in (bed.count, aggregate(bed.list)) },
            prepareGRDB: { try $0.fillTable() },
            grdb: { bed in (bed.count, try bed.files.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }) })
    }
}
