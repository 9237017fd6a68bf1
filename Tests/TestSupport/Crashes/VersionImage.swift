// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A version of a database: its content as text, and the bytes of every node that it reaches.
///
/// Comparing the bytes is fast enough for millions of images, and stricter than the text: equal nodes read equal.
package struct VersionImage: Sendable {
    package let version: UInt64
    package let text: [String]
    private let topRef: Ref
    private let refs: [Ref]
    private let blocks: [Block]

    private struct Block: Sendable {
        let start: Int
        var bytes: [UInt8]
        var end: Int { start + bytes.count }
    }

    package init(_ snapshot: Snapshot) throws {
        version = snapshot.version
        text = try SnapshotText.lines(of: snapshot)
        topRef = snapshot.top?.ref ?? 0
        (refs, blocks) = try topRef == 0 ? ([], []) : VersionImage.nodes(of: snapshot.space, below: topRef)
    }

    package func isIdentical(to snapshot: Snapshot) -> Bool { difference(from: snapshot) == nil }

    /// Returns the first difference between the snapshot and this version, or nil.
    package func difference(from snapshot: Snapshot) -> String? {
        guard snapshot.version == version else { return "it is version \(snapshot.version)" }
        guard (snapshot.top?.ref ?? 0) == topRef else { return "its top array is at another place" }
        // A node of an encrypted file is decrypted on access.
        for ref in refs where (try? snapshot.space.node(ref)) == nil { return "no node at \(ref)" }
        for block in blocks {
            guard block.end <= snapshot.space.fileEnd else { return "it is too short for the nodes at \(block.start)" }
            let same = block.bytes.withUnsafeBytes {
                memcmp($0.baseAddress!, snapshot.space.base + block.start, $0.count) == 0
            }
            guard same else { return "other bytes in the nodes at \(block.start)..<\(block.end)" }
        }
        return nil
    }

    private static func nodes(of space: NodeSpace, below top: Ref) throws -> ([Ref], [Block]) {
        var extents: [(start: Int, count: Int)] = []
        var waiting = [top]
        while let ref = waiting.popLast() {
            let node = try space.node(ref)
            extents.append((Int(ref), node.header.byteCount))
            guard node.header.hasRefs, node.header.schemeCode == 0 else { continue }
            for index in 0..<node.count where node[index] != 0 && node[index] & 1 == 0 {
                waiting.append(Ref(element: node[index]))
            }
        }
        var blocks: [Block] = []
        for (start, count) in extents.sorted(by: { $0.start < $1.start }) {
            let bytes = UnsafeRawBufferPointer(start: space.base + start, count: count)
            if let last = blocks.last, last.end == start {
                blocks[blocks.count - 1].bytes += bytes
            } else {
                blocks.append(Block(start: start, bytes: Array(bytes)))
            }
        }
        return (extents.map { Ref($0.start) }, blocks)
    }
}
