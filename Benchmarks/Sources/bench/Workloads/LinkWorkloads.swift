// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Following links and asking about linked objects, from both sides, per dog.
enum LinkWorkloads {
    static let all = [
        linkTraversal, backlinkTraversal,
        count(
            "link_query_to_one", { $0.objects(BenchDog.self).where { $0.owner.name == "owner-77" }.count },
            "SELECT COUNT(*) FROM dog JOIN owner ON owner.id = dog.owner WHERE owner.name = 'owner-77'"),
        count(
            "link_query_prefix", { $0.objects(BenchDog.self).where { $0.owner.name.starts(with: "owner-7") }.count },
            "SELECT COUNT(*) FROM dog JOIN owner ON owner.id = dog.owner WHERE substr(owner.name, 1, 7) = 'owner-7'"),
        count(
            "link_query_to_many", { $0.objects(BenchOwner.self).where { $0.dogs.owner.name == "owner-77" }.count },
            """
            SELECT COUNT(DISTINCT owner_dog.owner) FROM owner JOIN dog ON dog.owner = owner.id
            JOIN owner_dog ON owner_dog.dog = dog.id WHERE owner.name = 'owner-77'
            """),
        count(
            "backlink_query_any", { $0.objects(BenchOwner.self).where { $0.owned.age == 3 }.count },
            "SELECT COUNT(*) FROM owner WHERE EXISTS (SELECT 1 FROM dog WHERE dog.owner = owner.id AND age = 3)"),
        count(
            "backlink_query_count", { $0.objects(BenchOwner.self).where { $0.owned.count > 10 }.count },
            "SELECT COUNT(*) FROM (SELECT owner FROM dog GROUP BY owner HAVING COUNT(*) > 10)"),
        count(
            "link_query_sum", { $0.objects(BenchOwner.self).where { $0.dogs.age.sum > 80 }.count },
            """
            SELECT COUNT(*) FROM (SELECT owner_dog.owner FROM owner_dog JOIN dog ON dog.id = owner_dog.dog
            GROUP BY owner_dog.owner HAVING SUM(dog.age) > 80)
            """),
        count(
            "backlink_query_sum", { $0.objects(BenchOwner.self).where { $0.owned.age.sum > 80 }.count },
            "SELECT COUNT(*) FROM (SELECT owner FROM dog GROUP BY owner HAVING SUM(age) > 80)"),
    ]

    /// From every dog to its owner, of whom a string is read.
    private static let linkTraversal = Workload.on(
        DogBed.self, "link_traversal",
        realm: { bed in
            var sum = 0
            for dog in bed.realm.objects(BenchDog.self) { sum &+= dog.owner?.name.utf8.count ?? 0 }
            return (bed.dogCount, sum)
        },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try String.fetchCursor(
                    database, sql: "SELECT owner.name FROM dog LEFT JOIN owner ON owner.id = dog.owner")
                while let name = try cursor.next() { sum &+= name.utf8.count }
                return (bed.dogCount, sum)
            }
        }, growth: .logarithmic)

    /// From every owner to the dogs that link to him, of which an int is read.
    private static let backlinkTraversal = Workload.on(
        DogBed.self, "backlink_traversal",
        realm: { bed in
            var sum = 0
            for owner in bed.realm.objects(BenchOwner.self) {
                for dog in owner.owned { sum &+= dog.age }
            }
            return (bed.dogCount, sum)
        },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(
                    database, sql: "SELECT dog.age FROM owner CROSS JOIN dog ON dog.owner = owner.id")
                while let age = try cursor.next() { sum &+= age }
                return (bed.dogCount, sum)
            }
        }, growth: .logarithmic)

    private static func count(
        _ name: String, _ count: @escaping @Sendable (Realm) -> Int, _ sql: String
    ) -> Workload {
        .on(
            DogBed.self, name, realm: { ($0.dogCount, count($0.realm)) },
            grdb: { bed in (bed.dogCount, try bed.files.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }) })
    }
}
