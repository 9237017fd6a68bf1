// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// Every file of the reference survives random instructions over the schema it has: after each commit both checkers
/// find it clean.
///
/// `REGNUM_STEPS` sets how many instructions each file gets; `REGNUM_SEED` repeats a run.
@Suite struct FixtureEditTests {
    static let names = SharedFiles.fixtures(in: "v24").filter { !$0.hasPrefix("encrypted-") }
    /// The other checker orders unresolved links in an index of Mixed behind null, as if they were not null there
    /// (content 9.1); that alone is no fault.
    private static func requireCleanByPython(_ path: String) throws {
        do {
            try PythonChecker.requireClean(path: path)
        } catch let failure as Failure {
            let faults = failure.description.split(separator: "\n").filter { $0.contains("2:") }
            let isKnown = faults.allSatisfy { $0.contains("index list is not ordered by value and key") }
            if faults.isEmpty || !isKnown { throw failure }
        }
    }

    private static let steps = Settings.number("REGNUM_STEPS") ?? 60

    @Test(arguments: names) func survivesRandomEdits(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/\(name).realm"
        let source = try #require(SharedFiles.path("fixtures/v24/\(name).realm"))
        try FileManager.default.copyItem(atPath: source, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        var editor = RandomEditor(SeededGenerator(for: "fixture \(name)"))
        let database = try Database.open(path)
        var done = 0
        while done < FixtureEditTests.steps {
            try withTrace("seed \(editor.generator.seed), step \(done)") {
                let count = min(1 + editor.generator.below(50), FixtureEditTests.steps - done)
                try database.write { transaction in
                    for step in 0..<count { try withTrace("\(step)") { try editor.step(transaction) } }
                }
                done += count
                try FileAudit.requireClean(path: path)
                try FixtureEditTests.requireCleanByPython(path)
            }
        }
        if Settings.isSet("REGNUM_STEPS") { print("\(name): \(editor.counts.sorted { $0.key < $1.key })") }
    }
}
