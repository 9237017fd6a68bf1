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
                try PythonChecker.requireClean(path: path)
            }
        }
        if Settings.isSet("REGNUM_STEPS") { print("\(name): \(editor.counts.sorted { $0.key < $1.key })") }
    }
}
