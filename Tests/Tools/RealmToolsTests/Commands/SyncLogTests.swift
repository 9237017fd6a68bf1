// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSync
import RealmTestSupport
import SyncTestSupport
import TestTraits
import Testing

/// The commands on synchronised files of the original's client.
@Suite struct SyncLogTests {
    static let files = Fixtures.names(in: "sync/files").filter { !$0.hasPrefix("users-") }

    private static func path(_ name: String) throws -> String {
        Fixtures.path("sync/files/\(name).realm")
    }

    @Test(arguments: files) func everyFileIsReadAndClean(_ name: String) throws {
        let path = try Self.path(name)
        let check = ToolRun("check", path)
        #expect(check.status == 0, "\(check.output)")
        let log = ToolRun("sync-log", "--forms", path)
        #expect(log.status == 0, "\(log.errors)")
        #expect(!log.output.contains("bad changeset"))
        let json = ToolRun("sync-log", "--json", path)
        let versions = try JSONDecoder().decode([LoggedVersion].self, from: Data(json.output.utf8))
        #expect(versions.count == log.output.split(separator: "\n").count { $0.hasPrefix("version ") })
        #expect(ToolRun("dump", "--history", path).status == 0)
        #expect(ToolRun("info", "--json", path).output.contains("\"synchronisation\":{\"fileIdent\":"))
    }

    @Test func theLogIsForPeople() throws {
        let log = ToolRun("sync-log", try Self.path("pbs-pending")).output
        #expect(log.contains("version 12  2026-11-26T"))
        #expect(log.contains("  here, server version 2, to upload\n  AddInteger Person[1].age +5\n"), "\(log)")
        let forms = ToolRun("sync-log", "--forms", try Self.path("pbs-merged")).output
        #expect(forms.contains("  after merges:\n    ArrayInsert Person[1].tags[0] of 3 = \"from b\"\n"), "\(forms)")
        #expect(forms.contains("file 2, server version 4\n"))
    }

    private struct LoggedVersion: Decodable, Equatable {
        let version: UInt64
        let originFile: UInt64
        let serverVersion: UInt64
        let toUpload: Bool
        let instructions: [String]
        let afterMerges: [String]?
    }

    @Test func theLogIsForProgramsToo() throws {
        let pending = ToolRun("sync-log", "--json", try Self.path("pbs-pending")).output
        let versions = try JSONDecoder().decode([LoggedVersion].self, from: Data(pending.utf8))
        #expect(
            versions.contains(
                LoggedVersion(
                    version: 12, originFile: 0, serverVersion: 2, toUpload: true,
                    instructions: ["AddInteger Person[1].age +5"], afterMerges: nil)), "\(pending)")
        let merged = ToolRun("sync-log", "--json", "--forms", try Self.path("pbs-merged")).output
        let forms = try JSONDecoder().decode([LoggedVersion].self, from: Data(merged.utf8)).compactMap(\.afterMerges)
        #expect(forms.contains { $0.contains("ArrayInsert Person[1].tags[0] of 3 = \"from b\"") }, "\(merged)")
    }

    /// Until August 2022, clients stored all changesets that they integrated together in one version.
    @Test(.behaviour("V02")) func severalChangesetsOfOneVersionAreRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/old.realm"
        let fixture = try Self.path("pbs-merged")
        try FileManager.default.copyItem(atPath: fixture, toPath: path)
        var (changesets, reciprocals): ([StoredValue], [StoredValue]) = ([], [])
        do {
            let history = try #require(try StoredHistory(Database.open(fixture, readOnly: true).snapshot()))
            try history.forEachEntry(in: 0..<history.count) { _, entry in
                let bytes = try entry.changeset()
                changesets.append(bytes.isEmpty ? .null : .binary(entry.originIdent == 0 ? bytes : bytes + bytes))
                reciprocals.append(try entry.reciprocal().map { .binary($0) } ?? .null)
                return true
            }
        }
        try OldHistory(changesets: changesets, reciprocals: reciprocals).write(to: path)
        let check = ToolRun("check", path)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        func versions(_ path: String) throws -> [LoggedVersion] {
            let log = ToolRun("sync-log", "--json", path)
            #expect(log.status == 0, "\(log.errors)")
            return try JSONDecoder().decode([LoggedVersion].self, from: Data(log.output.utf8))
        }
        let (before, after) = (try versions(fixture), try versions(path))
        #expect(before.contains { $0.originFile != 0 } && before.count == after.count)
        for (one, other) in zip(before, after) {
            #expect(other.instructions == one.instructions + (one.originFile == 0 ? [] : one.instructions))
        }
    }

    @Test func infoReportsTheProgress() throws {
        let info = ToolRun("info", try Self.path("pbs-merged")).output
        for line in [
            "client file     3", "entries         3 after version 8, ",
            "downloaded      server version 4 of 4, with client version 2",
            "uploaded        client version 7, with server version 3", "to upload       2 changesets, 76 bytes",
        ] {
            #expect(info.contains(line), "\(line) in \(info)")
        }
        #expect(!info.contains("1003"), "the salt is a secret")
    }

    @Test func aLocalFileHasNoLog() throws {
        let path = Fixtures.path("sync/files/users-metadata.realm")
        let log = ToolRun("sync-log", path)
        #expect(log.status == 1)
        #expect(log.errors.contains("has no history of a synchronised Realm"))
    }

    @Test func damagedFilesEndInErrors() throws {
        var generator = SeededGenerator(for: "damagedFilesEndInErrors")
        let folder = try TemporaryFolder()
        let path = folder.path + "/damaged.realm"
        for name in ["pbs-merged", "pbs-pending"] {
            let bytes = Array(try #require(FileManager.default.contents(atPath: try Self.path(name))))
            for _ in 0..<60 {
                var damaged = bytes
                for _ in 0..<1 + generator.below(4) {
                    damaged[24 + generator.below(bytes.count - 24)] = UInt8(generator.below(256))
                }
                #expect(FileManager.default.createFile(atPath: path, contents: Data(damaged)))
                for command in ["sync-log", "info", "check"] { #expect(ToolRun(command, path).status <= 1) }
            }
        }
    }

    /// Impossible cursors: the download cursor is in slot 5 of the history's root.
    @Test func anImpossibleCursorIsFound() throws {
        var bytes = Array(try #require(FileManager.default.contents(atPath: try Self.path("pbs-merged"))))
        let place = 0x7B0 + 8 + 5 * 4
        try #require(Array(bytes[place..<place + 4]) == [9, 0, 0, 0])
        bytes[place] = 11
        let folder = try TemporaryFolder()
        let path = folder.path + "/bad.realm"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        let check = ToolRun("check", path)
        #expect(check.status == 1)
        #expect(check.output.contains("a download cursor at 5, beyond the latest server version 4"), "\(check.output)")
    }

    @Test func aBadChangesetIsFound() throws {
        var bytes = Array(try #require(FileManager.default.contents(atPath: try Self.path("pbs-merged"))))
        let changeset: [UInt8] = [0x01, 0x20, 0x3F, 0x00, 0x06]
        let places = bytes.indices.dropLast(5).filter { Array(bytes[$0..<$0 + 5]) == changeset }
        for place in places { bytes[place + 2] = 0x3E }
        #expect(!places.isEmpty)
        let folder = try TemporaryFolder()
        let path = folder.path + "/bad.realm"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        let check = ToolRun("check", path)
        #expect(check.status == 1)
        #expect(check.output.contains("history: version 9: bad changeset at byte 0: there is no instruction 62"))
        #expect(ToolRun("sync-log", path).output.contains("bad changeset at byte 0"))
    }
}
