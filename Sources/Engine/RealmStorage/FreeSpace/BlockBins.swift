// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Free blocks by the power of two of their length. Within a class, the lowest blocks are preferred.
struct BlockBins {
    private var bins: [[FreeBlock]] = Array(repeating: [], count: 64)

    /// The number of blocks tried in the smallest class that may fit.
    private static let attempts = 64

    private func bin(_ length: Ref) -> Int { UInt.bitWidth - 1 - length.leadingZeroBitCount }

    /// Blocks should be added from the highest to the lowest.
    mutating func add(_ block: FreeBlock) {
        if block.length > 0 { bins[bin(block.length)].append(block) }
    }

    /// Returns a block of at least `size` bytes: one of nearly that size if possible, otherwise one of the smallest
    /// class that fits.
    mutating func take(_ size: Ref) -> FreeBlock? {
        let first = bin(size)
        let candidates = bins[first].indices.suffix(BlockBins.attempts)
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

    /// Returns a block of at least `size` bytes: of at least `preferred` bytes if possible, otherwise one of the
    /// largest smaller class.
    mutating func take(_ size: Ref, preferring preferred: Ref) -> FreeBlock? {
        if let block = take(preferred) { return block }
        for index in stride(from: bin(preferred), to: bin(size), by: -1) {
            if let block = bins[index].popLast() { return block }
        }
        return take(size)
    }

    mutating func takeLargest(_ size: Ref) -> FreeBlock? {
        for index in stride(from: bins.count - 1, through: bin(size), by: -1) {
            guard let last = bins[index].lastIndex(where: { $0.length >= size }) else { continue }
            bins[index].swapAt(last, bins[index].count - 1)
            return bins[index].popLast()
        }
        return nil
    }

    mutating func take(endingAt end: Ref) -> FreeBlock? {
        for index in bins.indices {
            guard let place = bins[index].firstIndex(where: { $0.end == end }) else { continue }
            return bins[index].remove(at: place)
        }
        return nil
    }

    var all: [FreeBlock] { bins.flatMap(\.self) }
    var count: Int { bins.reduce(0) { $0 + $1.count } }
}
