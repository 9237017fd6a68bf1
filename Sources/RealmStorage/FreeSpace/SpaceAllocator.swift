// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Places for the nodes of one commit: reusable free blocks first, then room at the end of the file (container 6.4).
///
/// Blocks are cut at section boundaries at the start, so nothing placed in one can straddle a boundary (W3).
struct SpaceAllocator {
    /// Free blocks by the power of two of their length.
    private var bins: [[FreeBlock]] = Array(repeating: [], count: 64)
    /// The block that allocations are being cut from, front to back, so that a commit's nodes lie together.
    private var current = FreeBlock(position: 0, length: 0)
    /// The logical file size; grows, never shrinks.
    private(set) var logicalSize: Ref

    init(reusable: [FreeBlock], logicalSize: Ref) {
        self.logicalSize = logicalSize
        for block in reusable { add(block) }
    }

    /// The position of `byteCount` bytes. `expected` is what the rest of the commit will need, this included: a block
    /// that can take all of it is preferred.
    mutating func allocate(_ byteCount: Int, expected: Int) -> Ref {
        let size = Ref(byteCount)
        if current.length < size { replaceCurrent(size, preferred: Ref(max(byteCount, expected))) }
        let position = current.position
        current.position += size
        current.length -= size
        return position
    }

    /// Every byte below the logical size that was not handed out.
    mutating func remaining() -> [FreeBlock] {
        add(current)
        current.length = 0
        return bins.flatMap(\.self)
    }

    private mutating func replaceCurrent(_ size: Ref, preferred: Ref) {
        add(current)
        current.length = 0
        while true {
            if let block = take(preferred) ?? take(size) {
                current = block
                return
            }
            grow(by: size)
        }
    }

    private func bin(_ length: Ref) -> Int { UInt.bitWidth - 1 - length.leadingZeroBitCount }

    private mutating func add(_ block: FreeBlock) {
        var rest = block
        while rest.length > 0 {
            let boundary = (rest.position / Ref(FileFormat.sectionByteCount) + 1) * Ref(FileFormat.sectionByteCount)
            let piece = FreeBlock(position: rest.position, length: min(rest.length, boundary - rest.position))
            bins[bin(piece.length)].append(piece)
            rest.position += piece.length
            rest.length -= piece.length
        }
    }

    /// A block of at least `size` bytes: one of nearly that size if there is one, else the smallest class that fits.
    private mutating func take(_ size: Ref) -> FreeBlock? {
        let first = bin(size)
        let candidates = bins[first].indices.suffix(64)
        if let index = candidates.last(where: { bins[first][$0].length >= size }) {
            bins[first].swapAt(index, bins[first].count - 1)
            return bins[first].popLast()
        }
        guard first + 1 < bins.count else { return nil }
        for index in (first + 1)..<bins.count {
            if let block = bins[index].popLast() { return block }
        }
        return nil
    }

    /// Doubles a small file, adds 1 MiB to a larger one, and always enough for `size` within one section.
    private mutating func grow(by size: Ref) {
        let page: Ref = 4096
        let section = Ref(FileFormat.sectionByteCount)
        let step = logicalSize < 1 << 20 ? logicalSize : 1 << 20
        let inSection = section - logicalSize % section
        let needed = inSection >= size ? size : inSection + size
        let target = (logicalSize + max(step, needed) + page - 1) / page * page
        add(FreeBlock(position: logicalSize, length: target - logicalSize))
        logicalSize = target
    }
}
