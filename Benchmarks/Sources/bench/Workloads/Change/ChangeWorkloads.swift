// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

/// Changes of the whole table in one transaction, on a separate copy for each round.
enum ChangeWorkloads {
    static let all = [updateAll, deleteHalf, deleteAllByQuery, deleteAll, deleteOneByOne]

    static func changes(_ queue: DatabaseQueue, _ sql: String) throws -> Int {
        try queue.write { database in
            try database.execute(sql: sql)
            return database.changesCount
        }
    }
}
