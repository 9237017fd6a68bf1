// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Short runs of `regnum-live-test`, whose proofs take longer than a test may.
///
/// `REGNUM_STRESS_SECONDS` extends the stress, `REGNUM_NOTIFICATIONS` and `REGNUM_OPENINGS` the memory runs.
@Suite(.serialized) struct LiveProgramTests {
    private func run(_ arguments: String...) throws -> String {
        let program = try #require(
            BuiltProgram.path("regnum-live-test"), "regnum-live-test was not built beside the tests")
        let run = try FinishedProgram(program, arguments, errors: .shown)
        #expect(run.status == 0, "\(run.output)")
        return run.output
    }

    private func setting(_ name: String, _ standard: Int) -> String {
        ProcessInfo.processInfo.environment[name] ?? "\(standard)"
    }

    @Test func readersWritersAndObserversAtOnce() throws {
        let counts = try run("stress", setting("REGNUM_STRESS_SECONDS", 3))
        #expect(counts.contains("frozen versions"))
    }

    #if os(Linux)
        /// Reads cost more if Observation may track them, so tracking is off in programs that don't use it.
        @Test func aProgramWithoutObservationTracksNothing() throws {
            #expect(try run("tracks") == "false\n")
        }

        @Test func memoryStaysFlat() throws {
            let lines = try run("memory", setting("REGNUM_NOTIFICATIONS", 1000)).split(separator: "\n")
            #expect(lines.count == 20)
        }

        @Test func memoryStaysFlatOverOpenings() throws {
            let lines = try run("openings", setting("REGNUM_OPENINGS", 500)).split(separator: "\n")
            #expect(lines.count == 40)
        }

        @Test func anotherProcessIsNotifiedPromptlyAndOtherwiseSleeps() throws {
            let text = try run("processes", "2")
            #expect(text.contains("quiet: 0"))
        }
    #endif
}
