// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The loops over packed elements: one for each width, chosen once per leaf.
extension Node {
    /// Which of the elements `start..<start + count` are in `range`. At most 256 elements.
    func rows(from start: Int, count: Int, in range: ClosedRange<Int64>) -> RowSet {
        precondition(start >= 0 && count >= 0 && count <= RowSet.capacity && start <= self.count - count)
        switch header.widthCode {
        case 0: return range.contains(0) ? RowSet(count: count) : RowSet()
        case 4: return wide(start, count, range, Int8.self)
        case 5: return wide(start, count, range, Int16.self)
        case 6: return wide(start, count, range, Int32.self)
        case 7: return wide(start, count, range, Int64.self)
        default: return narrow(start, count, range)
        }
    }

    /// Elements of one byte or more. `x` is in `low...high` if `x - low`, without sign, is at most `high - low`.
    @inline(__always)
    private func wide<Element: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _ range: ClosedRange<Int64>, _: Element.Type
    ) -> RowSet {
        guard range.upperBound >= Int64(Element.min), range.lowerBound <= Int64(Element.max) else { return RowSet() }
        let low = Element(clamping: range.lowerBound)
        let span = Element.Magnitude(truncatingIfNeeded: Element(clamping: range.upperBound) &- low)
        let size = MemoryLayout<Element>.size
        var set = RowSet()
        for word in 0..<(count &+ 63) / 64 {
            let first = start &+ word &* 64
            var bits: UInt64 = 0
            for row in 0..<min(64, count &- word &* 64) {
                let element = unsafe Element(
                    littleEndian: payload.loadUnaligned(fromByteOffset: (first &+ row) &* size, as: Element.self))
                let isInside = Element.Magnitude(truncatingIfNeeded: element &- low) <= span
                bits |= (isInside ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
            }
            set.words[word] = bits
        }
        return set
    }

    /// Elements of 1, 2 or 4 bits.
    private func narrow(_ start: Int, _ count: Int, _ range: ClosedRange<Int64>) -> RowSet {
        let code = header.widthCode
        var set = RowSet()
        for row in 0..<count where range.contains(unsafe Node.load(payload, start &+ row, code)) { set.insert(row) }
        return set
    }

    /// Which of the 4-byte or 8-byte floating-point elements are in `range`. A NaN is in none.
    func rows(from start: Int, count: Int, in range: ClosedRange<Float>) -> RowSet {
        floating(start, count) { range.lowerBound <= $0 && $0 <= range.upperBound }
    }

    func rows(from start: Int, count: Int, in range: ClosedRange<Double>) -> RowSet {
        floating(start, count) { range.lowerBound <= $0 && $0 <= range.upperBound }
    }

    /// Which of the elements have this bit pattern.
    func rows(from start: Int, count: Int, withPattern pattern: UInt32) -> RowSet {
        floating(start, count) { (value: Float) in value.bitPattern == pattern }
    }

    func rows(from start: Int, count: Int, withPattern pattern: UInt64) -> RowSet {
        floating(start, count) { (value: Double) in value.bitPattern == pattern }
    }

    @inline(__always)
    private func floating<Element: BinaryFloatingPoint>(
        _ start: Int, _ count: Int, _ matches: (Element) -> Bool
    ) -> RowSet {
        let size = MemoryLayout<Element>.size
        precondition(start >= 0 && count >= 0 && count <= RowSet.capacity && start <= self.count - count)
        precondition(count == 0 || width == size)
        var set = RowSet()
        for word in 0..<(count &+ 63) / 64 {
            let first = start &+ word &* 64
            var bits: UInt64 = 0
            for row in 0..<min(64, count &- word &* 64) {
                let element = unsafe payload.loadUnaligned(fromByteOffset: (first &+ row) &* size, as: Element.self)
                bits |= (matches(element) ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
            }
            set.words[word] = bits
        }
        return set
    }

    /// Calls `body` with the packed elements `start..<start + count`; the width is chosen once.
    @inline(__always)
    func forEachPacked(from start: Int, count: Int, _ body: (Int64) -> Void) {
        precondition(start >= 0 && count >= 0 && start <= self.count - count)
        switch header.widthCode {
        case 4: for row in start..<start + count { body(unsafe Node.load(payload, row, 4)) }
        case 5: for row in start..<start + count { body(unsafe Node.load(payload, row, 5)) }
        case 6: for row in start..<start + count { body(unsafe Node.load(payload, row, 6)) }
        case 7: for row in start..<start + count { body(unsafe Node.load(payload, row, 7)) }
        case let code: for row in start..<start + count { body(unsafe Node.load(payload, row, code)) }
        }
    }
}
