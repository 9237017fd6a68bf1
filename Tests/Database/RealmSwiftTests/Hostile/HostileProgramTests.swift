// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// A short run of `regnum-hostile`, which uses damaged files like an app, in separate processes.
///
/// `REGNUM_FUZZ_COUNT` sets the number of files in hundreds, `REGNUM_SEED` the first one.
@Suite struct HostileProgramTests {
    @Test func damagedFilesEndNoProcess() throws {
        let program = try #require(BuiltProgram.path("regnum-hostile"), "regnum-hostile was not built beside the tests")
        let count = Settings.number("REGNUM_FUZZ_COUNT").map { $0 * 100 } ?? 60
        let run = try FinishedProgram(
            program, ["\(count)", "\(Settings.number("REGNUM_SEED") ?? 1)"], errors: .shown)
        #expect(run.status == 0, "\(run.output)")
    }
}
