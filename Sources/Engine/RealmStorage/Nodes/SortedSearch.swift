// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum SortedSearch {
    /// Returns the number of leading numbers of 0 ..< count that satisfy `isBefore`.
    ///
    /// Each step tests three independent numbers, so the processor fetches their data at once: the search of a large
    /// tree consists mostly of waiting for memory.
    @inline(__always)
    static func prefix(of count: Int, _ isBefore: (Int) throws -> Bool) rethrows -> Int {
        var (start, count) = (0, count)
        while count > 3 { (start, count) = try narrowed(start, count, isBefore) }
        while count > 0, try isBefore(start) { (start, count) = (start &+ 1, count &- 1) }
        return start
    }

    /// Like `prefix(of:_:)`. `fetch` prefetches the data that `isBefore` reads. Of every two steps of a large search,
    /// all candidates of the second are fetched together with those of the first.
    @inline(__always)
    static func prefix(of count: Int, fetching fetch: (Int) -> Void, _ isBefore: (Int) throws -> Bool) rethrows -> Int {
        var (start, count) = (0, count)
        while count >= largeCount {
            let step = count >> 2
            for part in 0..<4 {
                let next = part < 3 ? step &- 1 : count &- 3 &* step
                for place in 1...3 { fetch(start &+ part &* step &+ place &* (next >> 2) &- 1) }
            }
            (start, count) = try narrowed(start, count, isBefore)
            (start, count) = try narrowed(start, count, isBefore)
        }
        return try start &+ prefix(of: count) { try isBefore(start &+ $0) }
    }

    /// The minimum count for which the candidates of the second step aren't near each other.
    private static let largeCount = 48

    @inline(__always)
    private static func narrowed(
        _ start: Int, _ count: Int, _ isBefore: (Int) throws -> Bool
    ) rethrows -> (start: Int, count: Int) {
        let step = count >> 2
        let first = try isBefore(start &+ step &- 1) ? step : 0
        let second = try isBefore(start &+ 2 &* step &- 1) ? step : 0
        let third = try isBefore(start &+ 3 &* step &- 1) ? step : 0
        // The rest after the third is the whole remainder. A rest between two candidates excludes the second of them,
        // whose test has failed.
        return (start &+ first &+ second &+ third, third > 0 ? count &- 3 &* step : step &- 1)
    }
}
