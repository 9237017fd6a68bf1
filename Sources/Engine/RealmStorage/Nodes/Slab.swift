// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Memory for the dirty nodes of one write transaction, inside the mapping so they have refs like all nodes.
///
/// Blocks have size classes and are recycled within the transaction. A block's capacity in units of eight bytes is
/// stored in the node's filler (header bytes 0–3), which a commit overwrites. Used by the one writer only.
package struct Slab {
    private let space: NodeSpace
    private var next: Ref
    private var recycled: [[Ref]]

    init(space: NodeSpace) {
        self.space = space
        next = space.slabStart + 64
        recycled = Array(repeating: [], count: SizeClass.count)
    }

    /// The number of allocated bytes, including recycled ones.
    var byteCount: Int { Int(next - space.slabStart) }

    /// Allocates a block for a node of `byteCount` bytes, including the header, which isn't set.
    mutating func allocate(_ byteCount: Int) throws -> Ref {
        guard byteCount < NodeHeader.maximumByteCount else {
            throw StorageError(
                .limitExceeded, "a value or list needs a node of \(byteCount) bytes; the limit is 64 MiB")
        }
        let sizeClass = SizeClass.holding(byteCount)
        let capacity = SizeClass.capacity(sizeClass)
        let ref: Ref
        if let reused = recycled[sizeClass].popLast() {
            ref = reused
        } else {
            ref = next
            guard space.slabEnd - next > Ref(capacity) else {
                throw StorageError(
                    .addressSpaceExhausted, "the write transaction is too large; commit in smaller steps")
            }
            next += Ref(capacity)
        }
        unsafe (space.base + Int(ref)).storeBytes(of: UInt32(capacity >> 3), as: UInt32.self)
        return ref
    }

    /// Frees a block. Throws if `ref` isn't one of its blocks, which means that the file is damaged.
    mutating func release(_ ref: Ref) throws {
        guard ref < next else { throw Slab.noBlock(ref) }
        let capacity = capacity(of: ref)
        let sizeClass = SizeClass.holding(min(max(capacity, 16), NodeHeader.maximumByteCount))
        guard SizeClass.capacity(sizeClass) == capacity else { throw Slab.noBlock(ref) }
        recycled[sizeClass].append(ref)
    }

    private static func noBlock(_ ref: Ref) -> any Error {
        StorageError.corrupt("a reference to a place outside the file; the file is damaged", at: ref)
    }

    func capacity(of ref: Ref) -> Int {
        unsafe Int((space.base + Int(ref)).loadUnaligned(as: UInt32.self)) << 3
    }

    /// Four classes per power of two, from 16 bytes up, each a multiple of eight.
    enum SizeClass {
        static let count = 4 * 25

        static func holding(_ byteCount: Int) -> Int {
            if byteCount <= 64 { return max(byteCount - 1, 15) >> 3 - 1 }
            let power = Int.bitWidth - 1 - (byteCount - 1).leadingZeroBitCount
            return 7 + (power - 6) * 4 + ((byteCount - 1) >> (power - 2)) & 3
        }

        static func capacity(_ index: Int) -> Int {
            if index < 7 { return (index + 2) << 3 }
            let power = 6 + (index - 7) / 4
            return (5 + (index - 7) % 4) << (power - 2)
        }
    }
}
