// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

extension CommitWorkloads {
    static let near = CopyWorkload.workload(
        "small_commits", realm: { realm, people in try commitNear(realm, people) },
        grdb: { queue, people in
            for id in nearIDs(people) {
                try queue.write { database in
                    try database.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
                        .execute(arguments: [id % 100, id])
                }
            }
            return nearIDs(people).count
        })
}
