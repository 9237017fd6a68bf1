// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmTools

/// Salvage of damaged files, which loses only the damaged parts.
///
/// `REGNUM_FUZZ_COUNT` sets the number of damaged copies of each small fixture; `REGNUM_SEED` repeats a run, and
/// `REGNUM_TOOL` is a program of the tool to run.
@Suite struct SalvageTests {
    private static let count = min(Settings.number("REGNUM_FUZZ_COUNT") ?? 6, 200)
    private static let small = Fixture.readable.filter { (try? $0.bytes().count) ?? .max < 70 * 1024 }

    private struct Report: Decodable {
        struct Table: Decodable {
            let table: String
            let saved: Int
            let refused: Int
        }
        let saved: Int
        let madeUpNames: Bool
        let lostTables: [String]
        let tables: [Table]

        init(_ output: String) throws { self = try JSONDecoder().decode(Report.self, from: Data(output.utf8)) }

        var names: [String] { tables.map(\.table) }
    }

    /// Returns the number of objects that `export` reads: of the whole file if possible, otherwise of each readable
    /// class.
    private static func readable(_ path: String, _ classes: [String]) -> Int {
        let whole = exported(path, [])
        return whole ?? classes.reduce(0) { $0 + (exported(path, [$1]) ?? 0) }
    }

    private static func exported(_ path: String, _ classes: [String]) -> Int? {
        let run = ToolRun(["export", path] + classes + ["--format", "jsonl"])
        return run.status == 0 ? run.output.utf8.count { $0 == UInt8(ascii: "\n") } - 1 : nil
    }

    @Test(arguments: small) func aSoundFileIsSavedWhole(_ fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let out = folder.path + "/out.realm"
        let run = ToolRun("salvage", fixture.path, out)
        // A single file, as a user expects.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.realm"])
        #expect(ToolRun("check", "--strict", out).status == 0, "\(ToolRun("check", "--strict", out).output)")
        // Only links to missing objects aren't copied to the new file.
        guard fixture.name != "tombstones" else { return }
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(ToolRun("diff", fixture.path, out).output == "")
    }

