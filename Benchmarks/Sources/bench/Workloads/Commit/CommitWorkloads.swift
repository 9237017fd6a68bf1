// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Small durable commits in both engines, per commit.
enum CommitWorkloads {
    static let all = [near, one, hundred, tenThousand]

    static func commitNear(_ realm: Realm, _ people: People) throws -> Int {
        for id in nearIDs(people) {
            try realm.write { realm.object(ofType: BenchPerson.self, forPrimaryKey: id)?.age = id % 100 }
        }
        return nearIDs(people).count
    }

    static func nearIDs(_ people: People) -> Range<Int> {
        let middle = people.rows.count / 2
        return middle..<min(people.rows.count, middle + 100)
    }

    /// Changes of random objects copy different leaves, more of them in larger tables.
    static func anywhere(_ changes: Int, commits: Int, _ growth: Growth) -> Workload {
        CopyWorkload.workload(
            "commit_\(changes)", growth: growth,
            realm: { realm, people in
                var random = XorShift(state: 0x2545_F491_4F6C_DD1D)
                for _ in 0..<commits {
                    try realm.write {
                        for _ in 0..<changes {
                            let (id, age) = change(&random, people)
                            realm.object(ofType: BenchPerson.self, forPrimaryKey: id)?.age = age
                        }
                    }
                }
                return commits
            },
            grdb: { queue, people in
                var random = XorShift(state: 0x2545_F491_4F6C_DD1D)
                for _ in 0..<commits {
                    let made = (0..<changes).map { _ in change(&random, people) }
                    try queue.write { database in
                        let statement = try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
                        for (id, age) in made { try statement.execute(arguments: [age, id]) }
                    }
                }
                return commits
            })
    }

    private static func change(_ random: inout XorShift, _ people: People) -> (id: Int, age: Int) {
        (Int(random.next() % UInt64(people.rows.count)), Int(random.next() % 100))
    }
}
