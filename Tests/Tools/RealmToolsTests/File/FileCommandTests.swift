// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmTools

/// Commands that create files or change them as a whole: `keygen`, `copy`, `compact`, `upgrade`; and `stats`.
@Suite struct FileCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Returns the content of the file, without the parts that a copy changes.
    private func tables(_ path: String, _ key: String...) -> Substring {
        let dump = ToolRun(["dump", path] + key).output
        return dump.range(of: "\"tables\": [").map { dump[$0.lowerBound...] } ?? ""
    }

    /// A file of `count` objects; all but every tenth were deleted.
    private func sparse(_ count: Int) throws -> String {
        let path = path("sparse.realm")
        let database = try Database.open(path)
        try database.write { write in
            let dog = try write.schema.addTable("class_Dog")
            let name = try write.schema.addColumn("name", .string, .indexed, to: dog)
            for number in 0..<count { _ = try write.createObject(in: dog, [name: .string("dog \(number)")]) }
        }
        try database.write { write in
            let dog = try #require(try write.table(named: "class_Dog"))
            let keys = try (0..<count).map { try dog.clusters.position(at: $0) }.map { $0.leaf.key(at: $0.row) }
            try write.removeObjects(keys.enumerated().filter { $0.offset % 10 != 0 }.map(\.element), from: dog.key)
        }
        return path
    }

    /// No pin protects the version of a file that no program has open.
    @Test func aCommitWhileAnIdleFileIsReadIsNoticed() throws {
        let source = try sparse(10)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "sparse.realm" {
            try FileManager.default.removeItem(atPath: path(name))
        }
        let opened = try OpenFile(source, cipher: nil)
        try opened.verifyUnmoved()
        try Database.open(source).write { _ = try $0.schema.addTable("class_Cat") }
        let error = #expect(throws: StorageError.self) { try opened.verifyUnmoved() }
        #expect(error?.message.contains("another process has written to the file") == true)
        let writer = try Database.open(source)
        let pinned = try OpenFile(source, cipher: nil)
        try writer.write { _ = try $0.schema.addTable("class_Bird") }
        try pinned.verifyUnmoved()
    }

    @Test func keysAreMadeAndUsed() throws {
        let digits = ToolRun("keygen").output
        #expect(digits.count == 129)
        #expect(digits != ToolRun("keygen").output)
        #expect(ToolRun("keygen", "--json").output.hasPrefix("{\"key\":\""))
        let key = path("key")
        #expect(ToolRun("keygen", key).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: key)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect((attributes[.size] as? NSNumber)?.intValue == 64)
        let again = ToolRun("keygen", key)
        #expect(again.status == 1)
        #expect(again.errors.contains("there is a file already"))
    }

    @Test func copiesAreEncryptedReencryptedAndDecrypted() throws {
        let source = try sparse(1000)
        let before = tables(source)
        let (one, two) = (path("one"), path("two"))
        _ = (ToolRun("keygen", one), ToolRun("keygen", two))
        let (first, second, plain) = (path("1.realm"), path("2.realm"), path("3.realm"))
        #expect(ToolRun("copy", source, first, "--new-key-file", one).status == 0)
        #expect(ToolRun("copy", first, second, "--key-file", one, "--new-key-file", two).status == 0)
        #expect(ToolRun("copy", second, plain, "--key-file", two, "--decrypt").status == 0)
        #expect(tables(first, "--key-file", one) == before)
        #expect(tables(second, "--key-file", two) == before)
        #expect(tables(plain) == before)
        #expect(ToolRun("info", second, "--key-file", one).status == 1)
        #expect(ToolRun("check", "--strict", second, "--key-file", two).status == 0)
        let kept = path("4.realm")
        #expect(ToolRun("copy", first, kept, "--key-file", one).output.hasSuffix("encrypted\n"))
        #expect(ToolRun("info", kept).status == 1)
        let refused = ToolRun("copy", source, plain)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("3.realm: there is a file already"))
        #expect(ToolRun("copy", source, path("5"), "--decrypt", "--new-key-file", one).status == 2)
    }

    @Test func compactionKeepsTheContentAndMakesTheFileSmaller() throws {
        let source = try sparse(4000)
        let before = (try Images.read(source).count, tables(source))
        let run = ToolRun("compact", source, "--json")
        #expect(run.status == 0)
        #expect(run.output.contains("\"bytesBefore\":\(before.0)"))
        #expect(try Images.read(source).count < before.0 / 2)
        #expect(tables(source) == before.1)
        #expect(ToolRun("check", "--strict", source).status == 0)
    }

    @Test func aFileThatIsInUseOrMissingOrOlderIsNotCompacted() throws {
        let source = try sparse(100)
        let database = try Database.open(source)
        let held = try database.snapshot()
        let run = ToolRun("compact", source)
        #expect(run.status == 1)
        #expect(run.errors.contains("open"))
        withExtendedLifetime(held) {}
        #expect(ToolRun("compact", path("none.realm")).errors.contains("No such file"))
        #expect(!FileManager.default.fileExists(atPath: path("none.realm")))
    }

    @Test(arguments: Fixture.old.prefix(6)) func olderFilesAreUpgraded(_ fixture: Fixture) throws {
        let source = try fixture.copy(into: folder)
        let refused = ToolRun("compact", source)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("realm upgrade"))
        #expect(try Images.read(source) == fixture.bytes())
        let run = ToolRun("upgrade", source, "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"format\":24"))
        #expect(run.output.contains(".backup.realm\""))
        #expect(ToolRun("check", "--strict", source).status == 0)
        #expect(ToolRun("upgrade", source).output.contains("is of format 24 already"))
        let copy = path("copy.realm")
        #expect(ToolRun("copy", fixture.path, copy).status == 0)
        #expect(ToolRun("info", copy).output.contains("format          24,"))
    }

    @Test func noBackupIsMadeOnRequest() throws {
        guard let fixture = Fixture.old.first else { return }
        let source = try fixture.copy(into: folder)
        #expect(ToolRun("upgrade", source, "--no-backup").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains("backup") })
    }

    @Test func statisticsAddUp() throws {
        let source = try sparse(2000)
        let opened = try OpenFile(source, cipher: nil)
        var looked = 0
        let statistics = try SpaceStatistics(opened) { looked += $0 }
        let work = try SpaceStatistics.work(on: opened)
        #expect(work / 2...work ~= looked, "\(looked) of \(work)")
        let dog = try #require(statistics.tables.first { $0.name == "Dog" })
        #expect(dog.objectCount == 200)
        #expect(dog.columns.map(\.name) == ["name"])
        #expect(dog.indexes.map(\.name) == ["name"])
        #expect(dog.indexes[0].byteCount > 0 && dog.columns[0].byteCount > 0)
        #expect(dog.columns[0].byteCount + dog.indexes[0].byteCount + dog.otherByteCount == dog.byteCount)
        #expect(dog.fill > 0 && dog.fill < 1)
        #expect(statistics.freeByteCount > 0)
        let used = statistics.tables.reduce(0) { $0 + $1.byteCount } + statistics.otherByteCount
        #expect(used + statistics.freeByteCount == statistics.logicalByteCount)
        // Names, lists of free blocks, and the history are small.
        #expect(statistics.otherByteCount < 2000)
        #expect(ToolRun("stats", source).output.contains("index of name"))
    }

    @Test(arguments: Fixture.readable) func statisticsOfEveryFixture(_ fixture: Fixture) throws {
        let run = ToolRun("stats", "--json", fixture.path)
        #expect(run.status == 0)
        #expect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) is [String: Any])
        for command in [["schema"], ["check"]] {
            let run = ToolRun(command + ["--json", fixture.path])
            _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        }
    }
}
