// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Random commits with random pinned versions compared with a model of the bytes that each version uses.
@Suite struct SpaceModelTests {
    private static var commits: Int { Settings.number("REGNUM_SPACE_COMMITS") ?? 250 }

    private struct Reader {
        let snapshot: Snapshot
        let bytes: NodeBytes
        /// The possible location of the next commit's record, which is pinned with the version.
        let place: ByteRanges

        init(_ snapshot: Snapshot) throws {
            self.snapshot = snapshot
            bytes = try NodeBytes(of: snapshot)
            let top = try snapshot.top.map { CommitRecord.place(behind: try snapshot.space.node($0.ref)) }
            place = ByteRanges([top].compactMap(\.self))
        }
    }

    /// With a small `slack`, the file shrinks sooner. With the standard slack, small files don't shrink.
    @Test(arguments: [1 << 20, 4096]) func heldBytesAreKeptAndAllOthersAreReusable(slack: Ref) throws {
        var generator = SeededGenerator(for: "space of readers, slack \(slack)")
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        let database = try Database(file: file, readOnly: false)
        database.spaceAccounting.shrinking.slack = slack
        if slack == 4096 { database.spaceAccounting.shrinking.memory = 2 }
        var workload = Workload(generator, size: 25)
        var readers: [Reader] = []
        var base = try database.snapshot()
        // The state that a crash may restore besides the base: the version before it, and the location of its record.
        var fallBack = ByteRanges([Range<Ref>]())
        var sizes: [Int] = []
        for round in 0..<SpaceModelTests.commits {
            try withTrace("seed \(generator.seed), round \(round)") {
                let before = try readers + [Reader(base)]
                try commit(&workload, database, &generator, isBulk: round % 60 == 20, isClearing: round % 60 == 40)
                let newest = try database.snapshot()
                try verify(newest, before, fallBack, file)
                if let last = before.last { fallBack = last.bytes.places.union(last.place) }
                readers = before.filter { _ in generator.chance(readers.count < 6 ? 80 : 40) }
                if generator.chance(70) { readers.removeAll { $0.snapshot === base } }
                base = newest
                if round % 50 == 0 { try audit(file) }
            }
            sizes.append(Int(base.space.fileEnd))
        }
        try Workload.verify(base)
        try audit(file)
        let cuts = zip(sizes, sizes.dropFirst()).count { $0 > $1 }
        #expect(slack > 4096 || cuts > 0)
        print("space of readers: \(cuts) cuts, at most \(sizes.max() ?? 0) bytes")
    }

    private func commit(
        _ workload: inout Workload, _ database: Database, _ generator: inout SeededGenerator, isBulk: Bool,
        isClearing: Bool
    ) throws {
        guard isBulk || isClearing else {
            _ = try workload.commit(to: database)
            return
        }
        try database.write { transaction in
            try workload.change(transaction)
            if isClearing, let table = try transaction.table(named: "class_Bulk") {
                return try transaction.schema.removeTable(table.key)
            }
            guard isBulk, try transaction.table(named: "class_Bulk") == nil else { return }
            let table = try transaction.schema.addTable("class_Bulk")
            let data = try transaction.schema.addColumn("data", .binary, to: table)
            for _ in 0..<generator.below(60) {
                let bytes = [UInt8](repeating: 7, count: generator.below(20_000))
                _ = try transaction.createObject(in: table, [data: .binary(bytes)])
            }
        }
    }

    private func verify(
        _ newest: Snapshot, _ readers: [Reader], _ fallBack: ByteRanges, _ file: DiskFile
    ) throws {
        let used = try NodeBytes(of: newest).places
        guard let base = readers.last else { return }
        let written = used.subtracting(base.bytes.places)
        var held = ByteRanges([Range<Ref>]())
        for reader in readers {
            let version = reader.snapshot.version
            try require(written.intersection(reader.bytes.places).isEmpty, "a byte of version \(version) was reused")
            try require(try NodeBytes(of: reader.snapshot) == reader.bytes, "version \(version) changed")
            try require(try file.size() >= Int(reader.snapshot.space.fileEnd), "version \(version) was cut off")
            held = held.union(reader.bytes.places)
        }
        try Workload.verify(newest)
        let entries = try newest.freeList().entries
        let free = ByteRanges(entries.map(\.block))
        try requireEqual(free.union(used).ranges, [24..<newest.space.fileEnd], "what nodes and free blocks cover")
        // Blocks used by readers and not by the newest version are held. Blocks of a state that a crash may restore,
        // and records, may be held. All other free blocks may be reused.
        let pending = ByteRanges(entries.filter { $0.freedBy > 0 }.map(\.block))
        try requireEqual(held.subtracting(used).subtracting(pending).ranges, [], "what readers use and is not held")
        let others = readers.reduce(fallBack) { $0.union($1.place) }
        try requireEqual(pending.subtracting(held).subtracting(others).ranges, [], "what is held for no reader")
        for entry in entries where entry.freedBy > 0 {
            let block = ByteRanges([entry.block])
            for reader in readers where reader.snapshot.version >= entry.freedBy {
                try require(block.intersection(reader.bytes.places).isEmpty, "\(entry) is in use after it was freed")
            }
        }
    }

    private func audit(_ file: DiskFile) throws {
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        try FileAudit.requireClean(bytes: bytes)
    }
}
