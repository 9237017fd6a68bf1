// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A write transaction over a file without a name, for tests of what lies above nodes and below commits.
///
/// `commit` moves dirty nodes into the file, so that copy-on-write is tested too: the file is mapped read-only, and
/// whoever writes to a committed node crashes.
package final class ScratchStore {
    package private(set) var store: NodeStore
    private let file: DiskFile
    private let mapping: FileMapping
    private var end: Ref = 24
    /// The nodes in the file and their lengths.
    package private(set) var committed: [Ref: Int] = [:]

    package init() throws {
        file = try DiskFile.anonymous(in: "/tmp")
        mapping = try file.map(fileWindow: 1 << 32, slabWindow: 1 << 32)
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: end, writable: true))
    }

    package var space: NodeSpace { store.space }

    /// Writes the image of one node, header included, and returns its ref.
    package func place(_ image: [UInt8]) throws -> Ref {
        let ref = end
        let padded = image + Array(repeating: 0, count: -image.count & 7)
        end += Ref(padded.count)
        committed[ref] = padded.count
        try file.resize(to: Int(end))
        try padded.withUnsafeBytes { try file.write($0, at: Int(ref)) }
        return ref
    }

    /// Begins anew on what is in the file.
    package func reopen() {
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: end, writable: true))
    }

    /// Moves the trees below `roots` into the file and begins anew. Returns the new ref of each node that moved.
    package func commit(_ roots: [Ref]) throws -> [Ref: Ref] {
        // Committed nodes that nothing leads to any more are of no interest to what follows.
        var moved: [Ref: Ref] = [:]
        var live: [Ref: Int] = [:]
        for root in roots where root != 0 { _ = try move(root, &moved, &live) }
        committed = live
        reopen()
        return moved
    }

    private func move(_ ref: Ref, _ moved: inout [Ref: Ref], _ live: inout [Ref: Int]) throws -> Ref {
        let node = try space.node(ref)
        var image = Array(node.image)
        image.replaceSubrange(0..<4, with: [0x41, 0x41, 0x41, 0x41])
        var changed = false
        if node.header.hasRefs {
            var elements = node.elements()
            for (index, element) in elements.enumerated() where element != 0 && element & 1 == 0 {
                elements[index] = Int64(try move(Ref(element), &moved, &live))
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

    /// The image of a node of packed elements: of 32 bits, or of 64 if a tagged integer among them needs it.
    private static func image(of elements: [Int64], flags: UInt8) -> [UInt8] {
        let isNarrow = elements.allSatisfy { Int32(exactly: $0) != nil }
        var bytes: [UInt8] = [0x41, 0x41, 0x41, 0x41]
        let header = UInt32(flags | (isNarrow ? 6 : 7)) << 24 | UInt32(elements.count)
        bytes += withUnsafeBytes(of: header.bigEndian) { Array($0) }
        for element in elements {
            bytes += withUnsafeBytes(of: element.littleEndian) { Array($0.prefix(isNarrow ? 4 : 8)) }
        }
        return bytes + Array(repeating: 0, count: -bytes.count & 7)
    }
}
