// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@Suite struct ArgumentTests {
    @Test(arguments: [
        [], ["dump"], ["check"], ["nonsense"], ["nonsense", "a.realm"], ["dump", "a.realm", "b.realm"],
        ["dump", "--swift", "a.realm"], ["schema", "--history", "a.realm"], ["--foo"],
    ])
    func wrongUsageIsExplained(_ arguments: [String]) {
        let run = ToolRun(arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains("Usage: realm"))
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["help"], ["help", "check"], ["check", "--help"], ["--version"], ["dump", "-h"],
    ])
    func helpExitsWithSuccess(_ arguments: [String]) {
        let run = ToolRun(arguments)
        #expect(run.status == 0)
        #expect(!run.output.isEmpty)
        #expect(run.errors == "")
    }

    @Test func absentFilesAreRefused() throws {
        let folder = try TemporaryFolder()
        for command in ["info", "schema", "dump", "check"] {
            let absent = ToolRun(command, folder.path + "/absent.realm")
            #expect(absent.status == 1)
            #expect(absent.errors.contains("/absent.realm: "))
            #expect(absent.errors.contains("No such file"))
            #expect(ToolRun(command, folder.path).status == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: ["in-schema", "write-copy", "empty"]) func filesStayAsTheyAre(_ name: String) throws {
        guard let fixture = Fixture.all.first(where: { $0.name == name }) else { return }
        let folder = try TemporaryFolder()
        let path = try fixture.copy(into: folder)
        // If the file isn't writable, a successful command can't have written.
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        for arguments in [["info"], ["info", "--json"], ["schema"], ["schema", "--swift"], ["dump"], ["check"]] {
            #expect(ToolRun(arguments + [path]).status == 0)
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == fixture.bytes())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name + ".realm"])
    }

    @Test func textThatCannotBeWrittenIsAnError() throws {
        guard let fixture = Fixture.inSchema else { return }
        struct Full: Error {}
        var errors = ""
        let status = RealmToolRun.failing(["dump", fixture.path], with: Full()) { errors += $0 }
        #expect(status == 1)
        #expect(errors.hasPrefix("realm: standard output: "))
    }
}
