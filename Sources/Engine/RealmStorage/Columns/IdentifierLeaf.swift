// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The two types with values of a fixed number of bytes, in blocks of eight rows.
enum IdentifierType {
    case objectId
    case uuid

    var size: Int { self == .objectId ? ObjectIdBytes.byteCount : UUIDBytes.byteCount }
    var blockSize: Int { 8 * size + 1 }
    /// No meaning; equal to those of the reference.
    var filler: [UInt8] {
        self == .objectId
            ? (0..<6).flatMap { _ in [0xDE, 0xAD] } : (0..<4).flatMap { _ in [0xDE, 0xAD, 0xBE, 0xEF] }
    }

    func byteCount(_ rows: Int) -> Int { size * rows + (rows + 7) / 8 }
}

/// Reads a leaf of ObjectId or UUID: blocks of a byte of null bits and up to eight values (content 6.10, 6.11).
struct IdentifierLeaf {
    let node: Node
    let type: IdentifierType
    let count: Int

    init(_ node: Node, _ type: IdentifierType) throws {
        let byteCount = try node.fixed(width: 1).count
        self.node = node
        self.type = type
        count = (byteCount - (byteCount + type.blockSize - 1) / type.blockSize) / type.size
        guard type.byteCount(count) == byteCount else { throw ColumnLeaf.wrongNode(node.ref) }
    }

    init(_ node: Node, _ type: IdentifierType, count: Int) {
        self.node = node
        self.type = type
        self.count = count
    }

    func isNull(at row: Int) throws -> Bool {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        return unsafe node.bytes[row / 8 * type.blockSize] >> UInt8(row % 8) & 1 != 0
    }

    func objectId(at row: Int) throws -> ObjectIdBytes? {
        guard try !isNull(at: row) else { return nil }
        let start = offset(of: row)
        return unsafe ObjectIdBytes(
            high: UInt64(bigEndian: node.payload.loadUnaligned(fromByteOffset: start, as: UInt64.self)),
            low: UInt32(bigEndian: node.payload.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)))
    }

    func uuid(at row: Int) throws -> UUIDBytes? {
        guard try !isNull(at: row) else { return nil }
        let start = offset(of: row)
        return unsafe UUIDBytes(
            high: UInt64(bigEndian: node.payload.loadUnaligned(fromByteOffset: start, as: UInt64.self)),
            low: UInt64(bigEndian: node.payload.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)))
    }

    func values(_ range: Range<Int>) throws -> [[UInt8]?] {
        try range.map { row in
            if try isNull(at: row) { return nil }
            let start = offset(of: row)
            return unsafe [UInt8](node.bytes[start..<start + type.size])
        }
    }

    func offset(of row: Int) -> Int { row / 8 * type.blockSize + 1 + row % 8 * type.size }
}
