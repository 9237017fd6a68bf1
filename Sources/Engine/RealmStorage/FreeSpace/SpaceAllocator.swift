// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

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
    /// Blocks that are free and not handed out (`SpaceReserve`).
    private var reserved: [FreeBlock] = []
    /// Extends the file to the given size, or throws if the disk is full.
    private let extend: (Ref) throws -> Void
    /// Whether the disk is full. Each node is then allocated in the smallest block that can hold it, because the free
    /// lists need a large one.
    private let isDiskFull: Bool

    /// `reusable` are sorted and do not touch each other. Where the file is written in larger units than words, whole
    /// units that are free are better than parts: to fill them, nothing else in them has to be kept.
    init(
        reusable: [FreeBlock], logicalSize: Ref, unit: Int = 8, limit: Ref? = nil, reserve: Ref = 0,
        isDiskFull: Bool = false, extend: @escaping (Ref) throws -> Void = { _ in }
    ) {
        self.unit = Ref(unit)
        self.logicalSize = logicalSize
        self.limit = limit ?? .max
        self.isDiskFull = isDiskFull
        self.extend = extend
        for block in reusable.reversed() { add(block) }
        setAside(reserve)
    }

    /// The position of `byteCount` bytes. `expected` is what the rest of the commit will need, this included: a block
    /// that can take all of it is preferred, or else one that takes much of it. What lies together is written at once,
    /// and the disk has fewer pages to write; the small blocks are for commits that find no large ones.
    mutating func allocate(_ byteCount: Int, expected: Int) throws -> Ref {
        let size = Ref(byteCount)
        if current.length < size || isDiskFull {
            try replaceCurrent(size, preferred: isDiskFull ? size : Ref(max(byteCount, expected)))
        }
        let position = current.position
        current.position += size
        current.length -= size
        if position >= limit { spilled += size }
        return position
    }

    /// Every byte below the logical size that was not handed out.
    mutating func remaining() -> [FreeBlock] {
        putBackCurrent()
        return below.all + above.all + reserved
    }

    /// The number of blocks in `remaining`.
    mutating func remainingCount() -> Int {
        putBackCurrent()
        return below.count + above.count + reserved.count
    }

    // MARK: Reserve

    /// Completes the reserve from the blocks that are left, and lets the file grow if these don't suffice. Throws if it
    /// can't.
    mutating func fillReserve(to byteCount: Ref) throws {
        putBackCurrent()
        setAside(missing(from: byteCount))
        let missing = missing(from: byteCount)
        guard missing > 0 else { return }
        try grow(by: missing + 2 * (unit - 8), inStep: false)
        setAside(missing)
    }

    private func missing(from byteCount: Ref) -> Ref {
        let present = reserved.reduce(0) { $0 + $1.length }
        return byteCount - min(byteCount, present)
    }

    /// Smaller blocks are of no use for the reserve.
    private var minReserved: Ref { unit > 8 ? unit : 256 }

    /// Moves up to `byteCount` bytes to the reserve: a block that is large enough, or else the largest ones. They are
    /// cut from the ends of blocks, and consist of whole units.
    private mutating func setAside(_ byteCount: Ref) {
        var missing = byteCount
        var unsuitable: [FreeBlock] = []
        while missing > 0 {
            let size = missing + 2 * (unit - 8)
            guard
                let block = below.take(size) ?? above.take(size) ?? below.takeLargest(minReserved)
                    ?? above.takeLargest(minReserved)
            else { break }
            let (start, end) = ((block.position + unit - 1) / unit * unit, block.end / unit * unit)
            guard start < end else {
                unsuitable.append(block)
                continue
            }
            let part = FreeBlock(position: end - min(missing, end - start), length: min(missing, end - start))
            reserved.append(part)
            missing -= part.length
            add(FreeBlock(position: part.end, length: block.end - part.end))
            add(FreeBlock(position: block.position, length: part.position - block.position))
        }
        for block in unsuitable { add(block) }
    }

    // MARK: Blocks

    private mutating func putBackCurrent() {
        add(current)
        current.length = 0
    }

    private mutating func replaceCurrent(_ size: Ref, preferred: Ref) throws {
        putBackCurrent()
        while true {
            if let block = takeBlock(size, preferred) {
                current = block
                return
            }
            try grow(by: size)
        }
    }

    private mutating func takeBlock(_ size: Ref, _ preferred: Ref) -> FreeBlock? {
        if isDiskFull { return below.take(size) ?? above.take(size) }
        return takeWholeUnits(size, preferred) ?? below.take(size, preferring: preferred) ?? above.take(size)
    }

    /// A block that begins with a unit, of so many units that the last one of `size` bytes is whole as well.
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

    /// Doubles a small file, adds 1 MiB to a larger one, and always enough for `size` within one section; no more than
    /// that without `inStep`, or if the disk has no space for more. A free block at the end becomes a part of the new
    /// room.
    private mutating func grow(by size: Ref, inStep: Bool = true) throws {
        let section = Ref(FileFormat.sectionByteCount)
        let tail = below.take(endingAt: logicalSize) ?? above.take(endingAt: logicalSize)
        let start = tail?.position ?? logicalSize
        let inSection = section - start % section
        let needed = wholePages(start + (inSection >= size ? size : inSection + size))
        let step = inStep ? min(logicalSize, 1 << 20) : 0
        var target = max(needed, wholePages(logicalSize + step))
        do {
            try extend(target)
        } catch let failure where isOutOfSpace(failure) && needed < target {
            target = needed
            try extend(target)
        }
        add(FreeBlock(position: start, length: target - start))
        logicalSize = target
    }

    private func wholePages(_ size: Ref) -> Ref {
        let page = Ref(FileFormat.pageByteCount)
        return (size + page - 1) / page * page
    }
}

/// Whether the disk, or a limit on the size of files, has prevented a write.
func isOutOfSpace(_ error: any Error) -> Bool {
    ((error as? SystemError).map(StorageError.init) ?? error as? StorageError)?.code == .outOfSpace
}
