// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@Suite struct CheckCommandTests {
    @Test(arguments: Fixture.readable, [false, true]) func fixturesAreClean(_ fixture: Fixture, isStrict: Bool) {
        let run = ToolRun(["check", fixture.path] + (isStrict ? ["--strict"] : []))
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("\(fixture.path): ok: format "))
        #expect(run.output.filter { $0 == "\n" }.count == 1)
        #expect(run.errors == "")
    }

    @Test func closingLineCounts() throws {
        guard let fixture = Fixture.inSchema else { return }
        let line = "\(fixture.path): ok: format 24, version 5, 8 tables, 651 objects, 1216 nodes\n"
        #expect(ToolRun("check", fixture.path).output == line)
    }

    @Test func violationsHaveOneLineEach() throws {
        guard let fixture = Fixture.all.first(where: { $0.name == "links" }) else { return }
        let folder = try TemporaryFolder()
        // A byte of a dictionary's second key, which is now sorted before the first.
        let path = try fixture.copy(into: folder) { $0[14_697] = 0x30 }
        let run = ToolRun("check", path)
        let text = "@14672: 2:7.6 M39: class_Mourner.dictionary: dictionary keys are not strictly ascending"
        #expect(run.status == 1)
        #expect(run.output == "\(path): \(text)\n")
        #expect(run.errors == "")
    }

    @Test func otherFilesAreReportedAsUnreadable() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/no.realm"
        let contents = ["", "no database at all", String(repeating: "x", count: 4096)]
        for content in contents {
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            for command in ["info", "schema", "dump", "check"] {
                let run = ToolRun(command, path)
                #expect(run.status == 1)
                #expect(run.output == "")
                #expect(run.errors.hasPrefix("realm: \(path): not a Realm file"))
            }
        }
    }

    @Test func otherFormatsAreNamed() throws {
        let folder = try TemporaryFolder()
        guard let fixture = Fixture.inSchema else { return }
        let path = try fixture.copy(into: folder) { ($0[20], $0[21]) = (25, 25) }
        #expect(ToolRun("info", path).errors.contains("format 25"))
        let run = ToolRun("check", path)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("unsupported format 25"))
    }

    /// Such a check creates no file of pins, so it needs no space.
    @Test(arguments: [false, true]) func aFullDiskCanBeChecked(_ isEncrypted: Bool) throws {
        guard let volume = try SmallVolume("tmpfs") else { return Skip.report("no tmpfs can be mounted") }
        guard let fixture = Fixture.inSchema else { return }
        let path = volume.path + "/a.realm"
        let key = isEncrypted ? ["--key", Fixture.keyDigits] : []
        let newKey = isEncrypted ? ["--new-key", Fixture.keyDigits] : []
        #expect(ToolRun(["copy", fixture.path, path] + newKey).status == 0)
        // The lock file of an earlier opening, without the folder of pins.
        _ = try SessionLock.acquire(forDatabase: path)
        try? FileManager.default.removeItem(atPath: path + ".management")
        volume.fill()
        let run = ToolRun(["check", "--strict", path] + key)
        #expect(run.status == 0 && run.output.hasPrefix("\(path): ok: "), "\(run.output)\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: path + ".management/regnum.write"))
    }
}
