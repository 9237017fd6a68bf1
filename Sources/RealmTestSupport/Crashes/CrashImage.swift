// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The bytes that a crash leaves of a file, by what is known about its writes.
///
/// What was synced is there. Of what was not, any part may be: writes reach the disk in any order, in pieces of 512
/// bytes that are themselves whole, and so do changes of the size.
package struct CrashImage {
    package private(set) var bytes: [UInt8]
    private var pending: [FaultyFile.Event] = []

    /// The smallest piece that a disk writes as a whole.
    private static let sectorByteCount = 512

    package init(of bytes: [UInt8] = []) { self.bytes = bytes }

    /// What to keep of the writes that were not synced.
    package enum Kept: CaseIterable {
        case nothing, everything, wholeWrites, sectors
    }

    /// Whether there is anything that a crash could lose now.
    package var hasPendingWrites: Bool { !pending.isEmpty }

    /// The file goes one step on.
    package mutating func apply(_ event: FaultyFile.Event) {
        guard case .sync = event else { return pending.append(event) }
        for event in pending { perform(event) }
        pending.removeAll()
    }

    /// What a crash now leaves.
    package func crashed(keeping kept: Kept, using generator: inout SeededGenerator) -> [UInt8] {
        var image = self
        for event in survivors(kept, &generator) { image.perform(event) }
        return image.bytes
    }

    private func survivors(_ kept: Kept, _ generator: inout SeededGenerator) -> [FaultyFile.Event] {
        switch kept {
        case .nothing: return []
        case .everything: return pending
        case .wholeWrites:
            let share = generator.below(101)
            return pending.filter { _ in generator.chance(share) }.shuffled(using: &generator)
        case .sectors:
            let share = generator.below(101)
            return pending.flatMap(CrashImage.sectors).filter { _ in generator.chance(share) }
                .shuffled(using: &generator)
        }
    }

    private static func sectors(of event: FaultyFile.Event) -> [FaultyFile.Event] {
        guard case .write(let offset, let bytes) = event else { return [event] }
        var pieces: [FaultyFile.Event] = []
        var start = 0
        while start < bytes.count {
            let boundary = ((offset + start) / sectorByteCount + 1) * sectorByteCount - offset
            let end = min(boundary, bytes.count)
            pieces.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
            start = end
        }
        return pieces
    }

    private mutating func perform(_ event: FaultyFile.Event) {
        switch event {
        case .sync: break
        case .resize(let size):
            if size < bytes.count { bytes.removeSubrange(size...) } else { grow(to: size) }
        case .write(let offset, let written):
            grow(to: offset + written.count)
            bytes.replaceSubrange(offset..<offset + written.count, with: written)
        }
    }

    private mutating func grow(to size: Int) {
        if size > bytes.count { bytes += repeatElement(0, count: size - bytes.count) }
    }
}
