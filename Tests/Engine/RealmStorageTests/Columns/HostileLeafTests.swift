// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Damaged leaves cause errors or wrong values, but no traps.
struct HostileLeafTests {
    @Test(arguments: LeafSample.allCases)
    func randomDamage(sample: LeafSample) throws {
        var random = SeededGenerator(for: "hostile leaf \(sample)")
        for scale in 0..<40 {
            let images = try leafImages(sample, &random, scale)
            for _ in 0..<(Settings.isContinuousIntegration ? 25 : 10) { try attack(sample, images, &random) }
        }
    }

    /// Elements of 64 bytes, which otherwise only lists of names have, are read. They change their form when they are
    /// moved.
    @Test func wideElementsAreAppended() throws {
        let scratch = try ScratchStore()
        let element = [UInt8(ascii: "A")] + Array(repeating: 0, count: 62) + [62]
        let wide = try (element + element).withUnsafeBytes {
            try scratch.store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 64, count: 2)
        }
        var ref = try ColumnLeafEditor(scratch.store, .string).create(count: 1, default: .string("B"))
        try ColumnLeafEditor(scratch.store, .string).append(&ref, contentsOf: wide)
        let leaf = try ColumnLeaf(scratch.space, ref, .string)
        #expect(try (0..<leaf.count).map { try leaf.value(at: $0) } == [.string("B"), .string("A"), .string("A")])
    }

    /// The nodes of a valid leaf in file order, from offset 24. The last one is the root.
    private func leafImages(_ sample: LeafSample, _ random: inout SeededGenerator, _ scale: Int) throws -> [[UInt8]] {
        let scratch = try ScratchStore()
        var ref = try ColumnLeafEditor(scratch.store, sample.kind).create(
            count: 0, default: sample.isNullable ? .null : .int(0))
        for row in 0..<random.below(20) {
            let value = try sample.value(&random, scale: scale) { try scratch.store.create([$0]) }
            try ColumnLeafEditor(scratch.store, sample.kind).insert(&ref, at: row, value)
        }
        ref = try scratch.commit([ref])[ref]!
        return try scratch.committed.keys.sorted().map { Array(try scratch.space.node($0).image) }
    }

    private func attack(_ sample: LeafSample, _ images: [[UInt8]], _ random: inout SeededGenerator) throws {
        var images = images
        for _ in 0...random.below(3) {
            let node = random.below(images.count)
            let byte = random.below(images[node].count)
            switch random.below(3) {
            case 0: images[node][byte] ^= 1 << UInt8(random.below(8))
            case 1: images[node][byte] = .random(in: 0...255, using: &random)
            default: images[node][byte] &+= 1
            }
        }
        let scratch = try ScratchStore()
        var ref: Ref = 0
        for image in images { ref = try scratch.place(image) }
        scratch.reopen()
        guard let leaf = try? ColumnLeaf(scratch.space, ref, sample.kind) else { return }
        for row in 0..<min(leaf.count, 1000) {
            _ = try? leaf.value(at: row)
            _ = try? leaf.isNull(at: row)
        }
        try change(scratch, ref, sample, leaf.count, &random)
    }

    private func change(
        _ scratch: ScratchStore, _ root: Ref, _ sample: LeafSample, _ count: Int, _ random: inout SeededGenerator
    ) throws {
        guard count < 10_000 else { return }
        for _ in 0..<4 {
            scratch.reopen()
            var ref = root
            let row = random.below(count + 1)
            let value = try sample.value(&random, scale: random.below(7)) { try scratch.store.create([$0]) }
            do {
                switch random.below(5) {
                case 0: try ColumnLeafEditor(scratch.store, sample.kind).insert(&ref, at: row, value)
                case 1: try ColumnLeafEditor(scratch.store, sample.kind).set(&ref, at: row, value)
                case 2: try ColumnLeafEditor(scratch.store, sample.kind).erase(&ref, range: row..<count)
                case 3: _ = try ColumnLeafEditor(scratch.store, sample.kind).moveSuffix(&ref, from: row)
                default:
                    var other = try ColumnLeafEditor(scratch.store, sample.kind).create(
                        count: 0, default: sample.isNullable ? .null : .int(0))
                    try ColumnLeafEditor(scratch.store, sample.kind).insert(&other, at: 0, value)
                    try ColumnLeafEditor(scratch.store, sample.kind).append(&other, contentsOf: ref)
                }
            } catch is StorageError {}
        }
    }
}
