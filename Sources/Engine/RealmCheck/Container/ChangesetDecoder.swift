// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Verifies that the change log of one commit can be decoded (container 7.4).
struct ChangesetDecoder {
    struct Malformed: Error {
        let message: String
    }

    private enum Operand {
        case zero
        case table
        case key
        case number
        /// A count, and that many collection keys.
        case path
        /// The type code of a string, and a string.
        case legacyString
    }

    private enum Selection: Int {
        case nothing = 0
        case table = 1
        case collection = 2
    }

    private static let instructions: [UInt8: (operands: [Operand], needs: Selection, selects: Selection?)] = [
        1: ([.table], .nothing, .nothing), 2: ([.table], .nothing, .nothing), 3: ([.table], .nothing, .nothing),
        10: ([.zero, .table], .nothing, .table),
        11: ([.key], .table, nil), 12: ([.key], .table, nil), 13: ([.key, .key], .table, nil),
        20: ([.key], .table, nil), 21: ([.key], .table, nil), 22: ([.key], .table, nil),
        30: ([.key, .key], .table, .collection), 45: ([.key, .key, .path], .table, .collection),
        31: ([.number], .collection, nil), 32: ([.number], .collection, nil),
        33: ([.number, .number], .collection, nil), 35: ([.number], .collection, nil),
        36: ([.number], .collection, nil),
        43: ([.key, .table], .table, nil),
        // Written by older libraries only.
        37: ([.legacyString, .number], .collection, nil), 38: ([.legacyString, .number], .collection, nil),
        39: ([.legacyString, .number], .collection, nil), 40: ([.number], .collection, nil),
        41: ([.number], .collection, nil), 42: ([.number], .collection, nil), 44: ([.number], .collection, nil),
    ]

    private let bytes: [UInt8]
    private(set) var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func decode() throws(Malformed) {
        var selected = Selection.nothing
        while at < bytes.count {
            let opcode = bytes[at]
            at += 1
            guard let instruction = Self.instructions[opcode] else { throw Malformed(message: "opcode \(opcode)") }
            if instruction.needs.rawValue > selected.rawValue {
                throw Malformed(message: "opcode \(opcode) with nothing selected")
            }
            for operand in instruction.operands { try read(operand) }
            selected = instruction.selects ?? selected
        }
    }

    private mutating func read(_ operand: Operand) throws(Malformed) {
        switch operand {
        case .zero: try expect(0...0, byteLimit: 10)
        case .table: try expect(0...Int64(UInt32.max), byteLimit: 5)
        case .key: _ = try signedNumber()
        case .number: _ = try size()
        case .path: try readPath()
        case .legacyString: try readLegacyString()
        }
    }

    private mutating func expect(_ range: ClosedRange<Int64>, byteLimit: Int) throws(Malformed) {
        let start = at
        let value = try signedNumber()
        guard range.contains(value), at - start <= byteLimit else {
            throw Malformed(message: "operand \(value) out of range")
        }
    }

    private mutating func readPath() throws(Malformed) {
        let depth = try size()
        guard depth <= UInt64(bytes.count) else { throw Malformed(message: "path of depth \(depth)") }
        for _ in 0..<depth { try expect(Int64(Int32.min)...Int64(Int32.max), byteLimit: 5) }
    }

    private mutating func readLegacyString() throws(Malformed) {
        let code = try size()
        let length = try size()
        guard code == UInt64(ColumnType.string.rawValue), length <= UInt64(bytes.count - at) else {
            throw Malformed(message: "string operand")
        }
        at += Int(length)
    }

    private mutating func signedNumber() throws(Malformed) -> Int64 {
        let (isNegative, magnitude) = try number()
        guard let value = Int64(exactly: magnitude) else { throw Malformed(message: "operand out of range") }
        return isNegative ? -1 - value : value
    }

    private mutating func size() throws(Malformed) -> UInt64 {
        let (isNegative, magnitude) = try number()
        if isNegative { throw Malformed(message: "negative index or size") }
        return magnitude
    }

    /// Groups of seven bits, the last of six and a sign, at most ten bytes.
    private mutating func number() throws(Malformed) -> (isNegative: Bool, magnitude: UInt64) {
        var magnitude: UInt64 = 0
        for group in 0..<10 {
            guard at < bytes.count else { throw Malformed(message: "ends in the middle of a number") }
            let byte = bytes[at]
            at += 1
            let bits = UInt64(byte & (byte >= 0x80 ? 0x7F : 0x3F))
            let shifted = bits << UInt64(7 * group)
            guard shifted >> UInt64(7 * group) == bits else { throw Malformed(message: "number of more than 64 bits") }
            magnitude |= shifted
            if byte < 0x80 { return (byte & 0x40 != 0, magnitude) }
        }
        throw Malformed(message: "number of more than 10 bytes")
    }
}
