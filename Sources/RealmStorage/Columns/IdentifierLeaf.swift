// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The two types whose values are a fixed number of bytes in blocks of eight rows.
enum IdentifierType {
    case objectId
    case uuid

    var size: Int { self == .objectId ? ObjectIdBytes.byteCount : UUIDBytes.byteCount }
    /// Eight values and the byte of their null bits.
    var blockSize: Int { 8 * size + 1 }
    /// What stands in a null row; meaningless, and the same as the reference writes.
    var filler: [UInt8] {
        self == .objectId
            ? (0..<6).flatMap { _ in [0xDE, 0xAD] } : (0..<4).flatMap { _ in [0xDE, 0xAD, 0xBE, 0xEF] }
    }

    /// The number of bytes of `rows` rows.
    func byteCount(_ rows: Int) -> Int { size * rows + (rows + 7) / 8 }
}

/// Reading a leaf of ObjectId or UUID: blocks of a byte of null bits and up to eight values (content 6.10, 6.11).
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

    /// The bytes of some rows; nil for null.
    func values(_ range: Range<Int>) throws -> [[UInt8]?] {
        try range.map { row in
            if try isNull(at: row) { return nil }
            let start = offset(of: row)
            return unsafe [UInt8](node.bytes[start..<start + type.size])
        }
    }

    func offset(of row: Int) -> Int { row / 8 * type.blockSize + 1 + row % 8 * type.size }
}

/// Writing leaves of ObjectId and UUID. Appending and setting write in place; an insertion or erasure in the middle
/// encodes anew what lies behind it.
extension NodeStore {
    func createIdentifiers(_ type: IdentifierType, _ values: [[UInt8]?]) throws -> Ref {
        unsafe try IdentifierLeaf.encode(type, values).withUnsafeBytes {
            try unsafe create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 1)
        }
    }

    func identifierInsert(_ ref: inout Ref, _ type: IdentifierType, at row: Int, _ value: [UInt8]?) throws {
        let leaf = try identifierLeaf(&ref, type)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if row == leaf.count, row % 8 != 0 {
            let end = leaf.node.count
            unsafe try (value ?? type.filler).withUnsafeBytes {
                try unsafe splice(&ref, end..<end, with: $0, count: end + type.size)
            }
            try setNullBit(&ref, type, row, value == nil)
        } else {
            let block = row - row % 8
            var values = try leaf.values(block..<leaf.count)
            values.insert(value, at: row - block)
            try replaceIdentifiers(&ref, leaf, from: block, by: values)
        }
    }

    func identifierSet(_ ref: inout Ref, _ type: IdentifierType, at row: Int, _ value: [UInt8]?) throws {
        let leaf = try identifierLeaf(&ref, type)
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        unsafe try (value ?? type.filler).withUnsafeBytes {
            try unsafe overwrite(&ref, at: leaf.offset(of: row), with: $0)
        }
        try setNullBit(&ref, type, row, value == nil)
    }

    func identifierErase(_ ref: inout Ref, _ type: IdentifierType, _ range: Range<Int>) throws {
        let leaf = try identifierLeaf(&ref, type)
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let block = range.lowerBound - range.lowerBound % 8
        let kept = try leaf.values(block..<range.lowerBound) + leaf.values(range.upperBound..<leaf.count)
        try replaceIdentifiers(&ref, leaf, from: block, by: kept)
    }

    func identifierMoveSuffix(_ ref: inout Ref, _ type: IdentifierType, from row: Int) throws -> Ref {
        let leaf = try identifierLeaf(&ref, type)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try createIdentifiers(type, leaf.values(row..<leaf.count))
        try identifierErase(&ref, type, row..<leaf.count)
        return suffix
    }

    func identifierAppend(_ ref: inout Ref, _ type: IdentifierType, contentsOf other: Ref) throws {
        let leaf = try identifierLeaf(&ref, type)
        let rest = try IdentifierLeaf(space.node(other), type)
        let block = leaf.count - leaf.count % 8
        let values = try leaf.values(block..<leaf.count) + rest.values(0..<rest.count)
        try replaceIdentifiers(&ref, leaf, from: block, by: values)
        try free(other)
    }

    /// Puts `values` in place of all rows from `row` on, which starts a block.
    private func replaceIdentifiers(
        _ ref: inout Ref, _ leaf: IdentifierLeaf, from row: Int, by values: [[UInt8]?]
    ) throws {
        let start = leaf.type.byteCount(row)
        let bytes = IdentifierLeaf.encode(leaf.type, values)
        unsafe try bytes.withUnsafeBytes {
            try unsafe replaceBytes(&ref, start..<leaf.node.count, with: $0, count: start + bytes.count)
        }
    }

    private func setNullBit(_ ref: inout Ref, _ type: IdentifierType, _ row: Int, _ isNull: Bool) throws {
        let offset = row / 8 * type.blockSize
        let bit = UInt8(1) << UInt8(row % 8)
        let old = unsafe try space.node(ref).bytes[offset]
        let new = isNull ? old | bit : old & ~bit
        if new != old { try unsafe [new].withUnsafeBytes { try unsafe overwrite(&ref, at: offset, with: $0) } }
    }

    /// The leaf, whose header counts single bytes even if it is empty.
    private func identifierLeaf(_ ref: inout Ref, _ type: IdentifierType) throws -> IdentifierLeaf {
        let leaf = try IdentifierLeaf(space.node(ref), type)
        guard leaf.node.width != 1 || leaf.node.header.schemeCode != 1 else { return leaf }
        try free(ref)
        ref = try createIdentifiers(type, [])
        return try IdentifierLeaf(space.node(ref), type)
    }
}

extension IdentifierLeaf {
    fileprivate static func encode(_ type: IdentifierType, _ values: [[UInt8]?]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(type.byteCount(values.count))
        for start in stride(from: 0, to: values.count, by: 8) {
            let block = values[start..<min(start + 8, values.count)]
            bytes.append(block.reversed().reduce(0) { $0 << 1 | ($1 == nil ? 1 : 0) })
            for value in block { bytes += value ?? type.filler }
        }
        return bytes
    }
}
