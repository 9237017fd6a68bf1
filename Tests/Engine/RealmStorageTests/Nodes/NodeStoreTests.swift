// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Nodes in the slab: copy on write, growth in place, recycling.
@Suite struct NodeStoreTests {
    private static let fillers: [UInt8] = Array(repeating: 0xEE, count: 4096)

    private func blob(_ store: NodeStore, _ bytes: [UInt8]) throws -> Ref {
        try bytes.withUnsafeBytes { try store.create(bytes: $0) }
    }

    private func bytes(_ store: NodeStore, _ ref: Ref) throws -> [UInt8] { Array(try store.space.blob(ref).bytes) }

    /// A damaged file may have any ref.
    @Test(arguments: [Ref(1) << 62, Ref.max & ~7, 7 << 40])
    func aRefAfterTheSlabIsNotABlock(_ ref: Ref) throws {
        let scratch = try ScratchStore()
        #expect(throws: StorageError.self) { try scratch.store.free(ref) }
    }

    /// Every way to cut a committed blob short, with a neighbour in the slab that must stay unchanged.
    @Test func splicingACommittedBlobKeepsItsNeighbours() throws {
        let scratch = try ScratchStore()
        let content = (0..<200).map { UInt8($0) }
        let moved = try scratch.commit([try blob(scratch.store, content)])
        let base = try #require(moved.values.first)
        for start in stride(from: 0, through: 200, by: 7) {
            for end in stride(from: start, through: 200, by: 13) {
                for added in [0, 1, 30, 300] {
                    scratch.reopen()
                    // Recycled blocks of every size class below the blob's, each next to a neighbour.
                    var small: [Ref] = []
                    var neighbours: [Ref] = []
                    for size in stride(from: 8, through: 256, by: 8) {
                        small.append(try blob(scratch.store, Array(NodeStoreTests.fillers[..<size])))
                        neighbours.append(try blob(scratch.store, [1, 2, 3, 4, 5, 6, 7, 8]))
                    }
                    for ref in small { try scratch.store.free(ref) }
                    var ref = base
                    let count = 200 - (end - start) + added
                    try NodeStoreTests.fillers[..<added].withUnsafeBytes {
                        try scratch.store.splice(&ref, start..<end, with: $0, count: count)
                    }
                    let expected = content[..<start] + NodeStoreTests.fillers[..<added] + content[end...]
                    try requireEqual(try bytes(scratch.store, ref), Array(expected), "\(start)..<\(end) + \(added)")
                    for neighbour in neighbours {
                        try requireEqual(try bytes(scratch.store, neighbour), [1, 2, 3, 4, 5, 6, 7, 8], "a neighbour")
                    }
                    try requireEqual(try bytes(scratch.store, base), content, "the committed blob")
                }
            }
        }
    }

    private static let edges: [Int64] =
        [0, 1, 2, 3, 4, 15, 16, 127, 128, -1, -128, -129, 32_767, 32_768, -32_768, -32_769]
        + [Int64(Int32.max), Int64(Int32.max) + 1, Int64(Int32.min), Int64(Int32.min) - 1, .max, .min]

    @Test func elementsAllAtOnce() throws {
        let scratch = try ScratchStore()
        for largest in NodeStoreTests.edges {
            let usable = NodeStoreTests.edges.filter {
                PackedWidth.minimal(for: $0) <= PackedWidth.minimal(for: largest)
            }
            for count in [1, 2, 3, 7, 8, 9, 64, 1000] {
                let values = (0..<count).map { $0 == count / 2 ? largest : usable[$0 % usable.count] }
                let node = try scratch.store.node(try scratch.store.create(values))
                try requireEqual(node.elements(), values, "the elements beside \(largest)")
                try requireEqual(PackedWidth.minimal(for: values), node.width, "the width")
                let (header, payload) = NodeWriter.pack(values, flags: NodeHeader.Flags.plain, width: node.width)
                try requireEqual(header.bits, node.header.bits, "the header")
                try requireEqual(payload, Array(node.bytes.prefix(payload.count)), "the payload beside \(largest)")
            }
        }
        try requireEqual(PackedWidth.minimal(for: []), 0, "the width of nothing")
    }

    @Test func packedElementsWidenInPlace() throws {
        let scratch = try ScratchStore()
        try withEvery("old", in: NodeStoreTests.edges) { old in
            let values = [old, 0, 1, old, 0, 1, 1, 0, old]
            let committed = try scratch.commit([try scratch.store.create(values)]).values.first ?? 0
            try withEvery("new", in: NodeStoreTests.edges) { new in
                try withEvery("index", in: 0...values.count) { index in
                    try withEvery("dirty", in: [true, false]) { isDirty in
                        scratch.reopen()
                        let start = isDirty ? try scratch.store.create(values) : committed
                        var (ref, expected) = (start, values)
                        expected.insert(new, at: index)
                        try scratch.store.insert(&ref, index, new)
                        try requireEqual(try scratch.space.integers(ref).elements(), expected, "after insertion")
                        let last = min(index, values.count - 1)
                        try scratch.store.set(&ref, last, new)
                        expected[last] = new
                        try requireEqual(try scratch.space.integers(ref).elements(), expected, "after replacement")
                        try scratch.store.remove(&ref, index)
                        expected.remove(at: index)
                        try requireEqual(try scratch.space.integers(ref).elements(), expected, "after removal")
                        try scratch.store.truncate(&ref, to: 2)
                        let two = try scratch.space.integers(ref).elements()
                        try requireEqual(two, Array(expected[..<2]), "after truncation")
                    }
                }
            }
            try requireEqual(try scratch.space.integers(committed).elements(), values, "the committed array")
        }
    }

    @Test func sizeClassesHoldTheRequestedSize() throws {
        let scratch = try ScratchStore()
        let spans = try (0..<2000).map { size in
            let ref = try blob(scratch.store, Array(repeating: 7, count: size))
            return ref..<ref + Ref(try scratch.space.node(ref).header.byteCount)
        }
        for (left, right) in zip(spans, spans.dropFirst()) {
            try require(left.upperBound <= right.lowerBound, "blocks \(left) and \(right) overlap")
        }
    }

    @Test func nodesOfSixtyFourMebibytesAreRefused() throws {
        let scratch = try ScratchStore()
        #expect(throws: StorageError.self) { try scratch.store.create(width: 64, count: 1 << 23) }
        #expect(throws: StorageError.self) { try scratch.store.create(width: 1, count: 1 << 24) }
        _ = try scratch.store.create(width: 64, count: 1 << 23 - 2)
    }
}
