// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Values of column leaves of the usual forms other than numbers, read without a throw and inlined into their callers.
/// They're nil for a leaf of another form, whose value is then read through its column. No row may be negative.
extension Node {
    /// Whether this is a leaf of dates: it has two children, the leaf of seconds and that of nanoseconds (content 6.8).
    package var isTimestampLeaf: Bool {
        count == 2 && header.schemeCode == 0 && header.hasRefs && !header.isInner
    }

    @inlinable @inline(__always) package func timestamp(_ row: Int, _ fractions: Node) -> Timestamp?? {
        guard let second = optionalInt(row), let number = fractions.int(row), let fraction = Int32(exactly: number)
        else { return nil }
        return .some(second.map { Timestamp(seconds: $0, nanoseconds: fraction) })
    }

    @inlinable @inline(__always) package func double(_ row: Int) -> Double? {
        guard header.schemeCode == 1, width == 8, row < count else { return nil }
        return unsafe Double(bitPattern: payload.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
    }

    @inlinable @inline(__always) package var isShortLeaf: Bool { header.schemeCode == 1 && width > 0 }

    /// Reads a leaf of the short form: elements of `width` bytes, the last of which counts the padding (content 6.6.1).
    /// Nil for null, and for a node of another form. `row` must be below the count.
    @inlinable @inline(__always) package func shortBytes(_ row: Int) -> UnsafeRawBufferPointer? {
        guard isShortLeaf else { return nil }
        let start = unsafe payload + row &* width
        let padding = unsafe Int(start.load(fromByteOffset: width &- 1, as: UInt8.self))
        return unsafe padding < width ? UnsafeRawBufferPointer(start: start, count: width &- 1 &- padding) : nil
    }

    @inlinable package func target(at row: Int) -> ObjectKey? {
        // 0 is null; a negative number is an unresolved link, which reads as null (content 6.12).
        let stored = self[row]
        return stored > 0 ? ObjectKey(stored - 1) : nil
    }
}
