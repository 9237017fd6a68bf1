// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum SortedSearch {
    /// The number of leading numbers of 0 ..< count for which `isBefore` holds.
    ///
    /// Each step tests three numbers that don't depend on each other, so the processor fetches their data at once: the
    /// search of a large tree consists mostly of waiting for memory.
    @inline(__always)
    static func prefix(of count: Int, _ isBefore: (Int) throws -> Bool) rethrows -> Int {
        var (start, count) = (0, count)
        while count > 3 { (start, count) = try narrowed(start, count, isBefore) }
        while count > 0, try isBefore(start) { (start, count) = (start &+ 1, count &- 1) }
        return start
    }

    /// As `prefix(of:_:)`, with a `fetch` that prefetches the data `isBefore` reads. Of every two steps of a large
    /// search, all candidates of the second are fetched together with those of the first.
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

    /// The count from which the candidates of the second step aren't near each other.
    private static let largeCount = 48

    @inline(__always)
    private static func narrowed(
        _ start: Int, _ count: Int, _ isBefore: (Int) throws -> Bool
    ) rethrows -> (start: Int, count: Int) {
        let step = count >> 2
        let first = try isBefore(start &+ step &- 1) ? step : 0
        let second = try isBefore(start &+ 2 &* step &- 1) ? step : 0
        let third = try isBefore(start &+ 3 &* step &- 1) ? step : 0
        // After the third there are more, between the others one less: its test is known to fail.
        return (start &+ first &+ second &+ third, third > 0 ? count &- 3 &* step : step &- 1)
    }
}
