// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the articles Reliability and Performance.
@Suite struct ReliabilityArticle {
    class Reading: Object {
        @Persisted var sensor: String
        @Persisted var value: Double

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func reliability() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("readings.realm")
        func use() throws {
            // begin Reliability
            var configuration = Realm.Configuration(fileURL: url, objectTypes: [Reading.self])
            configuration.storage.durability = .survivesPowerFailure
            configuration.access.invalidated = .emptyValue
            let realm = try Realm(configuration: configuration)
            // end
            // begin Reliability
            do {
                try realm.write { realm.create(Reading.self, value: ["sensor": "a", "value": 1.5]) }
            } catch Realm.Error.outOfDiskSpace {
                print("Nothing was written. Make room, and write again.")
            }
            // end
            #expect(realm.objects(Reading.self).count == 1)
        }
        try use()
        // begin Reliability
        for violation in try Realm.check(fileAt: url).violations { print(violation) }
        // end
        try Realm.check(fileAt: url).requireClean()
    }

    @Test func performance() throws {
        try withRealm([Reading.self]) { realm in
            let values = [1.5, 2.5]
            // begin Performance
            try realm.write {
                for value in values {
                    realm.add(Reading(value: ["sensor": "a", "value": value]))
                }
            }
            // end
            // begin Performance
            let readings = realm.objects(Reading.self).where { $0.sensor == "a" }
            print(readings.explain())
            // end
            #expect(readings.explain().description.contains("scan"))
        }
    }
}
