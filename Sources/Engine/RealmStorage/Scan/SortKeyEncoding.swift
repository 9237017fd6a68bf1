// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The values of a column for many objects, encoded as numbers with the same equality and order (content 8.1). Reads
/// the column leaves without a value for each row.
///
/// Most types need one word of 64 bits; dates, ObjectIds and UUIDs have a second one. Nulls are stored separately.
package struct SortKeyEncoding {
    private let type: ColumnType
    private var words: [UInt64]
    private var tails: [UInt64]
    private var count = 0
    /// The indices of nulls, ascending.
    private var nulls: [Int] = []

    package static func serve(_ type: ColumnType) -> Bool {
        switch type {
        case .int, .bool, .float, .double, .timestamp, .objectId, .uuid: true
        default: false
        }
    }

    package init(_ type: ColumnType, capacity: Int) {
        precondition(SortKeyEncoding.serve(type))
        self.type = type
        words = Array(repeating: 0, count: capacity)
        let hasTails = [.timestamp, .objectId, .uuid].contains(type)
        tails = hasTails ? Array(repeating: 0, count: capacity) : []
    }

    /// The rows must fit the capacity.
    package mutating func append(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        precondition(run.count <= words.count - count)
        switch leaf.kind {
        case .int: fill(leaf.node, run, shift: 0)
        case .optionalInt: fillOptional(leaf.node, run, shift: 1)
        case .bool: fillBools(leaf.node, run)
        case .float: fillFloats(leaf.node, run)
        case .double: fillDoubles(leaf.node, run)
        case .timestamp: try fillDates(leaf, run)
        default: try fillIdentifiers(leaf, run)
        }
        count += run.count
    }

    /// Returns the columns that determine the order of the values, the most significant first.
    package consuming func columns(ascending: Bool) -> [SortKeyColumn] {
        words.removeLast(words.count - count)
        if !tails.isEmpty { tails.removeLast(tails.count - count) }
        guard !nulls.isEmpty else { return SortKeyEncoding.columns(words, tails, ascending) }
        // The word of a null must not widen the range of the words.
        let value = nulls.indices.first { nulls[$0] != $0 } ?? nulls.count
        var isValue = [UInt64](repeating: 1, count: count)
        for place in nulls {
            isValue[place] = 0
            words[place] = value < count ? words[value] : 0
            if !tails.isEmpty { tails[place] = value < count ? tails[value] : 0 }
        }
        return [SortKeyColumn(isValue, ascending: ascending)] + SortKeyEncoding.columns(words, tails, ascending)
    }

    private static func columns(_ words: [UInt64], _ tails: [UInt64], _ ascending: Bool) -> [SortKeyColumn] {
        (tails.isEmpty ? [words] : [words, tails]).map { SortKeyColumn($0, ascending: ascending) }
    }

    @inline(__always)
    private mutating func set(_ run: RowRun, _ limit: Int, _ word: (Int) -> UInt64) {
        let (first, count) = (count, run.count)
        if let start = run.block?.start {
            precondition(start >= 0 && start <= limit - count)
            unsafe words.withUnsafeMutableBufferPointer { words in
                for index in 0..<count { unsafe words[first &+ index] = word(start &+ index) }
            }
        } else {
            unsafe words.withUnsafeMutableBufferPointer { words in
                for index in 0..<count {
                    let row = run.rows[index]
                    precondition(UInt(bitPattern: row) < UInt(bitPattern: limit))
                    unsafe words[first &+ index] = word(row)
                }
            }
        }
    }

    @inline(__always)
    private static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

    /// Reads packed integers. `shift` elements precede that of row 0.
    private mutating func fill(_ node: Node, _ run: RowRun, shift: Int) {
        let (payload, limit) = unsafe (node.payload, node.count - shift)
        switch node.header.widthCode {
        case 4: set(run, limit) { SortKeyEncoding.word(unsafe Node.load(payload, $0 &+ shift, 4)) }
        case 5: set(run, limit) { SortKeyEncoding.word(unsafe Node.load(payload, $0 &+ shift, 5)) }
        case 6: set(run, limit) { SortKeyEncoding.word(unsafe Node.load(payload, $0 &+ shift, 6)) }
        case 7: set(run, limit) { SortKeyEncoding.word(unsafe Node.load(payload, $0 &+ shift, 7)) }
        case let code: set(run, limit) { SortKeyEncoding.word(unsafe Node.load(payload, $0 &+ shift, code)) }
        }
    }

    /// Reads elements after the null marker, with which a nullable leaf begins (content 6.2), and records the nulls.
    private mutating func fillOptional(_ node: Node, _ run: RowRun, shift: Int) {
        fill(node, run, shift: shift)
        noteNulls(run, where: SortKeyEncoding.word(node[0]))
    }

    private mutating func noteNulls(_ run: RowRun, where marker: UInt64) {
        for place in count..<count + run.count where words[place] == marker { nulls.append(place) }
    }

    private mutating func fillBools(_ node: Node, _ run: RowRun) {
        let (payload, code) = unsafe (node.payload, node.header.widthCode)
        set(run, node.count) { unsafe UInt64(bitPattern: Node.load(payload, $0, code)) }
        for place in count..<count + run.count {
            if words[place] == UInt64(PackedElement.nullBool) { nulls.append(place) }
            words[place] = words[place] == 0 ? 0 : 1
        }
    }

    /// Encodes the NaNs in the order of their bits, then the numbers, with −0 equal to 0.
    private mutating func fillFloats(_ node: Node, _ run: RowRun) {
        let payload = unsafe node.payload
        var nullCount = 0
        set(run, node.count) { row in
            let bits = unsafe UInt32(
                littleEndian: payload.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
            if bits == FloatingNull.float { nullCount &+= 1 }
            let value = Float(bitPattern: bits)
            if value.isNaN { return UInt64(bits) }
            let number = value == 0 ? 0 : bits
            return 1 << 32 | UInt64(number >> 31 == 0 ? number | 1 << 31 : ~number)
        }
        if nullCount > 0 { noteNulls(run, where: UInt64(FloatingNull.float)) }
    }

    private mutating func fillDoubles(_ node: Node, _ run: RowRun) {
        let payload = unsafe node.payload
        var nullCount = 0
        set(run, node.count) { row in
            let bits = unsafe UInt64(
                littleEndian: payload.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
            if bits == FloatingNull.double { nullCount &+= 1 }
            return SortKeyEncoding.word(doubleOf: bits)
        }
        if nullCount > 0 { noteNulls(run, where: SortKeyEncoding.word(doubleOf: FloatingNull.double)) }
    }

    /// All numbers and NaNs just fit: both zeros have the same word, and infinity has the largest one.
    @inline(__always)
    private static func word(doubleOf bits: UInt64) -> UInt64 {
        let fraction: UInt64 = 1 << 52 - 1
        let infinity: UInt64 = 0x7FF << 52
        guard bits & ~(1 << 63) > infinity else {
            let number = bits << 1 == 0 ? 0 : bits
            return (number >> 63 == 0 ? number | 1 << 63 : ~number) &+ fraction
        }
        return bits >> 63 == 0 ? bits &- infinity &- 1 : bits &- (1 << 63 | infinity) &- 1 &+ fraction
    }

    private mutating func fillDates(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        let dates = try TimestampLeaf(leaf.space, leaf.node)
        fillOptional(dates.seconds.node, run, shift: 1)
        for (index, row) in run.rows.enumerated() {
            guard let fraction = Int32(exactly: try dates.nanoseconds.element(row)) else {
                throw StorageError.corrupt("an impossible date; the file is damaged", at: dates.nanoseconds.ref)
            }
            tails[count + index] = UInt64(Int64(fraction) - Int64(Int32.min))
        }
    }

    private mutating func fillIdentifiers(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        for (index, row) in run.rows.enumerated() {
            let place = count + index
            if leaf.kind == .objectId, let id = try leaf.objectId(at: row) {
                (words[place], tails[place]) = (id.high, UInt64(id.low))
            } else if leaf.kind == .uuid, let id = try leaf.uuid(at: row) {
                (words[place], tails[place]) = (id.high, id.low)
            } else {
                nulls.append(place)
            }
        }
    }
}
