// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

@testable import RealmStorage

/// A space for one write transaction at a time, with the minimal commit that indexes need.
final class IndexStore {
    private let file: DiskFile
    private let mapping: FileMapping
    private(set) var store: NodeStore
    private(set) var fileEnd: Ref = 24
    private var committed: Set<FreeBlock> = []
    let capacity: Int

    init(capacity: Int) throws {
        file = try DiskFile.anonymous(in: "/tmp")
        mapping = try file.map(fileWindow: 1 << 28, slabWindow: 1 << 30)
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: 24, writable: true))
        self.capacity = capacity
        store.treeCapacity = capacity
    }

    var space: NodeSpace { store.space }

    func commit(_ root: Ref) throws -> Ref {
        let end = try file.size()
        var image: [UInt8] = []
        let start = Ref((max(end, 24) + 7) & ~7)
        let newRoot = try write(root, at: start, &image)
        try file.resize(to: Int(start) + image.count)
        try image.withUnsafeBytes { try file.write($0, at: Int(start)) }
        fileEnd = start + Ref(image.count)
        begin()
        committed = try Set(blocks(newRoot))
        return newRoot
    }

    func begin() {
        store = NodeStore(space: NodeSpace(mapping: mapping, fileEnd: fileEnd, writable: true))
        store.treeCapacity = capacity
    }

    func overwrite(_ offset: Int, with byte: UInt8) throws {
        try [byte].withUnsafeBytes { try file.write($0, at: offset) }
    }

    private func write(_ ref: Ref, at start: Ref, _ image: inout [UInt8]) throws -> Ref {
        let node = try space.node(ref)
        guard node.header.hasRefs else {
            return append(node.header, Array(node.image.dropFirst(8)), at: start, &image)
        }
        let elements = try node.elements().map { element in
            element == 0 || Tagged.isTagged(element)
                ? element : Int64(try write(Ref(bitPattern: Int(element)), at: start, &image))
        }
        let copy = try store.node(store.create(elements, flags: node.header.flags))
        return append(copy.header, Array(copy.image.dropFirst(8)), at: start, &image)
    }

    private func append(_ header: NodeHeader, _ payload: [UInt8], at start: Ref, _ image: inout [UInt8]) -> Ref {
        let ref = start + Ref(image.count)
        image += [0x41, 0x41, 0x41, 0x41]
        image += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: header.bits >> $0) }
        image += payload
        return ref
    }

    private func blocks(_ ref: Ref) throws -> [FreeBlock] {
        let node = try space.node(ref)
        let own = [FreeBlock(position: ref, length: Ref(node.header.byteCount))]
        guard node.header.hasRefs else { return own }
        return try node.elements().filter { $0 != 0 && !Tagged.isTagged($0) }.reduce(into: own) {
            $0 += try blocks(Ref(bitPattern: Int($1)))
        }
    }

    /// Returns the committed nodes that are neither freed nor reachable, both, or freed twice. Empty in a valid index.
    func lostBlocks(_ root: Ref?) throws -> [FreeBlock] {
        let reachable = try root.map(blocks) ?? []
        let kept = reachable.filter { !space.isDirty($0.position) } + store.freed
        var seen: Set<FreeBlock> = []
        let twice = (reachable + store.freed).filter { !seen.insert($0).inserted }
        return Array(committed.symmetricDifference(kept)) + twice
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// Returns a new seed for each run and prints it. `REGNUM_SEED` repeats a run.
func randomSeed(_ test: String = #function) -> UInt64 {
    let seed = environmentSeed ?? UInt64.random(in: 0...(.max))
    print("\(test): seed \(seed)")
    return seed
}

private let environmentSeed = ProcessInfo.processInfo.environment["REGNUM_SEED"].flatMap { UInt64($0) }
