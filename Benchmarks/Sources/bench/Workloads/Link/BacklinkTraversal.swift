// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension LinkWorkloads {
    static let backlinkTraversal = Workload.on(
        DogFixture.self, "backlink_traversal",
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
}
