// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Trees whose branches lead to one node repeatedly, so that a few kilobytes claim to be too much to walk.
@Suite struct HostileDiffTests {
    private let scratch: ScratchStore

    init() throws { scratch = try ScratchStore() }

    private func place(_ elements: [Int64], flags: UInt8) throws -> Ref {
        var bytes = [UInt8](repeating: 0x41, count: 4)
        bytes += withUnsafeBytes(of: (UInt32(flags | 6) << 24 | UInt32(elements.count)).bigEndian) { Array($0) }
        for element in elements { bytes += withUnsafeBytes(of: Int32(element).littleEndian) { Array($0) } }
        return try scratch.place(bytes)
    }

    private static let branch = NodeHeader.Flags.inner | NodeHeader.Flags.hasRefs

    private func table(depth: Int) throws -> Table {
        var ref = try place([Tagged.encode(256)], flags: NodeHeader.Flags.hasRefs)
        for level in 1...depth {
            let children = [Int64](repeating: Int64(ref), count: 256)
            ref = try place([0, Tagged.encode(level), Tagged.encode(1000)] + children, flags: Self.branch)
        }
        scratch.reopen()
        let table = Table(space: scratch.space, key: TableKey(0), name: "class_Main", kind: .topLevel)
        table.clusterRoot = ref
        return table
    }

    private func expectCorrupt(_ body: () throws -> Void) {
        let error = #expect(throws: StorageError.self) { try body() }
        #expect(error?.code == .invalidDatabase)
    }

    @Test func clustersWithoutEnd() throws {
        let (a, b) = (try table(depth: 4), try table(depth: 4))
        expectCorrupt { _ = try TableDiff(from: a, to: b) }
        expectCorrupt { _ = try TableDiff(from: b, to: b, isOneFile: false) }
        expectCorrupt { _ = try TableDiff(from: nil, to: b) }
        expectCorrupt { _ = try TableDiff(from: b, to: nil) }
        #expect(try TableDiff(from: b, to: b).isEmpty)
        let (low, same) = (try table(depth: 1), try table(depth: 1))
        #expect(try TableDiff(from: low, to: same).isEmpty)
    }

    @Test func keysOutOfOrder() throws {
        let keys = try place([3, 1, 2], flags: 0)
        let leaf = try place([Int64(keys)], flags: NodeHeader.Flags.hasRefs)
        scratch.reopen()
        let table = Table(space: scratch.space, key: TableKey(0), name: "class_Main", kind: .topLevel)
        table.clusterRoot = leaf
        expectCorrupt { _ = try TableDiff(from: nil, to: table) }
        expectCorrupt { _ = try TableDiff(from: table, to: nil) }
    }

    private func list(levels: Int, _ first: Int64) throws -> Ref {
        var ref = try place([first] + [Int64](repeating: 7, count: 999), flags: 0)
        var count = 1000
        for _ in 0..<levels {
            let children = [Int64](repeating: Int64(ref), count: 1000)
            let total = min(count * 1000, 1 << 29)
            ref = try place([Tagged.encode(count)] + children + [Tagged.encode(total)], flags: Self.branch)
            count = total
        }
        scratch.reopen()
        return ref
    }

    @Test func listsWithoutEnd() throws {
        let (a, b) = (try list(levels: 2, 1), try list(levels: 2, 2))
        let trees = (try BPlusTree(scratch.space, a, .int), try BPlusTree(scratch.space, b, .int))
        expectCorrupt { _ = try CollectionDiff(from: trees.0, to: trees.1) }
        // A million elements encoded in one leaf can be walked.
        let (c, d) = (try list(levels: 1, 1), try list(levels: 1, 2))
        let small = (try BPlusTree(scratch.space, c, .int), try BPlusTree(scratch.space, d, .int))
        #expect(try CollectionDiff(from: small.0, to: small.1)?.modifications.count == 1000)
    }

    @Test func nestingWithoutEnd() throws {
        func leaf(of inner: Ref, count: Int) throws -> Ref {
            let descriptors = try place(
                (0..<count).map { _ in MixedDescriptor(.list, .refs, 0).rawValue }, flags: 0)
            let refs = try place([Int64(inner)], flags: NodeHeader.Flags.hasRefs)
            return try place(
                [Int64(descriptors), 0, 0, 0, Int64(refs), 0], flags: NodeHeader.Flags.hasRefs)
        }
        func tower(_ height: Int) throws -> Ref {
            var ref = try leaf(of: 0, count: 1)
            for _ in 0..<height { ref = try leaf(of: ref, count: 1000) }
            scratch.reopen()
            return ref
        }
        for height in [6, 98, 200] {
            let (a, b) = (try tower(height), try tower(height))
            let trees = (try BPlusTree(scratch.space, a, .mixed), try BPlusTree(scratch.space, b, .mixed))
            expectCorrupt { _ = try CollectionDiff(from: trees.0, to: trees.1) }
        }
        let (a, b) = (try tower(1), try tower(1))
        let trees = (try BPlusTree(scratch.space, a, .mixed), try BPlusTree(scratch.space, b, .mixed))
        #expect(try CollectionDiff(from: trees.0, to: trees.1) == nil)
    }
}
