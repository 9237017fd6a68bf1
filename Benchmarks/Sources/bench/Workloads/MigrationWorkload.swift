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
    @Persisted var active: Bool
    @Persisted var label: String

    override class func _realmObjectName() -> String? { "BenchPerson" }
}

/// Copies of both databases, made anew for each round.
final class MigrationBed: Topic {
    private let bed: TestBed
    private let folder: URL
    var realmFile: URL { folder.appendingPathComponent("people.realm") }
    private(set) var queue: DatabaseQueue

    init(_ bed: TestBed, _ folder: URL) throws {
        self.bed = bed
        self.folder = folder
        queue = try DatabaseQueue()
    }

    func copyRealm() throws {
        try renewFolder()
        try FileManager.default.copyItem(at: bed.folder.appendingPathComponent("filled.realm"), to: realmFile)
    }

    func copyQueue() throws {
        try renewFolder()
        queue = try DatabaseQueue(path: folder.appendingPathComponent("people.sqlite").path)
        try bed.queue.backup(to: queue)
    }

    private func renewFolder() throws {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
}

/// A property is added, and made from two others for every object. SQLite does that in one statement of its own; in a
/// migration of Realm the app's block is called for each object.
enum MigrationWorkload {
    static let workload = Workload.on(
        MigrationBed.self, "migrate", prepare: { try $0.copyRealm() },
        realm: { bed in
            let configuration = Realm.Configuration(
                fileURL: bed.realmFile, schemaVersion: 1,
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
        prepareGRDB: { try $0.copyQueue() },
        grdb: { bed in
            try bed.queue.write { database in
                try database.alter(table: "person") { $0.add(column: "label", .text).notNull().defaults(to: "") }
                try database.execute(sql: "UPDATE person SET label = name || '-' || age")
                return (
                    try PersonRecord.fetchCount(database),
                    try PersonRecord.filter(sql: "label LIKE '%-7'").fetchCount(database)
                )
            }
        })
}
