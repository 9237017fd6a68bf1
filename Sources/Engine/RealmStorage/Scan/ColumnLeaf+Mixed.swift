// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Selects the values of a Mixed column that may match, so a scan skips all others without reading them.
package struct MixedScan: Sendable {
    /// Bit n + 1 represents the type with number n (content 4.2).
    private var types: UInt32 = 0
    /// If there is a range, Ints match exactly if they're in it, and Doubles other than NaN if they're in `doubles`.
    package var ints: ClosedRange<Int64>?
    package var doubles: ClosedRange<Double>?

    package init(_ types: some Sequence<ColumnType>) {
        for type in types { self.types |= 1 << (UInt32(type.rawValue) + 1) }
    }

    /// Returns the rows whose descriptor alone matches, and those whose value must be read.
    fileprivate func narrow(_ leaf: MixedLeaf, from start: Int, count: Int) throws -> (RowSet, open: RowSet) {
        guard start >= 0, count <= RowSet.capacity, start <= leaf.count - count else {
            throw ColumnLeaf.noRow(leaf.root.ref)
        }
        if let ints, let found = leaf.descriptors.numbers(from: start, count: count, ints) { return found }
        let types = types
        let possible = leaf.descriptors.rows(from: start, count: count) { bits in
            UInt8(truncatingIfNeeded: types &>> UInt32(truncatingIfNeeded: bits & 31)) & 1
        }
        return (RowSet(), open: possible)
    }
}

extension Node {
    /// Returns the rows with an Int in the descriptor that is in `ints`, and those with another number. Requires
    /// descriptors of 16 bits or more; returns nil for narrower ones, among which numbers are rare.
    fileprivate func numbers(
        from start: Int, count: Int, _ ints: ClosedRange<Int64>
    ) -> (RowSet, open: RowSet)? {
        switch width {
        case 64: numbers(start, count, ints, Int64.self)
        case 32: numbers(start, count, ints, Int32.self)
        case 16: numbers(start, count, ints, Int16.self)
        default: nil
        }
    }

    /// Two loops, because the compiler vectorises them better than one that does both.
    @inline(__always)
    private func numbers<Element: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _ ints: ClosedRange<Int64>, _: Element.Type
    ) -> (RowSet, open: RowSet) {
        typealias Word = Element.Magnitude
        verify(start, count)
        let size = MemoryLayout<Element>.size
        func element(_ row: Int) -> Element {
            unsafe Element(
                littleEndian: payload.loadUnaligned(fromByteOffset: (start &+ row) &* size, as: Element.self))
        }
        let int = Element(MixedDescriptor.code(of: .int))
        // Floats, doubles and decimals have adjacent numbers (content 4.2).
        let first = Element(MixedDescriptor.code(of: .float))
        let others = Word(MixedDescriptor.code(of: .decimal) - MixedDescriptor.code(of: .float))
        let open = unsafe RowFlags.rows(count) { flags in
            for row in 0..<count {
                let bits = element(row)
                let isInt: Word = bits & 31 == int ? 1 : 0
                let isInline: Word = bits & 0xFF == int ? 1 : 0
                let isOther: Word = Word(truncatingIfNeeded: (bits & 31) &- first) <= others ? 1 : 0
                let flag = UInt8(truncatingIfNeeded: isInt &+ isOther &- isInline)
                unsafe flags.storeBytes(of: flag, toByteOffset: row, as: UInt8.self)
            }
        }
        // Ints inside descriptors ascend as the descriptors do.
        let least = max(ints.lowerBound, Int64(Element.min >> 8))
        let greatest = min(ints.upperBound, Int64(Element.max >> 8))
        guard least <= greatest else { return (RowSet(), open) }
        let low = Element(truncatingIfNeeded: least << 8)
        let span = Word(truncatingIfNeeded: (greatest &- least) << 8 | 0xFF)
        let accepted = unsafe RowFlags.rows(count) { flags in
            for row in 0..<count {
                let bits = element(row)
                let isInside: Word = Word(truncatingIfNeeded: bits &- low) <= span ? 1 : 0
                let isInline: Word = bits & 0xFF == int ? 1 : 0
                let flag = UInt8(truncatingIfNeeded: isInside & isInline)
                unsafe flags.storeBytes(of: flag, toByteOffset: row, as: UInt8.self)
            }
        }
        return (accepted, open)
    }
}

extension ColumnLeaf {
    /// Returns the rows among `rows` and the `count` rows that match: by the ranges of the scan, otherwise strings and
    /// data by `matchesBytes` and all other values by `matches`. Null doesn't match.
    package func filterMixed(
        from start: Int, _ rows: RowSet, count: Int, _ scan: MixedScan,
        bytes matchesBytes: ((UnsafeRawBufferPointer, ColumnType) throws -> Bool)?,
        _ matches: (StoredValue) throws -> Bool
    ) throws -> RowSet {
        let leaf = try mixed
        let ints = try leaf.slot(FileFormat.Mixed.ints)
        let numbers = ints == 0 ? nil : try space.node(ints).plain()
        var (accepted, open) = try scan.narrow(leaf, from: start, count: count)
        (accepted, open) = (accepted.intersection(rows), open.intersection(rows))
        if let range = scan.doubles, let numbers, numbers.width == 64 {
            let doubles = leaf.doubles(from: start, open, in: range, numbers)
            (accepted, open) = (accepted.union(doubles.accepted), doubles.open)
        }
        let found = try open.filter { row in
            let descriptor = try leaf.descriptor(at: start &+ row)
            switch (descriptor.type, descriptor.payload) {
            case (.int, .ints):
                if let range = scan.ints, let numbers {
                    return range.contains(try numbers.element(descriptor.entry(leaf.root)))
                }
            case (.string, .strings), (.binary, .strings):
                if let matchesBytes = unsafe matchesBytes, let type = descriptor.type {
                    let value = try leaf.bytes(descriptor, type == .string ? .string : .binary)
                    if let joined = value.joined {
                        return try unsafe joined.withUnsafeBytes { try unsafe matchesBytes($0, type) }
                    }
                    return try unsafe value.span.map { try unsafe matchesBytes($0, type) } ?? false
                }
            default: break
            }
            let value = try leaf.value(at: start &+ row)
            return value.isNull ? false : try matches(value)
        }
        return accepted.union(found)
    }
}

extension MixedLeaf {
    /// Returns the rows among `rows` whose Doubles are in `range`, and those with another value, a NaN, or damage.
    /// `numbers` is the payload, of 64-bit elements.
    fileprivate func doubles(
        from start: Int, _ rows: RowSet, in range: ClosedRange<Double>, _ numbers: Node
    ) -> (accepted: RowSet, open: RowSet) {
        let wanted = MixedDescriptor(.double, .ints, 0).rawValue
        let (code, count) = (descriptors.header.widthCode, UInt(bitPattern: numbers.count))
        var open = RowSet()
        let accepted = rows.filter { row in
            // `narrow` has checked that the rows are in the leaf.
            let bits = unsafe Node.load(descriptors.payload, start &+ row, code)
            let entry = Int(bits >> 8)
            guard bits & 0xFF == wanted, UInt(bitPattern: entry) < count else {
                open.insert(row)
                return false
            }
            let number = unsafe Double(
                bitPattern: numbers.payload.loadUnaligned(fromByteOffset: entry &* 8, as: UInt64.self))
            if range.lowerBound <= number, number <= range.upperBound { return true }
            if number.isNaN { open.insert(row) }
            return false
        }
        return (accepted, open)
    }
}
