// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Following links and querying linked objects, in both directions, per dog.
enum LinkWorkloads {
    static let all = [
        linkTraversal, backlinkTraversal, queryToOne, queryPrefix, queryToMany, backlinkQueryAny, backlinkQueryCount,
        querySum, backlinkQuerySum, deleteLinkers,
    ]

    static func count(
        _ name: String, _ count: @escaping @Sendable (Realm) -> Int, _ sql: String
    ) -> Workload {
        .on(
            DogFixture.self, name, realm: { ($0.dogCount, count($0.realm)) },
            grdb: { bed in (bed.dogCount, try bed.files.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }) })
    }
}
