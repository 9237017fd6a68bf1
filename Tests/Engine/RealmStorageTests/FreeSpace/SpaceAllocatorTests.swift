// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct SpaceAllocatorTests {
    private static let section = Ref(FileFormat.sectionByteCount)

    private func requireTiling(_ blocks: [FreeBlock], _ range: Range<Ref>) throws {
        var end = range.lowerBound
        for block in blocks.sorted(by: { $0.position < $1.position }) {
            try requireEqual(block.position, end, "the next block")
            try require(block.length > 0 && block.length % 8 == 0, "a block of \(block.length) bytes")
            end = block.end
        }
        try requireEqual(end, range.upperBound, "the end")
    }

    /// Allocated and remaining blocks tile the file, and no block crosses a section boundary (container 6.4).
    @Test func randomAllocations() throws {
        var generator = SeededGenerator(for: "allocator")
        for round in 0..<200 {
            // Free blocks with used gaps between them, some across section boundaries.
            var free: [FreeBlock] = []
            var used: [FreeBlock] = []
            var position: Ref = 24
            for _ in 0..<generator.below(30) {
                let big = generator.chance(10)
                let gap = FreeBlock(position: position, length: 8 * Ref(1 + generator.below(big ? 9_000_000 : 50)))
                let block = FreeBlock(position: gap.end, length: 8 * Ref(1 + generator.below(big ? 9_000_000 : 200)))
                used.append(gap)
                free.append(block)
                position = block.end
            }
            if position == 24 { used = [] }
            var allocator = SpaceAllocator(
                reusable: free, logicalSize: position, unit: generator.pick([8, 8, 4096]),
                reserve: generator.pick([0, 5000, 65_536]), isDiskFull: generator.chance(30))
            try withTrace("seed \(generator.seed), round \(round)") {
                for _ in 0..<generator.below(80) {
                    let big = generator.chance(3)
                    let size = 8 * (1 + generator.below(big ? 8_000_000 : generator.pick([4, 100, 2000])))
                    let expected = generator.chance(30) ? size + generator.below(100_000) : size
                    let place = try allocator.allocate(size, expected: expected)
                    used.append(FreeBlock(position: place, length: Ref(size)))
                    let last = place + Ref(size) - 1
                    try require(place / Self.section == last / Self.section, "\(size) bytes at \(place) straddle")
                }
                if generator.chance(50) { try allocator.fillReserve(to: 65_536) }
                let left = allocator.remaining()
                try requireTiling(used + left, 24..<allocator.logicalSize)
                try require(
                    allocator.logicalSize == position || allocator.logicalSize % 4096 == 0, "a size of no whole pages")
            }
        }
    }

    @Test func freeBlocksAreUsedFirst() throws {
        let blocks = [FreeBlock(position: 24, length: 72), FreeBlock(position: 200, length: 800)]
        var allocator = SpaceAllocator(reusable: blocks, logicalSize: 1000)
        #expect(try allocator.allocate(800, expected: 800) == 200)
        #expect(try allocator.allocate(72, expected: 72) == 24)
        #expect(allocator.logicalSize == 1000)
        #expect(try allocator.allocate(8, expected: 8) == 1000)
        #expect(allocator.logicalSize > 1000)
    }

    /// A commit that fits into no block starts with a large one and continues with smaller ones.
    @Test func largeBlocksAreUsedFirstWhenNoBlockHoldsAll() throws {
        var free = (0..<100).map { FreeBlock(position: 1000 + 200 * Ref($0), length: 96) }
        free.append(FreeBlock(position: 40_000, length: 9600))
        free.append(FreeBlock(position: 60_000, length: 4800))
        var allocator = SpaceAllocator(reusable: free, logicalSize: 70_000)
        let places = try (0..<250).map { try allocator.allocate(96, expected: (250 - $0) * 96) }
        #expect(places[..<100].elementsEqual(stride(from: 40_000, to: 49_600, by: 96)))
        #expect(places[100..<150].elementsEqual(stride(from: 60_000, to: 64_800, by: 96)))
        #expect(places[150...].elementsEqual(free[..<100].map(\.position)))
        #expect(allocator.logicalSize == 70_000)
    }

    /// If whole pages are written, free whole pages are used first. Other space is used before the file grows.
    @Test func wholeUnitsAreUsedFirst() throws {
        let blocks = [FreeBlock(position: 4096, length: 4000), FreeBlock(position: 10_000, length: 12_288)]
        var allocator = SpaceAllocator(reusable: blocks, logicalSize: 24_576, unit: 4096)
        #expect(try allocator.allocate(96, expected: 4000) == 12_288)
        #expect(try allocator.allocate(3904, expected: 3904) == 12_384)
        #expect(allocator.remaining().map(\.position).sorted() == [4096, 10_000, 16_288])
        #expect(try allocator.allocate(4000, expected: 4000) == 4096)
        #expect(try allocator.allocate(2288, expected: 2288) == 10_000)
        #expect(allocator.logicalSize == 24_576)
    }

    /// The reserve is cut from the smallest suitable block, stays free while the file grows, and is completed at the
    /// end.
    @Test func theReserveStaysFree() throws {
        let blocks = [FreeBlock(position: 24, length: 4000), FreeBlock(position: 8192, length: 1000)]
        var allocator = SpaceAllocator(reusable: blocks, logicalSize: 12_288, reserve: 1000)
        #expect(try allocator.allocate(4000, expected: 4000) == 24)
        #expect(try allocator.allocate(96, expected: 96) == 12_288)
        #expect(allocator.remaining().contains(blocks[1]))
        try allocator.fillReserve(to: 1000)
        #expect(allocator.logicalSize == 24_576)
        try allocator.fillReserve(to: 65_536)
        #expect((65_536...81_920).contains(allocator.logicalSize))
        #expect(allocator.remaining().reduce(0) { $0 + $1.length } >= 65_536)
    }

    /// In encrypted files, parts of pages aren't reserved.
    @Test func theReserveConsistsOfWholeUnits() throws {
        let blocks = [FreeBlock(position: 24, length: 8000), FreeBlock(position: 10_000, length: 12_288)]
        var allocator = SpaceAllocator(reusable: blocks, logicalSize: 24_576, unit: 4096, reserve: 8192)
        #expect(allocator.remaining().contains(FreeBlock(position: 12_288, length: 8192)))
        #expect(try allocator.allocate(4072, expected: 4072) == 24)
        try requireTiling(
            allocator.remaining() + [FreeBlock(position: 24, length: 4072), FreeBlock(position: 8024, length: 1976)]
                + [FreeBlock(position: 22_288, length: 2288)], 24..<24_576)
    }

    /// Without space for a large step, a file grows by the minimum. A full disk is an error.
    @Test func growthFollowsTheDisk() throws {
        let full = SystemError("fallocate", path: "", number: ENOSPC)
        var allocator = SpaceAllocator(reusable: [], logicalSize: 1 << 20) { size in
            if size > 1 << 20 + 8192 { throw full }
        }
        #expect(try allocator.allocate(5000, expected: 5000) == 1 << 20)
        #expect(allocator.logicalSize == 1 << 20 + 8192)
        #expect(throws: SystemError.self) { try allocator.allocate(5000, expected: 5000) }
    }

    /// A damaged file may lead to a node twice, which would then be allocated twice.
    @Test func aNodeFreedTwiceForbidsTheCommit() throws {
        try TestDatabase.using { test in
            try test.write { _ = try $0.schema.addTable("class_Thing") }
            let transaction = try test.database.beginWrite()
            _ = try transaction.schema.addTable("class_Other")
            let history = try transaction.top.history()
            try transaction.store.free(history)
            #expect(throws: StorageError.self) { try transaction.commit() }
            try test.write { _ = try $0.schema.addTable("class_Other") }
        }
    }

    @Test func mergedEntriesAreSortedAndJoinedByStanding() {
        func entry(_ position: Ref, _ length: Ref, _ freedBy: UInt64) -> FreeList.Entry {
            FreeList.Entry(block: FreeBlock(position: position, length: length), freedBy: freedBy)
        }
        let merged = FreeList.merged([
            entry(64, 8, 0), entry(24, 16, 0), entry(40, 24, 0), entry(72, 8, 5), entry(96, 8, 5),
        ])
        #expect(merged == [entry(24, 48, 0), entry(72, 8, 5), entry(96, 8, 5)])
    }
}
