// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class OneClassBed: OpenBed, Topic {
    init(_ bed: TestFixture, _ folder: URL) throws { try super.init(folder, Array(wideClasses.prefix(1))) }
}

final class WideBed: OpenBed, Topic {
    init(_ bed: TestFixture, _ folder: URL) throws { try super.init(folder, wideClasses) }
}

/// Closed files with a table for each of some classes, and one object.
class OpenBed {
    let configuration: Realm.Configuration
    let path: String

    init(_ folder: URL, _ classes: [ObjectBase.Type]) throws {
        configuration = Realm.Configuration(
            fileURL: folder.appendingPathComponent("wide.realm"), objectTypes: classes)
        path = folder.appendingPathComponent("wide.sqlite").path
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.create(Wide001.self, value: ["id": 7]) }
        let queue = try TestFixture.openWAL(URL(fileURLWithPath: path))
        try queue.write { database in
            for type in classes {
                let name = type.className()
                try database.execute(
                    sql: """
                        CREATE TABLE \(name) (
                            id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount DOUBLE NOT NULL, made DATETIME NOT NULL,
                            active BOOLEAN NOT NULL);
                        CREATE INDEX \(name)_name ON \(name) (name);
                        """)
            }
            try database.execute(sql: "INSERT INTO Wide001 VALUES (7, '', 0, 0, 0)")
        }
    }
}

/// Opening a file and reading one property of one object, per opening. The reflection of a class happens once in a
/// process, which Scripts/startup measures.
enum OpenWorkloads {
    static let all = [oneClass, manyClasses]

    static func workload<Bed: OpenBed & Topic>(_ type: Bed.Type, _ name: String) -> Workload {
        let openings = 20
        return .on(
            type, name,
            realm: { bed in
                var sum = 0
                for _ in 0..<openings {
                    let realm = try Realm(configuration: bed.configuration)
                    sum += realm.objects(Wide001.self).first?.id ?? 0
                }
                return (openings, sum)
            },
            grdb: { bed in
                var sum = 0
                for _ in 0..<openings {
                    let queue = try DatabaseQueue(path: bed.path)
                    sum += try queue.read { try Int.fetchOne($0, sql: "SELECT id FROM Wide001 LIMIT 1") ?? 0 }
                }
                return (openings, sum)
            })
    }
}
