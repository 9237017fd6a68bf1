// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article SeveralProcesses.
@Suite struct SeveralProcessesArticle {
    class Job: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var isDone: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test @MainActor func sharing() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("jobs.realm")
        // begin SeveralProcesses
        var configuration = Realm.Configuration(fileURL: url, objectTypes: [Job.self])
        configuration.storage.writeTimeout = .seconds(5)
        configuration.storage.permissions = [.ownerReadWrite, .groupReadWrite]
        configuration.maximumNumberOfActiveVersions = 1_000
        let realm = try await Realm.open(configuration: configuration)
        // end

        // begin SeveralProcesses
        do {
            try realm.write { realm.create(Job.self, value: ["id": 1]) }
        } catch Realm.Error.writeTimeout {
            print("Another process has been writing for more than five seconds.")
        }
        // end
        #expect(realm.objects(Job.self).count == 1)

        // begin SeveralProcesses
        realm.refresh()
        print(realm.objects(Job.self).where { !$0.isDone }.count)  // what all processes have committed until now
        // end

        // begin SeveralProcesses
        for pin in try realm.pins() {
            print(pin.processIdentifier, pin.label, pin.since, pin.heldByteCount)
        }
        // end
        #expect(try !realm.pins().isEmpty)
    }
}
