// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// A short run of `regnum-hostile`, which uses damaged files as an app would, in processes of their own.
///
/// `REGNUM_FUZZ_COUNT` says how many hundreds of files; `REGNUM_SEED` with which one to begin.
@Suite struct HostileProgramTests {
    @Test func damagedFilesEndNoProcess() throws {
        let program = try #require(BuiltProgram.path("regnum-hostile"), "regnum-hostile was not built beside the tests")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        let count = (Settings.number("REGNUM_FUZZ_COUNT") ?? 2) * 100
        process.arguments = ["\(count)", "\(Settings.number("REGNUM_SEED") ?? 1)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
