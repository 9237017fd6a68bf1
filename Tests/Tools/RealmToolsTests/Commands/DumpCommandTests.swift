// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@Suite struct DumpCommandTests {
    @Test(arguments: Fixture.all) func dumpIsTheFixturesJSON(_ fixture: Fixture) throws {
        let expected = try fixture.json().replacingOccurrences(of: "\"\(Fixture.keyDigits)\"", with: "null")
        let history = expected.contains("\n\"history\": [") ? ["--history"] : []
        let run = ToolRun(["dump", fixture.path] + history + fixture.keyArguments)
        #expect(run.status == 0)
        #expect(run.errors == "")
        // No #expect on the texts themselves, because their difference would be megabytes long.
        let difference = zip(run.output.split(separator: "\n"), expected.split(separator: "\n")).first { $0.0 != $0.1 }
        #expect(difference == nil)
        let isEqual = run.output == expected
        #expect(isEqual)
    }

    @Test(arguments: Fixture.encrypted) func encryptedFilesAreRefusedWithoutAKey(_ fixture: Fixture) {
        for command in ["info", "schema", "dump", "check"] {
            let run = ToolRun(command, fixture.path)
            #expect(run.status == 1)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("realm: \(fixture.path): "))
            #expect(run.errors.contains("encrypted"))
            #expect(run.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test func itPrintsJSONAnyway() {
        guard let fixture = Fixture.inSchema else { return }
        #expect(ToolRun("dump", "--json", fixture.path).output == ToolRun("dump", fixture.path).output)
    }

    @Test func historyIsOnlyThereOnRequest() throws {
        guard let fixture = Fixture.all.first(where: { $0.name == "history" }) else { return }
        #expect(!ToolRun("dump", fixture.path).output.contains("\"history\""))
        #expect(ToolRun("dump", "--history", fixture.path).output.contains("\n],\n\"history\": [\n\""))
    }
}
