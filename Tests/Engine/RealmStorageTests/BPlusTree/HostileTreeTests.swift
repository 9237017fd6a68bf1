// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Damaged trees cause errors or wrong elements, but no traps and no reads out of bounds.
struct HostileTreeTests {
    @Test(arguments: [LeafKind.int, .key, .string])
    func randomDamage(kind: LeafKind) throws {
        var random = SeededGenerator(for: "hostile tree \(kind)")
        for count in [1, 3, 4, 10, 17, 40] {
            for build in TreeFixture.Build.allCases {
                let bench = try TreeFixture(kind, capacity: 3, count: count, build)
                try bench.commit()
                // The last one is the root.
                let images = try bench.scratch.committed.keys.sorted().map {
                    Array(try bench.scratch.space.node($0).image)
                }
                for _ in 0..<(Settings.isContinuousIntegration ? 120 : 40) { try attack(kind, images, &random) }
            }
        }
    }

    private func attack(_ kind: LeafKind, _ images: [[UInt8]], _ random: inout SeededGenerator) throws {
        let scratch = try ScratchStore()
        var root: Ref = 0
        for image in images.randomlyDamaged(by: &random) { root = try scratch.place(image) }
        scratch.reopen()
        guard let tree = try? BPlusTree(scratch.space, root, kind) else { return }
        let packed = PackedTree(tree)
        for index in 0..<min(tree.count, 60) {
            // If one path meets damage, the other may still find the element.
            guard let number = packed?.element(at: index) else { continue }
            switch try? tree.value(at: index) {
            case .int(let expected): try requireEqual(number, expected, "number \(index)")
            case .link(let key): try requireEqual(number, key.rawValue, "key \(index)")
            default: break
            }
        }
        _ = packed?.element(at: .max)
        try searchGuided(tree)
        if kind == .string { try findEntries(tree, scratch) }
    }

    private func findEntries(_ keys: BPlusTree, _ scratch: ScratchStore) throws {
        var root = try BPlusTreeEditor(scratch.store, .mixed).create()
        for number in 0..<min(keys.count, 100) {
            try BPlusTreeEditor(scratch.store, .mixed).insert(&root, at: number, .int(Int64(number)))
        }
        let values = try BPlusTree(scratch.space, root, .mixed)
        let fenceIndex = FenceKeyIndex()
        for number in 0..<180 {
            let key = String(repeating: "s", count: number / 3 % 20) + "\(number / 3)"
            guard case .present(let leaf, let row)? = try? keys.entry(of: key, by: fenceIndex, in: values) else {
                continue
            }
            _ = try? leaf.value(at: row)
        }
    }

    /// Fence keys built from damaged nodes may be wrong, but the elements found through them exist.
    private func searchGuided(_ tree: BPlusTree) throws {
        let fenceIndex = FenceKeyIndex()
        for number in stride(from: Int64(-500), to: 1500, by: 19) {
            let value: StoredValue =
                switch tree.kind {
                case .string: .string(String(repeating: "s", count: Int(abs(number)) % 20) + "\(abs(number) / 20)")
                case .key: .link(ObjectKey(abs(number)))
                default: .int(number)
                }
            guard let place = try? tree.place(of: value, by: fenceIndex), place.isFound else { continue }
            try requireEqual(
                try ColumnLeaf(tree.space, place.leaf, tree.kind).value(at: place.row), value, "what is found")
        }
    }

    /// The count of a node of raw bytes is a byte count. Read as a branch, the node would end far after its last byte.
    @Test func branchesHoldPackedElements() throws {
        let scratch = try ScratchStore()
        let bytes = [UInt8](repeating: 1, count: 8192)
        let flags = NodeHeader.Flags.inner | NodeHeader.Flags.hasRefs | NodeHeader.Flags.blob
        let header: [UInt8] = [0x41, 0x41, 0x41, 0x41, flags | 7, 0, 0x20, 0]
        let root = try scratch.place(header + bytes)
        scratch.reopen()
        #expect(throws: StorageError.self) { try scratch.space.node(root) }
        #expect(scratch.space.nodeOrNil(root) == nil)
        #expect(throws: StorageError.self) { try BPlusTree(scratch.space, root, .int) }
    }
}

extension [[UInt8]] {
    func randomlyDamaged(by random: inout SeededGenerator) -> [[UInt8]] {
        var images = self
        for _ in 0...random.below(3) {
            let node = random.below(count)
            let byte = random.below(images[node].count)
            switch random.below(3) {
            case 0: images[node][byte] ^= 1 << UInt8(random.below(8))
            case 1: images[node][byte] = .random(in: 0...255, using: &random)
            default: images[node][byte] &+= 1
            }
        }
        return images
    }
}
