// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// A compacting process that is killed at random moments. `REGNUM_KILLS` sets the number of kills.
@Suite(.serialized) struct CompactKillTests {
    private static let bulk = "class_Bulk"
    private static let bulkCount = 60

    private func makeFile(_ path: String, _ cipher: QuickCipher?) throws {
        let database = try Database.open(path, cipher: cipher)
        try database.write { transaction in
            let table = try transaction.schema.addTable(CompactKillTests.bulk)
            let data = try transaction.schema.addColumn("data", .binary, to: table)
            for number in 0..<CompactKillTests.bulkCount {
                _ = try transaction.createObject(in: table, [data: .binary(CompactKillTests.bytes(number))])
            }
        }
        var workload = Workload(SeededGenerator(seed: 5), size: 20)
        for _ in 0..<3 { _ = try workload.commit(to: database) }
    }

    private static func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 50_000) }

    private func verify(_ snapshot: Snapshot) throws {
        try Workload.verify(snapshot)
        let table = try #require(try snapshot.table(named: CompactKillTests.bulk))
        let column = try #require(table.column(named: "data"))
        try requireEqual(try table.count(), CompactKillTests.bulkCount, "the large objects")
        for number in 0..<CompactKillTests.bulkCount {
            let value = try table.value(column, at: table.clusters.position(at: number))
            try require(value == .binary(CompactKillTests.bytes(number)), "the large object \(number)")
        }
    }

    /// The name refers to the whole old or new file, with every commit that returned. The next opening removes other
    /// leftovers.
    @Test(arguments: [false, true]) func killedCompactions(isEncrypted: Bool) throws {
        var generator = SeededGenerator(for: "killed compactions, \(isEncrypted)")
        let cipher = isEncrypted ? QuickCipher() : nil
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        try makeFile(path, cipher)
        var (version, leftovers, replaced) = (try Database.open(path, cipher: cipher).version, 0, 0)
        let kills = Settings.number("REGNUM_KILLS") ?? 15
        for kill in 0..<kills {
            let before = try identity(path)
            let seed = "\(generator.next())"
            let child = try ChildProcess((isEncrypted ? ["--encrypted"] : []) + ["compact", path, seed])
            Thread.sleep(forTimeInterval: Double(generator.below(400)) / 1000)
            // The kill cut off the last line.
            let lines = try child.kill().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            try withTrace("seed \(generator.seed), kill \(kill)") {
                let reported = lines.last.flatMap { UInt64($0) } ?? version
                if Folder.holds(path + Database.compactionSuffix) { leftovers += 1 }
                if try identity(path) != before { replaced += 1 }
                try FileAudit.requireClean(
                    bytes: try cipher.map { try Images.decrypted(path, $0) } ?? Images.read(path),
                    isDecrypted: isEncrypted, strict: false)
                let database = try Database.open(path, cipher: cipher)
                try require((reported...reported + 1).contains(database.version), "version \(database.version)")
                version = database.version
                try verify(database.snapshot())
                try FileAudit.requireClean(path: path, cipher: cipher)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                try requireEqual(names, ["test.realm", "test.realm.lock", "test.realm.management"], "what is left")
            }
        }
        print("compaction: \(kills) kills, \(leftovers) in the middle of it, \(replaced) after one; version \(version)")
        #expect(leftovers + replaced > 0)
    }

    private func identity(_ path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
    }

    /// Leftovers of dead processes are removed while others have the file open, except during a possible compaction.
    @Test func leftoversAreRemovedDuringASession() throws {
        let test = try TestDatabase()
        // A file without a version has to be completed, for which an opening would wait for the writer.
        try test.write { _ = try $0.schema.addTable("class_A") }
        let name = test.path + Database.compactionSuffix
        try Images.write([1, 2, 3], to: name)
        let transaction = try test.database.beginWrite()
        do {
            let other = try Database.open(test.path)
            #expect(Folder.holds(name))
            withExtendedLifetime(other) {}
        }
        transaction.rollback()
        do {
            let reader = try Database.open(test.path, readOnly: true)
            #expect(Folder.holds(name))
            withExtendedLifetime(reader) {}
        }
        do {
            let other = try Database.open(test.path)
            #expect(!Folder.holds(name))
            withExtendedLifetime(other) {}
        }
        try test.close()
    }
}
