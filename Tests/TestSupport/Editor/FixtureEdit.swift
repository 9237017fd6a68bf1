// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

/// Random instructions over the schema of a reference file. Our checker runs after each commit, the other one after some
/// and the last.
///
/// `REGNUM_STEPS` sets the number of instructions for each file; `REGNUM_SEED` repeats a run.
package struct FixtureEdit {
    private let name: String
    /// The cipher of an encrypted file. `key` is its key for the other checker.
    private let cipher: (any PageCipher)?
    private let key: [UInt8]

    package init(_ name: String, cipher: (any PageCipher)? = nil, key: [UInt8] = []) {
        (self.name, self.cipher, self.key) = (name, cipher, key)
    }

    private static let steps = Settings.number("REGNUM_STEPS") ?? 60

    /// Edits a copy of the fixture `name` of format 24. Throws if a check fails.
    package func run() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/\(name).realm"
        try Images.write(try Images.read(Fixtures.path("v24/\(name).realm")), to: path)
        var editor = RandomEditor(SeededGenerator(for: "fixture \(name)"))
        var database = try Database.open(path, cipher: cipher)
        var done = 0
        while done < FixtureEdit.steps {
            try withTrace("seed \(editor.generator.seed), step \(done)") {
                let count = min(1 + editor.generator.below(50), FixtureEdit.steps - done)
                try database.write { transaction in
                    for step in 0..<count { try withTrace("\(step)") { try editor.step(transaction) } }
                }
                done += count
                try FileAudit.requireClean(path: path, cipher: cipher)
                // A process takes longer than everything else, so it doesn't check every commit.
                if done == FixtureEdit.steps || editor.generator.chance(20) {
                    try PythonChecker.requireClean(path: path, key: key, cipher: cipher)
                }
            }
            // Pages and entries cached in memory must be in the file too.
            if cipher != nil, editor.generator.chance(30) { database = try Database.open(path, cipher: cipher) }
        }
        if Settings.isSet("REGNUM_STEPS") { print("\(name): \(editor.counts.sorted { $0.key < $1.key })") }
    }
}
