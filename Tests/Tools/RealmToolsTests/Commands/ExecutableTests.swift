// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The program started like a user starts it. It is built in the folder of the test bundle.
@Suite struct ExecutableTests {
    @Test func statusAndStreams() throws {
        guard let program = BuiltProgram.path("realm"), let fixture = Fixture.inSchema else {
            Skip.report("the program realm was not built beside the tests")
            return
        }
        let dump = try FinishedProgram(program, ["dump", fixture.path])
        #expect(dump.status == 0)
        let isEqual = dump.output == (try fixture.json())
        #expect(isEqual)
        #expect(try FinishedProgram(program, ["check", "/absent.realm"]).status == 1)
        let wrong = try FinishedProgram(program, ["dump"])
        #expect(wrong.status == 2)
        #expect(wrong.output == "")
    }
}
