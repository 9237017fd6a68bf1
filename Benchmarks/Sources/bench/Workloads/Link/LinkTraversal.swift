// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension LinkWorkloads {
    static let linkTraversal = Workload.on(
        DogFixture.self, "link_traversal",
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
}
