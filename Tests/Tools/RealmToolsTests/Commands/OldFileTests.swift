// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

/// The commands on files of older formats, without an upgrade.
@Suite struct OldFileTests {
    private static func tables(_ dump: String) throws -> [Substring] {
        let start = try #require(dump.range(of: "\"tables\": ["))
        // The sequence is informative.
        return dump[start.lowerBound...].split(separator: "\n").filter { !$0.hasPrefix(" \"sequence\":") }
    }

    private static func format(_ bytes: [UInt8]) -> UInt8 { bytes[20 + Int(bytes[23] & 1)] }

    @Test(arguments: Fixture.old) func theDumpEqualsThatOfTheUpgradedFile(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        let run = ToolRun("dump", fixture.path)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("\"formatVersion\":\(Self.format(bytes))"))
        // An upgrade empties asymmetric tables. The file itself still has their objects.
        if fixture.name == "downgrade_asymmetric" {
            #expect(run.output.contains("{\"k\":0,\"v\":[1]}"))
        } else {
            #expect(try Self.tables(run.output) == Self.tables(fixture.json()))
        }
        #expect(try fixture.bytes() == bytes)
    }

    @Test(arguments: Fixture.old) func theUpgradedFileHasTheSameDump(_ fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let path = try fixture.copy(into: folder)
        _ = try Database.open(path)
        let run = ToolRun("dump", path)
        #expect(try Self.tables(run.output) == Self.tables(fixture.json()))
        #expect(run.output.contains("\"formatVersion\":24"))
        #expect(ToolRun("check", "--strict", path).status == 0)
    }

    @Test(arguments: Fixture.old) func theOtherCommandsWork(_ fixture: Fixture) throws {
        let format = try Self.format(fixture.bytes())
        #expect(ToolRun("info", fixture.path).output.contains("format          \(format), "))
        #expect(ToolRun("check", "--strict", fixture.path).output.contains(": ok: format \(format), "))
        #expect(ToolRun("schema", fixture.path).status == 0)
    }

    @Test func synchronisedFilesAreRead() throws {
        let fixture = Fixture(name: "test_flx_metadata_tables_v1", folder: "upstream")
        guard SharedFiles.folder(.upstream) != nil else { return }
        #expect(ToolRun("dump", fixture.path).output.contains("\"historyType\":\"syncClient\""))
        #expect(ToolRun("info", fixture.path).output.contains("of a synchronised Realm (type 3, schema 12)"))
        #expect(ToolRun("check", fixture.path).status == 0)
    }

    @Test(arguments: ["dump", "info", "schema", "check"])
    func anUnknownFormatIsRefused(_ command: String) throws {
        let fixture = Fixture(name: "test_upgrade_database_1000_1", folder: "upstream")
        guard SharedFiles.folder(.upstream) != nil else { return }
        let folder = try TemporaryFolder()
        let run = ToolRun(command, try fixture.copy(into: folder) { ($0[20], $0[21]) = (1, 1) })
        #expect(run.status == 1)
        #expect(run.errors.contains("format 1"))
    }

    @Test(arguments: ["4_10_to_11", "4_23"]) func filesOfTestBuildsAreRefused(_ name: String) {
        let fixture = Fixture(name: "test_upgrade_database_" + name, folder: "upstream")
        guard SharedFiles.folder(.upstream) != nil else { return }
        #expect(ToolRun("dump", fixture.path).errors.contains("test build"))
        #expect(ToolRun("check", fixture.path).output.contains("test build"))
    }

    @Test(.behaviour("V04"), arguments: [[], ["--json"]]) func theUpgradeOfAFileWithoutACommitIsReported(
        _ options: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        _ = try Database.open(path)
        let bytes = try Images.read(path)
        let run = ToolRun(["upgrade", path] + options)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        if options.isEmpty {
            let text =
                "nothing was committed to it yet, so there is nothing to upgrade; its first commit makes it one of"
            #expect(run.output == "\(path): \(text) format 24\n")
        } else {
            #expect(run.output.contains("\"copy\":null") && !run.output.contains("\"format\":24"), "\(run.output)")
        }
        #expect(try Images.read(path) == bytes)
    }
}
