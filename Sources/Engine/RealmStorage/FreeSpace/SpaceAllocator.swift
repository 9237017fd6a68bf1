// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Allocates space for the nodes of one commit: from reusable free blocks first, then at the end of the file
/// (container 6.4).
///
/// Blocks are cut at section boundaries at the start, so no node can cross a boundary (W3). While the file shrinks
/// there is a limit, and blocks above it are used only if none below it is large enough.
struct SpaceAllocator {
    private var below = BlockBins()
    private var above = BlockBins()
    private let limit: Ref
    private let unit: Ref
    /// The block from which allocations are cut, front to back, so the nodes of a commit are adjacent.
    private var current = FreeBlock(position: 0, length: 0)
    private(set) var logicalSize: Ref
    /// The number of bytes allocated above the limit.
    private(set) var spilled: Ref = 0
    /// Blocks that are free and must not be allocated (`SpaceReserve`).
    private var reserved: [FreeBlock] = []
    /// Extends the file to the given size. Throws if the disk is full.
    private let extend: (Ref) throws -> Void
    /// Whether the disk is full. Each node is then allocated in the smallest block that can hold it, because the free
    /// lists need a large one.
    private let isDiskFull: Bool

    /// `reusable` must be sorted, and its blocks must not be adjacent. If the file is written in units larger than
    /// words, whole free units are preferred: no other data in them has to be preserved.
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

    /// Allocates `byteCount` bytes. `expected` is the need of the rest of the commit, including this node. A block that
    /// can hold all of it is preferred, otherwise one that can hold much of it. Adjacent nodes are written at once, and
    /// the disk has fewer pages to write. Small blocks remain for commits that find no large ones.
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

    /// All bytes below the logical size that weren't allocated.
    mutating func remaining() -> [FreeBlock] {
        putBackCurrent()
        return below.all + above.all + reserved
    }

    mutating func remainingCount() -> Int {
        putBackCurrent()
        return below.count + above.count + reserved.count
    }

    // MARK: Reserve

    /// Completes the reserve from the remaining blocks, and extends the file if these don't suffice. Throws if that
    /// fails.
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

    /// Smaller blocks are useless for the reserve.
    private var minReserved: Ref { unit > 8 ? unit : 256 }

    /// Moves up to `byteCount` bytes to the reserve, from a block that is large enough, or else from the largest ones.
    /// They consist of whole units at the ends of the blocks.
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

    private mutating func takeWholeUnits(_ size: Ref, _ preferred: Ref) -> FreeBlock? {
        let others = 2 * (unit - 8)
        guard others > 0, let block = below.take(size + others, preferring: preferred + others) else { return nil }
        let start = (block.position + unit - 1) / unit * unit
        below.add(FreeBlock(position: block.position, length: start - block.position))
        return FreeBlock(position: start, length: block.end - start)
    }

    /// Divides blocks at the boundaries of sections and at the limit.
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

    /// Extends the file with space for `size` bytes within one section. Doubles a small file, and adds 1 MiB to a
    /// larger one. Without `inStep`, or if the disk is nearly full, adds only the necessary space. A free block at the
    /// end becomes a part of the new space.
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

func isOutOfSpace(_ error: any Error) -> Bool {
    ((error as? SystemError).map(StorageError.init) ?? error as? StorageError)?.code == .outOfSpace
}
