// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchPersonLabelled: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var born: Date
    @Persisted var active: Bool
    @Persisted var label: String

    override class func _realmObjectName() -> String? { "BenchPerson" }
}

/// A property is added, and computed from two others for every object. SQLite does that in one statement. In a
/// migration of Realm, the app's block is called for each object.
enum MigrationWorkload {
    static var workload: Workload {
        var workload = Workload(
            name: "migrate",
            realm: { bed in (try open(bed).count, 0) },
            grdb: { bed in
                try TestFixture.openWAL(bed.prepared()).write { database in
                    try database.alter(table: "person") { $0.add(column: "label", .text).notNull().defaults(to: "") }
                    try database.execute(sql: "UPDATE person SET label = name || '-' || age")
                }
                return (bed.people.rows.count, 0)
            },
            prepare: { $0.prepared = try $0.scratchCopy(of: $0.realmURL) })
        workload.check = { bed in try open(bed).where { $0.label.ends(with: "-7") }.count }
        workload.prepareGRDB = { $0.prepared = try $0.scratchCopy(of: $0.queueURL) }
        workload.checkGRDB = { bed in
            try TestFixture.openWAL(bed.prepared()).read {
                try PersonRecord.filter(sql: "label LIKE '%-7'").fetchCount($0)
            }
        }
        return workload
    }

    private static func open(_ bed: TestFixture) throws -> RealmSwift.Results<BenchPersonLabelled> {
        let configuration = Realm.Configuration(
            fileURL: try bed.prepared(), schemaVersion: 1,
            migrationBlock: { migration, _ in
                migration.enumerateObjects(ofType: "BenchPerson") { old, new in
                    guard let old, let new, let name = old["name"] as? String, let age = old["age"] as? Int else {
                        return
                    }
                    new["label"] = "\(name)-\(age)"
                }
            }, objectTypes: [BenchPersonLabelled.self])
        return try Realm(configuration: configuration).objects(BenchPersonLabelled.self)
    }
}