    /// The other pages of an encrypted file can be read without the first one, like those of a plain file.
    @Test(arguments: [4096, 0]) func anEncryptedFileIsSavedWithoutItsFirstSector(_ offset: Int) throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == "many-objects" }) ?? Fixture.inSchema else {
            return
        }
        let folder = try TemporaryFolder()
        let (path, out) = (folder.path + "/a.realm", folder.path + "/b.realm")
        #expect(ToolRun("copy", fixture.path, path, "--new-key", Fixture.keyDigits).status == 0)
        let expected = try Report(ToolRun("salvage", fixture.path, folder.path + "/c.realm", "--json").output)
        var bytes = try Images.read(path)
        // The first page, or the entries of eight pages including it.
        for place in offset..<offset + 512 { bytes[place] ^= UInt8(truncatingIfNeeded: place &* 37 | 1) }
        try Images.write(bytes, to: path)
        let refused = ToolRun("info", path, "--key", Fixture.keyDigits)
        #expect(refused.status == 1, "\(refused.output)")
        let run = ToolRun("salvage", path, out, "--key", Fixture.keyDigits, "--json")
        let report = try Report(run.output)
        #expect(report.saved > 0 && report.saved <= expected.saved, "\(run.output)\(run.errors)")
        #expect(ToolRun("check", "--strict", out, "--key", Fixture.keyDigits).status == 0)
        let other = ToolRun("salvage", path, folder.path + "/d.realm", "--key", String(Fixture.keyDigits.reversed()))
        #expect(other.status == 1 && other.errors.contains("the encryption key is not the file's"), "\(other.errors)")
    }

    /// The first sector of a compact copy has the names of its classes.
    @Test(arguments: ["in-schema", "all-types", "links"], [false, true])
    func aCompactCopyIsSavedWithoutItsFirstSector(_ name: String, isEncrypted: Bool) throws {
        let fixture = try #require(Fixture.readable.first { $0.name == name })
        let folder = try TemporaryFolder()
        let (path, out) = (folder.path + "/a.realm", folder.path + "/b.realm")
        let key = isEncrypted ? ["--key", Fixture.keyDigits] : []
        let newKey = isEncrypted ? ["--new-key", Fixture.keyDigits] : []
        #expect(ToolRun(["copy", fixture.path, path] + newKey).status == 0)
        let whole = try Report(ToolRun("salvage", fixture.path, folder.path + "/c.realm", "--json").output)
        var bytes = try Images.read(path)
        let start = isEncrypted ? 4096 : 0
        for place in start..<start + 512 { bytes[place] ^= UInt8(truncatingIfNeeded: place &* 37 | 1) }
        try Images.write(bytes, to: path)
        let run = ToolRun(["salvage", path, out, "--json"] + key)
        let report = try #require(try? Report(run.output), "\(run.errors)")
        #expect(run.status == 1 && report.madeUpNames)
        // Only the small tables in that sector are lost, because the columns of a lost table are unknown.
        let lost = try report.lostTables.map { try #require(Int($0.dropFirst("class_Table".count))) }
        let kept = whole.tables.indices.filter { !lost.contains($0) }
        #expect(lost.count <= 2 && report.tables.map(\.saved) == kept.map { whole.tables[$0].saved }, "\(run.output)")
        #expect(ToolRun(["check", "--strict", out] + key).status == 0)
    }

    @Test(arguments: small) func damagedFilesAreSavedAsFarAsTheyCanBe(_ fixture: Fixture) throws {
        var mutator = FileMutator(seed: FileMutator.seed)
        let folder = try TemporaryFolder()
        let bytes = try fixture.bytes()
        let whole = try Report(ToolRun("salvage", fixture.path, folder.path + "/whole.realm", "--json").output)
        var (saved, readable, refused) = (0, 0, 0)
        for number in 0..<Self.count {
            let (path, out) = (folder.path + "/damaged.realm", folder.path + "/\(number).realm")
            let damaged = mutator.mutated(bytes)
            try Images.write(damaged, to: path)
            let run = ToolRun("salvage", path, out, "--json")
            try #require(run.status == 0 || run.status == 1, "\(fixture.name), mutant \(number)")
            #expect(try Images.read(path) == damaged)
            guard FileManager.default.fileExists(atPath: out) else {
                #expect(run.errors.filter { $0 == "\n" }.count == 1)
                refused += 1
                continue
            }
            let report = try Report(run.output)
            saved += report.saved
            let read = Self.readable(path, whole.names)
            readable += read
            // At least the objects that other commands read, except contradictory ones.
            #expect(
                report.saved + report.tables.reduce(0) { $0 + $1.refused } >= read,
                "\(fixture.name), mutant \(number) of seed \(FileMutator.seed): \(read) can be read; \(run.output)")
            let check = ToolRun("check", out)
            #expect(check.status == 0, "\(fixture.name), mutant \(number) of seed \(FileMutator.seed): \(check.output)")
        }
        print(
            "\(fixture.name): of \(whole.saved) objects in each of \(Self.count) damaged copies \(readable) can be read,"
                + " \(saved) of \(whole.saved * Self.count) are saved, \(refused) copies are unreadable")
    }

    /// Without a schema version, the table `metadata` isn't recognised, so the rest is saved without it.
    @Test(arguments: ["v24/in-schema", "older/v2/scalars", "older/v9/primary-keys"])
    func aSchemaVersionWhoseNameIsDamagedIsLost(_ name: String) throws {
        var bytes = try Images.read(Fixtures.path(name + ".realm"))
        let word = Array("version\0".utf8)
        let places = stride(from: 24, through: bytes.count - 8, by: 8).filter { Array(bytes[$0..<$0 + 8]) == word }
        #expect(!places.isEmpty)
        for place in places { bytes[place] = UInt8(ascii: "r") }
        let folder = try TemporaryFolder()
        let (path, out) = (folder.path + "/a.realm", folder.path + "/b.realm")
        try Images.write(bytes, to: path)
        #expect(ToolRun("check", path).status == 1)
        let report = try Report(ToolRun("salvage", path, out, "--json").output)
        #expect(report.lostTables == ["metadata"] && report.saved > 0, "\(report)")
        let check = ToolRun("check", "--strict", out)
        #expect(check.status == 0, "\(check.output)")
    }

    /// Neither of the header's versions can be read, so the newest version in the file is found.
    @Test func theHeaderIsLost() throws {
        guard let fixture = Fixture.inSchema else { return }
        let folder = try TemporaryFolder()
        let path = try fixture.copy(into: folder) { for index in 0..<24 { $0[index] = 0 } }
        let out = folder.path + "/out.realm"
        #expect(ToolRun("info", path).status == 1)
        let run = ToolRun("salvage", path, out)
        #expect(run.output.contains("saved "), "\(run.errors)")
        #expect(ToolRun("diff", fixture.path, out).output == "")
    }

    @Test(arguments: small.filter { $0.name != "tombstones" })
    func allTopArraysAreLost(_ fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let whole = try Report(ToolRun("salvage", fixture.path, folder.path + "/whole.realm", "--json").output)
        if whole.names.isEmpty { return }
        let image = try SalvageImage(of: fixture.path, cipher: nil, Progress("", .bytes, Terminal()))
        let tops = try image.candidates()
        guard let named = try image.namedRef else { return }
        let path = try fixture.copy(into: folder) { bytes in
            for ref in tops + [named] { for index in 0..<8 { bytes[Int(ref) + index] = 0 } }
        }
        let out = folder.path + "/out.realm"
        #expect(ToolRun("info", path).status == 1)
        let run = ToolRun("salvage", path, out)
        #expect(run.status == 1 && run.output.contains("saved "), "\(run.output)\(run.errors)")
        #expect(ToolRun("diff", fixture.path, out).output == "")
        #expect(ToolRun("check", "--strict", out).status == 0)
    }

    /// The second half is missing.
    @Test(arguments: ["in-schema", "all-types"]) func aFileThatWasCut(_ name: String) throws {
        guard let fixture = Fixture.readable.first(where: { $0.name == name }) else { return }
        let folder = try TemporaryFolder()
        let path = try fixture.copy(into: folder) { $0.removeSubrange(($0.count / 2)...) }
        let run = ToolRun("salvage", path, folder.path + "/out.realm")
        #expect(run.status == 1)
        print("\(name), cut in half: \(run.output)\(run.errors)")
    }

    /// Only the pages whose authentication codes don't match are lost.
    @Test(arguments: Fixture.encrypted) func damagedPagesOfEncryptedFiles(_ fixture: Fixture) throws {
        let folder = try TemporaryFolder()
        let path = try fixture.copy(into: folder) { bytes in
            if bytes.count > 5 * 4096 { bytes[bytes.count - 4096 + 17] ^= 1 }
        }
        let out = folder.path + "/out.realm"
        let run = ToolRun(["salvage", path, out] + fixture.keyArguments)
        guard run.output.contains("saved ") else {
            // The page of the only version of the file.
            #expect(run.errors.filter { $0 == "\n" }.count == 1)
            return
        }
        #expect(ToolRun(["check", out] + fixture.keyArguments).status == 0)
    }

    @Test func otherFilesAreRejected() throws {
        let folder = try TemporaryFolder()
        for bytes in [[], [1, 2, 3], Array(repeating: 0x41, count: 5000)] as [[UInt8]] {
            try Images.write(bytes, to: folder.path + "/x")
            let run = ToolRun("salvage", folder.path + "/x", folder.path + "/out.realm")
            #expect(run.status == 1)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/out.realm"))
        }
    }
}
