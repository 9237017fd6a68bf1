// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Work that changes people. Each round has its own copy of the filled file, and the results are compared.
enum CopyWorkload {
    /// `realm` and `grdb` return the number of operations.
    static func workload(
        _ name: String, growth: Growth = .constant, realm: @escaping @Sendable (Realm, People) throws -> Int,
        grdb: @escaping @Sendable (DatabaseQueue, People) throws -> Int
    ) -> Workload {
        Workload(
            name: name, realm: { bed in (try realm(bed.prepared(), bed.people), 0) },
            grdb: { bed in (try grdb(bed.prepared(), bed.people), 0) },
            prepare: { bed in bed.prepared = try PersonDatabase.openRealm(bed.scratchCopy(of: bed.realmURL)) },
            prepareGRDB: { bed in bed.prepared = try TestFixture.openWAL(bed.scratchCopy(of: bed.queueURL)) },
            check: check, checkGRDB: checkGRDB, growth: growth)
    }

    static let check: Workload.Check = { bed in
        let realm: Realm = try bed.prepared()
        let people = realm.objects(BenchPerson.self)
        return people.count &* 1_000_003 &+ people.sum(of: \.age)
    }

    static let checkGRDB: Workload.Check = { bed in
        let queue: DatabaseQueue = try bed.prepared()
        return try queue.read { database in
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM person") ?? 0
            return count &* 1_000_003
                &+ (try Int.fetchOne(database, sql: "SELECT COALESCE(SUM(age), 0) FROM person") ?? 0)
        }
    }
}
