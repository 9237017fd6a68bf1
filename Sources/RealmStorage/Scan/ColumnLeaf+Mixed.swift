// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Which values of a column of Mixed may match, so that a scan passes over all others without making values of them.
package struct MixedScan: Sendable {
    /// Bit n + 1 for the type of number n (content 4.2).
    private var types: UInt32 = 0
    /// Where there is a range, it alone decides about Ints; the same for Doubles, but for NaNs.
    package var ints: ClosedRange<Int64>?
    package var doubles: ClosedRange<Double>?

    package init(_ types: some Sequence<ColumnType>) {
        for type in types { self.types |= 1 << (UInt32(type.rawValue) + 1) }
    }

    /// The rows of which the descriptor tells that they match, and those of which the value must be looked at.
    fileprivate func narrow(_ leaf: MixedLeaf, from start: Int, count: Int) throws -> (RowSet, open: RowSet) {
        guard start >= 0, count <= RowSet.capacity, start <= leaf.count - count else {
            throw ColumnLeaf.noRow(leaf.root.ref)
        }
        let types = types
        let possible = leaf.descriptors.rows(from: start, count: count) { bits in
            UInt8(truncatingIfNeeded: types &>> UInt32(truncatingIfNeeded: bits & 31)) & 1
        }
        guard let ints else { return (RowSet(), open: possible) }
        let inline = leaf.descriptors.rows(from: start, count: count) { bits in
            MixedDescriptor(rawValue: bits).isInlineInt ? 1 : 0
        }
        let accepted = leaf.descriptors.rows(from: start, count: count) { bits in
            let number = MixedDescriptor(rawValue: bits).number
            return (ints.lowerBound <= number ? 1 : 0) & (number <= ints.upperBound ? 1 : 0)
        }
        return (accepted.intersection(inline), open: possible.subtracting(inline))
    }
}

extension ColumnLeaf {
    /// Those of the `count` rows that are among `rows` and match: by the ranges of the scan, else strings and data by
    /// `matchesBytes` and all others by `matches`. Null does not match.
    package func filterMixed(
        from start: Int, _ rows: RowSet, count: Int, _ scan: MixedScan,
        bytes matchesBytes: ((UnsafeRawBufferPointer, ColumnType) throws -> Bool)?,
        _ matches: (StoredValue) throws -> Bool
    ) throws -> RowSet {
        let leaf = try mixed
        let ints = try leaf.slot(FileFormat.Mixed.ints)
        let numbers = ints == 0 ? nil : try space.node(ints).plain()
        let (accepted, open) = try scan.narrow(leaf, from: start, count: count)
        let found = try open.intersection(rows).filter { row in
            let descriptor = try leaf.descriptor(at: start &+ row)
            switch (descriptor.type, descriptor.payload) {
            case (.int, .ints):
                if let range = scan.ints, let numbers {
                    return range.contains(try numbers.element(descriptor.entry(leaf.root)))
                }
            case (.double, .ints):
                if let range = scan.doubles, let numbers {
                    let bits = try numbers.element(descriptor.entry(leaf.root))
                    let number = Double(bitPattern: UInt64(bitPattern: bits))
                    if !number.isNaN { return range.contains(number) }
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
        return accepted.intersection(rows).union(found)
    }
}
