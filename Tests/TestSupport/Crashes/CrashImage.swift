// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The possible bytes of a file after a crash, computed from its writes.
///
/// Synced bytes are present, and any part of the unsynced ones may be. Writes reach the disk in any order and in atomic
/// pieces, and the file has its former size or a later one. Bytes of a failed sync stay in doubt forever, because the
/// system considers them written. Only rewritten bytes get another chance, and then their whole sector is written as a
/// reader sees it.
package struct CrashImage {
    /// The bytes that are certainly on disk: all synced ones.
    package private(set) var bytes: [UInt8]
    /// The bytes that a reader sees: all written ones.
    package private(set) var cache: [UInt8]
    private var pending: [Write] = []
    private var doubtful: [Write] = []
    /// The sizes of the file since the last sync, and those that a failed sync left in doubt.
    private var sizes: [Int] = []

    package struct Write {
        package let offset: Int
        package let bytes: ArraySlice<UInt8>
        package var end: Int { offset + bytes.count }

        package func overlaps(_ other: Write) -> Bool { offset < other.end && other.offset < end }
    }

    /// The smallest piece that a disk writes atomically.
    package static let sectorByteCount = 512

    let disk: Disk

    package init(of bytes: [UInt8] = [], on disk: Disk = Disk()) {
        (self.bytes, cache, self.disk) = (bytes, bytes, disk)
    }

    /// Whether a crash could lose anything now.
    package var hasPendingWrites: Bool { !pending.isEmpty || !doubtful.isEmpty || !sizes.isEmpty }

    /// The possible sizes of the file: the size at the last sync, and all since.
    package var possibleSizes: [Int] { [bytes.count] + Set(sizes).subtracting([bytes.count]).sorted() }

    // MARK: Events

    package mutating func apply(_ event: FaultyFile.Event) {
        switch event {
        case .write(let offset, let bytes): write(Write(offset: offset, bytes: bytes[...]))
        case .resize(let size): resize(to: size)
        case .sync:
            for write in pending { CrashImage.put(write, into: &bytes) }
            if !sizes.isEmpty { CrashImage.resize(&bytes, to: cache.count) }
            doubtful.removeAll { old in pending.contains { old.overlaps($0) } }
            pending.removeAll()
            sizes.removeAll()
        case .failedSync:
            // Cut into pieces, so that each is removed when its sector is rewritten.
            doubtful += pending.flatMap { CrashImage.cut($0, at: disk.tear) }
            pending.removeAll()
        }
    }

    private mutating func write(_ write: Write) {
        let before = cache.count
        CrashImage.put(write, into: &cache)
        if cache.count != before { sizes.append(cache.count) }
        pending.append(withDoubtfulSectors(write))
    }

    /// Extends the write to all of its sectors if any of their bytes is in doubt. The system writes whole sectors as
    /// readers see them, so lost bytes are written together with the new ones.
    private func withDoubtfulSectors(_ write: Write) -> Write {
        guard !doubtful.isEmpty else { return write }
        let sector = disk.tear
        let start = write.offset / sector * sector
        let end = min((write.end + sector - 1) / sector * sector, cache.count)
        let sectors = Write(offset: start, bytes: cache[start..<end])
        return doubtful.contains { $0.overlaps(sectors) } ? sectors : write
    }

    private mutating func resize(to size: Int) {
        if size < cache.count {
            // If the file is extended again, the bytes in between are zero or keep their old values.
            pending.append(Write(offset: size, bytes: ArraySlice(repeating: 0, count: cache.count - size)))
        }
        CrashImage.resize(&cache, to: size)
        sizes.append(size)
    }

    fileprivate static func put(_ write: Write, into bytes: inout [UInt8]) {
        if write.end > bytes.count { resize(&bytes, to: write.end) }
        bytes.replaceSubrange(write.offset..<write.end, with: write.bytes)
    }

    fileprivate static func resize(_ bytes: inout [UInt8], to size: Int) {
        if size < bytes.count {
            bytes.removeSubrange(size...)
        } else {
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
    }

    // MARK: States after a crash

    /// The writes that may have reached the disk, cut at multiples of `unit` bytes of the file, or whole if that is
    /// nil. Those of `old` are older than all of `new`. Both are sorted from oldest to newest.
    package func pieces(of unit: Int?) -> (old: [Write], new: [Write]) {
        (doubtful, unit.map { unit in pending.flatMap { CrashImage.cut($0, at: unit) } } ?? pending)
    }

    private static func cut(_ write: Write, at unit: Int) -> [Write] {
        var pieces: [Write] = []
        var start = write.offset
        while start < write.end {
            let end = min((start / unit + 1) * unit, write.end)
            let first = write.bytes.startIndex + (start - write.offset)
            pieces.append(Write(offset: start, bytes: write.bytes[first..<first + (end - start)]))
            start = end
        }
        return pieces
    }

    /// Returns the file after a crash: the durable bytes, these pieces in order, and then this size.
    package func image(with pieces: some Sequence<Write>, size: Int) -> [UInt8] {
        var bytes = bytes
        for piece in pieces { CrashImage.put(piece, into: &bytes) }
        CrashImage.resize(&bytes, to: size)
        return bytes
    }

    package enum Kept: CaseIterable, Sendable {
        case nothing, everything, wholeWrites, pages, sectors, beginning

        fileprivate var unit: Int? {
            switch self {
            case .pages: 4096
            case .sectors: CrashImage.sectorByteCount
            default: nil
            }
        }
    }

    package struct Disk: Sendable {
        package var tear = sectorByteCount
        /// Whether the older of two writes to the same bytes can be the remaining one. No system does that to a file,
        /// since both are in one page of its cache. A format that tolerates it is safer.
        package var reordersOverlaps = true

        package init() {}
    }

    package func crashed(
        keeping kept: Kept, using generator: inout SeededGenerator
    ) -> [UInt8] {
        let (old, new) = pieces(of: kept.unit.map { max($0, disk.tear) })
        switch kept {
        case .nothing: return image(with: [], size: bytes.count)
        case .everything: return image(with: old + new, size: cache.count)
        case .wholeWrites, .pages, .sectors:
            let share = generator.below(101)
            let survivors = old.filter { _ in generator.chance(share) }
            var younger = new.filter { _ in generator.chance(share) }
            if disk.reordersOverlaps { younger.shuffle(using: &generator) }
            return image(with: survivors + younger, size: generator.pick(possibleSizes))
        case .beginning:
            // A disk that writes in order, up to some sector.
            let sectors = old + pieces(of: disk.tear).new
            return image(with: sectors.prefix(generator.below(sectors.count + 1)), size: generator.pick(possibleSizes))
        }
    }
}
