// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// Random changes of collections that the original engine wrote, audited after each commit.
@Suite struct CollectionFixtureTests {
    static let names = [
        "collections-list", "collections-set", "collections-dictionary", "mixed", "nested", "nested-short-keys",
        "embedded",
    ]

    @Test(arguments: names) func editedCopiesPassTheAudits(_ name: String) throws {
        let fixture = Fixtures.path("v24/\(name).realm")
        let generator = SeededGenerator(for: "edits of \(name)")
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.realm"
        // Copies the contents, since fixtures are write-protected.
        try Data(contentsOf: URL(fileURLWithPath: fixture)).write(to: URL(fileURLWithPath: path))
        let database = try Database.open(path)
        var operations = try RandomOperations(generator, size: 60, adopting: try database.snapshot())
        for commit in 0..<(Settings.isContinuousIntegration ? 20 : 4) {
            try withTrace("\(name), commit \(commit)") {
                try database.write { transaction in
                    for _ in 0..<40 { try operations.step(transaction) {} }
                }
                let snapshot = try database.snapshot()
                try operations.model.compare(with: snapshot)
                try operations.model.compareIndexes(with: snapshot)
                try FileAudit.requireCleanTwice(path: path)
            }
        }
    }
}
