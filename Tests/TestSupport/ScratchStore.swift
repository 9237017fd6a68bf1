// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A write transaction over an unnamed file, for tests of the layers above nodes and below commits.
///
/// `commit` moves dirty nodes into the file, so that copy-on-write is tested too: the file is mapped read-only, and a
/// write to a committed node crashes. `reopen` drops dirty nodes and restarts from the committed ones.
package final class ScratchStore {
    package private(set) var store: NodeStore
    private let file: DiskFile
    private let mapping: FileMapping
    private let capacities: (tree: Int, cluster: Int)
    private var end: Ref = 24
    package private(set) var committed: [Ref: Int] = [:]

    package init(
        treeCapacity: Int = FileFormat.treeNodeCapacity, clusterCapacity: Int = FileFormat.clusterCapacity
    ) throws {
        file = try DiskFile.anonymous(in: TemporaryFolder.base)
        mapping = try file.map(fileWindow: 1 << 32, slabWindow: 1 << 32)
        capacities = (treeCapacity, clusterCapacity)
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: end, writable: true))
        reopen()
    }

    package var space: NodeSpace { store.space }

    package func reopen() {
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: end, writable: true))
        store.treeCapacity = capacities.tree
        store.clusterCapacity = capacities.cluster
    }

    package func place(_ image: [UInt8]) throws -> Ref {
        let ref = end
        let padded = image + Array(repeating: 0, count: -image.count & 7)
        end += Ref(padded.count)
        committed[ref] = padded.count
        try file.resize(to: Int(end))
        try padded.withUnsafeBytes { try file.write($0, at: Int(ref)) }
        return ref
    }

    /// Moves the trees below `roots` into the file and restarts. Returns the new ref of each moved node.
    package func commit(_ roots: [Ref]) throws -> [Ref: Ref] {
        var moved: [Ref: Ref] = [:]
        var live: [Ref: Int] = [:]
        for root in roots where root != 0 { _ = try move(root, &moved, &live) }
        committed = live
        reopen()
        return moved
    }

    /// Moves the only tree into the file, after verifying that exactly its lost nodes were freed.
    package func commit(_ root: inout Ref) throws {
        try verifyFreed([root])
        root = try commit([root])[root] ?? root
    }

    package struct Mark { fileprivate let committed: [Ref: Int] }

    package var mark: Mark { Mark(committed: committed) }

    package func restore(_ mark: Mark) {
        committed = mark.committed
        reopen()
    }

    /// Throws unless the committed nodes that aren't below `roots` are those that were freed, each once and with its
    /// whole length (container 6.3).
    package func verifyFreed(_ roots: [Ref]) throws {
        var reached: Set<Ref> = []
        for root in roots where root != 0 { try reach(root, &reached) }
        var freed: Set<Ref> = []
        for block in store.freed {
            try require(freed.insert(block.position).inserted, "the node at \(block.position) was freed twice")
            try require(!reached.contains(block.position), "the node at \(block.position) was freed but is in use")
            try requireEqual(Int(block.length), committed[block.position], "the length of the node freed")
        }
        for ref in committed.keys where !reached.contains(ref) {
            try require(freed.contains(ref), "the node at \(ref) is out of use but was not freed")
        }
    }

    private func reach(_ ref: Ref, _ reached: inout Set<Ref>) throws {
        try require(reached.insert(ref).inserted, "the node at \(ref) has two parents")
        let node = try space.node(ref)
        guard node.header.hasRefs else { return }
        for element in node.elements() where element != 0 && element & 1 == 0 {
            try reach(Ref(bitPattern: Int(element)), &reached)
        }
    }

    private func move(_ ref: Ref, _ moved: inout [Ref: Ref], _ live: inout [Ref: Int]) throws -> Ref {
        let node = try space.node(ref)
        var image = Array(node.image)
        image.replaceSubrange(0..<4, with: repeatElement(0x41, count: 4))
        var changed = false
        if node.header.hasRefs {
            var elements = node.elements()
            for (index, element) in elements.enumerated() where element != 0 && element & 1 == 0 {
                elements[index] = Int64(try move(Ref(bitPattern: Int(element)), &moved, &live))
                changed = changed || elements[index] != element
            }
            if changed { image = ScratchStore.image(of: elements, flags: node.header.flags) }
        }
        if !space.isDirty(ref), !changed {
            live[ref] = node.header.byteCount
            return ref
        }
        let new = try place(image)
        moved[ref] = new
        live[new] = image.count
        return new
    }

    /// The image of a node of refs: of 32 bits, or of 64 if a tagged integer among them needs it.
    private static func image(of elements: [Int64], flags: UInt8) -> [UInt8] {
        let isNarrow = elements.allSatisfy { Int32(exactly: $0) != nil }
        var bytes = [UInt8](repeating: 0x41, count: 4)
        let header = UInt32(flags | (isNarrow ? 6 : 7)) << 24 | UInt32(elements.count)
        bytes += withUnsafeBytes(of: header.bigEndian) { Array($0) }
        for element in elements {
            bytes += withUnsafeBytes(of: element.littleEndian) { Array($0.prefix(isNarrow ? 4 : 8)) }
        }
        return bytes + Array(repeating: 0, count: -bytes.count & 7)
    }
}
