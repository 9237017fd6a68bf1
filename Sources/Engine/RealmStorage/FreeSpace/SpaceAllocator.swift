// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Places for the nodes of one commit: reusable free blocks first, then room at the end of the file (container 6.4).
///
/// Blocks are cut at section boundaries at the start, so nothing placed in one can straddle a boundary (W3). While the
/// file is being made smaller there is a limit, and blocks above it are taken only when none below it is large enough.
struct SpaceAllocator {
    private var below = BlockBins()
    private var above = BlockBins()
    private let limit: Ref
    private let unit: Ref
    /// The block that allocations are being cut from, front to back, so that a commit's nodes lie together.
    private var current = FreeBlock(position: 0, length: 0)
    /// The logical file size; allocations let it grow.
    private(set) var logicalSize: Ref
    /// Bytes handed out above the limit.
    private(set) var spilled: Ref = 0

    /// `reusable` are sorted and do not touch each other. Where the file is written in larger units than words, whole
    /// units that are free are better than parts: to fill them, nothing else in them has to be kept.
    init(reusable: [FreeBlock], logicalSize: Ref, unit: Int = 8, limit: Ref? = nil) {
        self.unit = Ref(unit)
        self.logicalSize = logicalSize
        self.limit = limit ?? .max
        for block in reusable.reversed() { add(block) }
    }

    /// Returns the position of `byteCount` bytes. `expected` is the size of the rest of the commit, including these
    /// bytes: a block with room for all of it is preferred, or otherwise one with room for much of it. Contiguous data
    /// is written at once, so the disk has fewer pages to write; small blocks are left for commits that find no large
    /// ones.
    mutating func allocate(_ byteCount: Int, expected: Int) -> Ref {
        let size = Ref(byteCount)
        if current.length < size { replaceCurrent(size, preferred: Ref(max(byteCount, expected))) }
        let position = current.position
        current.position += size
        current.length -= size
        if position >= limit { spilled += size }
        return position
    }

    /// Every byte below the logical size that was not handed out.
    mutating func remaining() -> [FreeBlock] {
        putBackCurrent()
        return below.all + above.all
    }

    /// The number of blocks in `remaining`.
    mutating func remainingCount() -> Int {
        putBackCurrent()
        return below.count + above.count
    }

    /// Keeps a whole unit free in files that are written in units larger than words: it takes the copy of a page that
    /// is written in place, which is needed until that is durable (`EncryptedFile`).
    mutating func keepWholeUnit() {
        guard unit > 8 else { return }
        putBackCurrent()
        if !below.contains(where: holdsWholeUnit), !above.contains(where: holdsWholeUnit) { grow(by: unit) }
    }

    private func holdsWholeUnit(_ block: FreeBlock) -> Bool {
        (block.position + unit - 1) / unit * unit + unit <= block.end
    }

    private mutating func putBackCurrent() {
        add(current)
        current.length = 0
    }

    private mutating func replaceCurrent(_ size: Ref, preferred: Ref) {
        putBackCurrent()
        while true {
            if let block = takeWholeUnits(size, preferred) ?? below.take(size, preferring: preferred)
                ?? above.take(size)
            {
                current = block
                return
            }
            grow(by: size)
        }
    }

    /// Returns a block that begins with a unit, and has enough units to contain the last one of `size` bytes
    /// completely.
    private mutating func takeWholeUnits(_ size: Ref, _ preferred: Ref) -> FreeBlock? {
        let others = 2 * (unit - 8)
        guard others > 0, let block = below.take(size + others, preferring: preferred + others) else { return nil }
        let start = (block.position + unit - 1) / unit * unit
        below.add(FreeBlock(position: block.position, length: start - block.position))
        return FreeBlock(position: start, length: block.end - start)
    }

    /// Blocks are cut where a section or the limit begins.
    private mutating func add(_ block: FreeBlock) {
        let section = Ref(FileFormat.sectionByteCount)
        var rest = block
        while rest.length > 0 {
            var end = min(rest.end, (rest.position / section + 1) * section)
            if rest.position < limit { end = min(end, limit) }
            let piece = FreeBlock(position: rest.position, length: end - rest.position)
            if piece.position < limit { below.add(piece) } else { above.add(piece) }
            rest = FreeBlock(position: end, length: rest.end - end)
        }
    }

    /// Doubles a small file, adds 1 MiB to a larger one, and always enough for `size` within one section. A free
    /// block at the end becomes a part of the new room.
    private mutating func grow(by size: Ref) {
        let page: Ref = 4096
        let section = Ref(FileFormat.sectionByteCount)
        let tail = below.take(endingAt: logicalSize) ?? above.take(endingAt: logicalSize)
        let start = tail?.position ?? logicalSize
        let inSection = section - start % section
        let needed = start + (inSection >= size ? size : inSection + size)
        let step = logicalSize < 1 << 20 ? logicalSize : 1 << 20
        let target = (max(needed, logicalSize + step) + page - 1) / page * page
        add(FreeBlock(position: start, length: target - start))
        logicalSize = target
    }
}
