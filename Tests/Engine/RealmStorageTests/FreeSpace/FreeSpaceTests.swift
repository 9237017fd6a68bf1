// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// The reusable space of a commit, computed from lists (container 6.2, 6.6).
@Suite struct FreeSpaceTests {
    private static func block(_ range: Range<Ref>) -> FreeBlock {
        FreeBlock(position: range.lowerBound, length: range.upperBound - range.lowerBound)
    }

    private static func entry(_ range: Range<Ref>, _ freedBy: UInt64) -> FreeList.Entry {
        FreeList.Entry(block: block(range), freedBy: freedBy)
    }

    @Test func splitting() {
        let used = UsedSpace(free: [Self.block(40..<64), Self.block(64..<72), Self.block(96..<104)], logicalSize: 120)
        let (taken, unused) = used.split(Self.block(24..<160))
        #expect(taken == [Self.block(24..<40), Self.block(72..<96), Self.block(104..<120)])
        #expect(ByteRanges(unused) == ByteRanges([40..<72, 96..<104, 120..<160] as [Range<Ref>]))
        #expect(used.split(Self.block(48..<56)).used.isEmpty)
        #expect(used.split(Self.block(80..<88)).unused.isEmpty)
        #expect(used.split(Self.block(128..<136)).used.isEmpty)
        #expect(UsedSpace.everything.split(Self.block(24..<160)).used == [Self.block(24..<160)])
    }

    /// Random sets of used bytes of random versions. Unused bytes are reusable; all others name their newest user.
    @Test func everyByteIsDecidedByItsUsers() throws {
        var generator = SeededGenerator(for: "free space")
        for round in 0..<400 {
            let end = Ref(24 + 8 * 30)
            let reachable = Array(Set((0..<5).map { _ in UInt64(1 + generator.below(20)) })).sorted()
            let base = try #require(reachable.last)
            let users = reachable.map { _ in (0..<30).map { _ in generator.chance(40) } }
            let ends = reachable.map { _ in 24 + 8 * Ref(generator.below(31)) }
            let spaces = reachable.indices.map { index in
                let words = (0..<30).filter { !users[index][$0] }
                let free = ByteRanges(
                    words.map { word -> Range<Ref> in
                        let start: Ref = 24 + 8 * Ref(word)
                        return start..<start + 8
                    })
                let ranges = free.ranges.filter { $0.lowerBound < ends[index] }
                    .map { $0.lowerBound..<min($0.upperBound, ends[index]) }
                return UsedSpace(free: ranges.map(Self.block), logicalSize: ends[index])
            }
            func isUsed(_ word: Int, by index: Int) -> Bool {
                users[index][word] && 24 + 8 * Ref(word) < ends[index]
            }
            // A version after the last user frees each word.
            let entries = (0..<30).compactMap { word -> FreeList.Entry? in
                let last = reachable.indices.last { isUsed(word, by: $0) }.map { reachable[$0] } ?? 0
                guard last < base || generator.chance(50) else { return nil }
                let freedBy = last + 1 + UInt64(generator.below(3))
                let start = 24 + 8 * Ref(word)
                // An entry whose version follows a reachable one shows that the reachable one used it.
                let isClaim = reachable.contains(freedBy - 1) && last != freedBy - 1
                return last == base || isClaim ? nil : Self.entry(start..<start + 8, freedBy)
            }
            let space = FreeSpace(entries, reachable: reachable) { spaces[$0] }
            try withTrace("seed \(generator.seed), round \(round)") {
                let all = ByteRanges(space.reusable).union(ByteRanges(space.held.map { $0.block }))
                try requireEqual(all, ByteRanges(entries.map { $0.block }), "the blocks")
                try require(all.ranges.allSatisfy { $0.upperBound <= end }, "a block beyond the end")
                for entry in entries {
                    let word = Int(entry.block.position - 24) / 8
                    let user = reachable.indices.last { isUsed(word, by: $0) }
                    let found = space.held.first {
                        $0.block.position <= entry.block.position && entry.block.end <= $0.block.end
                    }
                    try requireEqual(found?.freedBy, user.map { reachable[$0] + 1 }, "the version of \(entry)")
                }
            }
        }
    }

    @Test func movingNodes() throws {
        var workload = Workload(SeededGenerator(for: "moving nodes"), size: 60)
        let test = try TestDatabase()
        for _ in 0..<80 { _ = try workload.commit(to: test.database) }
        for budget in [1, 7, 50, 10_000] {
            let snapshot = try test.database.snapshot()
            let text = try SnapshotText.lines(of: snapshot)
            let limit = snapshot.space.fileEnd / 4
            var moved = 0
            try withTrace("budget \(budget)") {
                var path: [Int] = []
                var isFinished = false
                var rounds = 0
                while !isFinished {
                    let transaction = try test.database.beginWrite()
                    var mover = NodeMover(
                        store: transaction.store, limit: limit, budget: .init(nodes: budget, bytes: .max), from: path)
                    try mover.run(&transaction.top.elements, [FileFormat.Top.names, FileFormat.Top.tables])
                    path = mover.path
                    isFinished = mover.isFinished
                    moved += mover.hasMoved ? 1 : 0
                    rounds += 1
                    try require(rounds < 20_000, "the scan does not end")
                    if budget > 1000 {
                        try transaction.commit()
                        // The only clean nodes above the limit are those that the commit placed there.
                        try requireEqual(try SnapshotText.lines(of: test.database.snapshot()), text, "the content")
                    } else {
                        transaction.rollback()
                    }
                }
                try require(budget < 1000 || rounds == 1, "\(rounds) rounds")
                try require(budget > 1000 || rounds > 1, "a budget of \(budget) was not kept")
            }
            #expect(moved > 0)
        }
        try test.close()
    }
}
