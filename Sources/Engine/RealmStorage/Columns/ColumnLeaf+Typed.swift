// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads of one type each, where the cost of a `StoredValue` matters. A call for a leaf of another kind stops the
/// process.
extension ColumnLeaf {
    @inlinable package func int(at row: Int) throws -> Int64 {
        guard case .int = kind else { ColumnLeaf.wrongKind() }
        return try element(row)
    }

    @inlinable package func optionalInt(at row: Int) throws -> Int64? {
        guard case .optionalInt = kind else { ColumnLeaf.wrongKind() }
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let value = node[row &+ 1]
        return value == node[0] ? nil : value
    }

    @inlinable package func float(at row: Int) throws -> Float? {
        guard case .float = kind else { ColumnLeaf.wrongKind() }
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let bits = unsafe UInt32(
            littleEndian: node.payload.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
        return bits == FloatingNull.float ? nil : Float(bitPattern: bits)
    }

    @inlinable package func double(at row: Int) throws -> Double? {
        guard case .double = kind else { ColumnLeaf.wrongKind() }
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let bits = unsafe UInt64(
            littleEndian: node.payload.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
        return bits == FloatingNull.double ? nil : Double(bitPattern: bits)
    }

    /// The raw element of a leaf that is one packed node: a ref, a tagged integer, a stored link, an index of an
    /// enumerated string, or a number.
    @inlinable package func ref(at row: Int) throws -> Int64 {
        guard kind.isPacked else { ColumnLeaf.wrongKind() }
        return try element(row)
    }

    package func keys() -> [ObjectKey] {
        guard case .key = kind else { ColumnLeaf.wrongKind() }
        return unsafe [ObjectKey](unsafeUninitializedCapacity: node.count) { keys, count in
            node.forEachPacked(from: 0, count: node.count) { element in
                unsafe keys.initializeElement(at: count, to: ObjectKey(element))
                count += 1
            }
        }
    }

    func holds(_ key: ObjectKey) -> Bool {
        guard case .key = kind else { ColumnLeaf.wrongKind() }
        // Branch-free, so that several elements are compared at once.
        var places: UInt8 = 0
        node.forEachPacked(from: 0, count: node.count) { places |= $0 == key.rawValue ? 1 : 0 }
        return places > 0
    }

    /// `body` gets the bytes in place, without the terminating zero; nil for null.
    @inlinable package func withStringBytes<R>(
        at row: Int, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R {
        let bytes = try storedBytes(at: row)
        if let joined = bytes.joined { return try unsafe joined.withUnsafeBytes { try unsafe body($0) } }
        return unsafe try body(bytes.span)
    }

    package func string(at row: Int) throws -> String? {
        if case .binary = kind { ColumnLeaf.wrongKind() }
        return unsafe try storedBytes(at: row).span.map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    package func binary(at row: Int) throws -> [UInt8]? {
        guard case .binary = kind else { ColumnLeaf.wrongKind() }
        let bytes = try storedBytes(at: row)
        return unsafe bytes.joined ?? bytes.span.map { unsafe [UInt8]($0) }
    }

    package func timestamp(at row: Int) throws -> Timestamp? {
        guard case .timestamp = kind else { ColumnLeaf.wrongKind() }
        return try TimestampLeaf(space, node).value(at: row)
    }

    package func decimal(at row: Int) throws -> DecimalBits? {
        guard case .decimal = kind else { ColumnLeaf.wrongKind() }
        return try DecimalLeaf(node).value(at: row)
    }

    package func objectId(at row: Int) throws -> ObjectIdBytes? {
        guard case .objectId = kind else { ColumnLeaf.wrongKind() }
        return try identifiers(.objectId).objectId(at: row)
    }

    package func uuid(at row: Int) throws -> UUIDBytes? {
        guard case .uuid = kind else { ColumnLeaf.wrongKind() }
        return try identifiers(.uuid).uuid(at: row)
    }

    package func typedLink(at row: Int) throws -> ObjectLink? {
        guard case .typedLink = kind else { ColumnLeaf.wrongKind() }
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let (table, object) = (node[2 * row], node[2 * row + 1])
        guard table != 0 else { return nil }
        guard 1...0x7FFF_FFFF ~= table, object > .min else {
            throw StorageError.corrupt("an impossible link; the file is damaged", at: node.ref)
        }
        return ObjectLink(table: TableKey(UInt32(table - 1)), object: ObjectKey(object - 1))
    }

    package var mixed: MixedLeaf {
        get throws {
            guard case .mixed = kind else { ColumnLeaf.wrongKind() }
            return try MixedLeaf(space, node)
        }
    }

    @inlinable func element(_ row: Int) throws -> Int64 {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        return node[row]
    }

    /// Without a second validation.
    func identifiers(_ type: IdentifierType) -> IdentifierLeaf { IdentifierLeaf(node, type, count: count) }

    @usableFromInline func storedBytes(at row: Int) throws -> StoredBytes {
        switch kind {
        case .string: return try BytesLeaf.value(space, node, .string, row, joining: false)
        case .binary: return try BytesLeaf.value(space, node, .binary, row, joining: true)
        case .enumeratedString(let keys):
            return try BytesLeaf.value(space, space.node(keys), .string, Int(element(row)), joining: false)
        default: ColumnLeaf.wrongKind()
        }
    }

    @usableFromInline @inline(never) static func wrongKind() -> Never {
        preconditionFailure("a read of another type than the leaf's")
    }
}
