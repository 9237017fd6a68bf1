// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Leaves of values of a fixed size (content 6). These functions return one value for each row, and check it.
extension Audit {
    /// Reads a leaf of single values. Only Int has two layouts (content 6).
    func leaf(
        _ type: ColumnType, nullable: Bool, _ ref: Int64, _ rows: Rows
    ) throws(Damage) -> [Datum] {
        let values = try uncheckedLeaf(type, nullable, ref, rows)
        if !nullable, type != .int, type != .link, values.contains(where: \.isNull) {
            violation(ref, "2:10.1 M41", "null in a column that is not nullable")
        }
        return values
    }

    private func uncheckedLeaf(
        _ type: ColumnType, _ nullable: Bool, _ ref: Int64, _ rows: Rows
    ) throws(Damage) -> [Datum] {
        switch type {
        case .int: try nullable ? nullableIntData(ref, rows) : intLeaf(ref, rows).map { .int($0) }
        case .bool: try boolLeaf(ref, rows)
        case .float: try floatLeaf(ref, rows)
        case .double: try doubleLeaf(ref, rows)
        case .string: try stringData(ref, rows)
        case .binary: try binaryLeaf(ref, rows).map { $0.isNull ? .null : .binary($0) }
        case .timestamp: try timestampLeaf(ref, rows)
        case .decimal: try decimalLeaf(ref, rows)
        case .objectId: try blockLeaf(ref, rows, byteCount: ObjectIdBytes.byteCount, Datum.objectId)
        case .uuid: try blockLeaf(ref, rows, byteCount: UUIDBytes.byteCount, Datum.uuid)
        case .typedLink: try typedLinkLeaf(ref, rows)
        default: throw Damage(ref, "2:4.2", "column of type \(type.rawValue)")
        }
    }

    // MARK: Integers (content 6.1-6.3)

    func intLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Int64] {
        let node = try expect(ref, "column leaf", Node.plain)
        try require(ref, node.count, rows)
        return try ints(node)
    }

    private func nullableIntData(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        try nullableIntLeaf(ref, rows).map { $0.map(Datum.int) ?? .null }
    }

    func nullableIntLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Int64?] {
        let node = try expect(ref, "column leaf", Node.plain)
        if node.count == 0 { throw Damage(ref, "2:6.2 M29", "nullable integers without the null marker") }
        try require(ref, node.count - 1, rows)
        let elements = try ints(node)
        let marker = elements[0]
        if node.width < 64, marker != PackedWidth.upperBound(node.width) {
            violation(ref, "2:6.2 W8 M29", "null marker \(marker) in an array of width \(node.width)")
        }
        return elements.dropFirst().map { $0 == marker ? nil : $0 }
    }

    private func boolLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let elements = try intLeaf(ref, rows)
        if elements.contains(where: { $0 != 0 && $0 != 1 && $0 != 3 }) {
            remnant(ref, "2:6.3", "a boolean that is neither 0, 1 nor 3")
        }
        return elements.map { $0 == 3 ? .null : .bool($0 != 0) }
    }

    /// Two elements for each row (content 6.13).
    private func typedLinkLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let node = try expect(ref, "column leaf", Node.plain)
        if node.count & 1 != 0 { throw Damage(ref, "2:6.13", "typed links of \(node.count) elements") }
        try require(ref, node.count / 2, rows)
        let elements = try ints(node)
        return (0..<node.count / 2).map { row in
            let table = elements[2 * row]
            return table == 0 ? .null : .typedLink(table: table &- 1, object: elements[2 * row + 1] &- 1)
        }
    }

    // MARK: Whole bytes (content 6.4, 6.5, 6.9-6.11)

    private func wholeElements(_ ref: Int64, _ rows: Rows, width: Int) throws(Damage) -> Node {
        let node = try expect(ref, "column leaf", Node.bytes)
        try require(ref, node.count, rows)
        if node.count > 0, node.width != width {
            throw Damage(ref, "2:6.4", "floating-point leaf of width \(node.width)")
        }
        return node
    }

    private func floatLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let node = try wholeElements(ref, rows, width: 4)
        return (0..<node.count).map { row in
            let bits = bytes.load(UInt32.self, at: node.payload + 4 * row)
            return bits == NullPattern.float ? .null : .float(bits)
        }
    }

    private func doubleLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let node = try wholeElements(ref, rows, width: 8)
        return (0..<node.count).map { row in
            let bits = bytes.load(UInt64.self, at: node.payload + 8 * row)
            return bits == NullPattern.double ? .null : .double(bits)
        }
    }

    private func decimalLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let node = try expect(ref, "column leaf", Node.bytes, or: Node.markedBytes)
        try require(ref, node.count, rows)
        let at = node.payload
        switch node.width {
        case 0:
            try spend(node)
            return Array(repeating: node.hasContext ? .decimal(DecimalNumber.zeroBits) : .null, count: node.count)
        case 4:
            return (0..<node.count).map { DecimalNumber.datum(narrow: bytes.load(UInt32.self, at: at + 4 * $0)) }
        case 8:
            return (0..<node.count).map { DecimalNumber.datum(medium: bytes.load(UInt64.self, at: at + 8 * $0)) }
        case 16:
            return (0..<node.count).map { row in
                let low = bytes.load(UInt64.self, at: at + 16 * row)
                let bits = DecimalBits(low: low, high: bytes.load(UInt64.self, at: at + 16 * row + 8))
                return bits == NullPattern.decimal ? .null : .decimal(bits)
            }
        default:
            throw Damage(ref, "2:6.9 M10", "decimal leaf of width \(node.width)")
        }
    }

    /// Blocks of a byte of null bits and eight values. The node counts bytes (content 6.10, 6.11).
    private func blockLeaf(
        _ ref: Int64, _ rows: Rows, byteCount size: Int, _ make: (ByteRun) -> Datum
    ) throws(Damage) -> [Datum] {
        let node = try expect(ref, "column leaf", Node.bytes)
        let block = 8 * size + 1
        let count = (node.count - (node.count + block - 1) / block) / size
        if node.count > 0, node.width != 1 || node.count != size * count + (count + 7) / 8 {
            throw Damage(
                ref, "2:6.10 M11", "\(node.count) bytes of width \(node.width) in a leaf of \(size)-byte values")
        }
        try require(ref, count, rows)
        return (0..<count).map { row in
            let at = node.payload + row / 8 * block
            let isNull = bytes.byte(at: at) >> UInt8(row % 8) & 1 != 0
            return isNull ? .null : make(ByteRun(start: at + 1 + row % 8 * size, count: size))
        }
    }

    // MARK: Timestamps (content 6.8, 10.4)

    private func timestampLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        let slots = try refArray(ref, "column leaf", limit: 2)
        if slots.count != 2 { throw Damage(ref, "2:6.8", "timestamp leaf of \(slots.count) slots") }
        let seconds = try nullableIntLeaf(slots[0], rows)
        let nanoseconds = try intLeaf(slots[1], .exactly(seconds.count))
        return zip(seconds, nanoseconds).map { second, nanosecond in
            guard let second else { return .null }
            checkTimestamp(ref, second, nanosecond)
            return .timestamp(seconds: second, nanoseconds: nanosecond)
        }
    }

    func checkTimestamp(_ ref: Int64, _ seconds: Int64, _ nanoseconds: Int64) {
        let hasOppositeSigns = seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0
        if hasOppositeSigns || nanoseconds.magnitude > 999_999_999 {
            violation(ref, "2:10.4 M40", "timestamp (\(seconds), \(nanoseconds))")
        }
    }
}
