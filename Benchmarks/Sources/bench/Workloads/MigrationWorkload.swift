// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// The person of a later version of the app.
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

/// A property is added, and made from two others for every object. SQLite does that in one statement of its own; in a
/// migration of Realm the app's block is called for each object.
enum MigrationWorkload {
    static let workload = Workload(
        name: "migrate",
        realm: { bed in
            let url = bed.folder.appendingPathComponent("\(UUID().uuidString).realm")
            try FileManager.default.copyItem(at: bed.realmURL, to: url)
            let configuration = Realm.Configuration(
                fileURL: url, schemaVersion: 1,
                migrationBlock: { migration, _ in
                    migration.enumerateObjects(ofType: "BenchPerson") { old, new in
                        guard let old, let new, let name = old["name"] as? String, let age = old["age"] as? Int else {
                            return
                        }
                        new["label"] = "\(name)-\(age)"
                    }
                }, objectTypes: [BenchPersonLabelled.self])
            let people = try Realm(configuration: configuration).objects(BenchPersonLabelled.self)
            return (people.count, people.where { $0.label.ends(with: "-7") }.count)
        },
        grdb: { bed in
            let url = bed.folder.appendingPathComponent("\(UUID().uuidString).sqlite")
            try bed.queue.backup(to: DatabaseQueue(path: url.path))
            let queue = try DatabaseQueue(path: url.path)
            return try queue.write { database in
                try database.alter(table: "person") { $0.add(column: "label", .text).notNull().defaults(to: "") }
                try database.execute(sql: "UPDATE person SET label = name || '-' || age")
                return (
                    try PersonRecord.fetchCount(database),
                    try PersonRecord.filter(sql: "label LIKE '%-7'").fetchCount(database)
                )
            }
        })
}
