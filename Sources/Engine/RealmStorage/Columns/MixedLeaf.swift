// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads a leaf of Mixed values: a descriptor for each row, and the arrays of payload to which descriptors refer
/// (content 6.14).
@usableFromInline
package struct MixedLeaf {
    let space: NodeSpace
    let root: Node
    let descriptors: Node

    package init(_ space: NodeSpace, _ root: Node) throws {
        guard MixedLeaf.mayBegin(at: root) else { throw ColumnLeaf.wrongNode(root.ref) }
        self.space = space
        self.root = root
        descriptors = try space.node(root.child(FileFormat.Mixed.descriptors)).plain()
    }

    init(_ space: NodeSpace, _ root: Node, _ descriptors: Node) {
        (self.space, self.root, self.descriptors) = (space, root, descriptors)
    }

    package static func mayBegin(at root: Node) -> Bool {
        root.header.schemeCode == 0 && root.header.hasRefs && !root.header.isInner
            && FileFormat.Mixed.legalCounts ~= root.count
    }

    package var count: Int { descriptors.count }

    package func value(at row: Int) throws -> StoredValue {
        let descriptor = try descriptor(at: row)
        guard descriptor.rawValue != 0 else { return .null }
        switch (descriptor.type, descriptor.payload) {
        case (.int, .inline): return .int(descriptor.number)
        case (.int, .ints): return .int(try int(descriptor))
        case (.bool, .inline): return .bool(descriptor.number != 0)
        case (.string, .strings):
            return unsafe try bytes(descriptor, .string).span.map {
                unsafe .string(String(decoding: $0, as: UTF8.self))
            }
                ?? .null
        case (.binary, .strings):
            let bytes = try bytes(descriptor, .binary)
            return unsafe (bytes.joined ?? bytes.span.map { unsafe [UInt8]($0) }).map { .binary($0) } ?? .null
        case (.timestamp, .pairs): return try timestamp(descriptor)
        case (.float, .ints):
            let bits = UInt32(truncatingIfNeeded: try int(descriptor))
            return bits == FloatingNull.float ? .null : .float(Float(bitPattern: bits))
        case (.double, .ints):
            let bits = UInt64(bitPattern: try int(descriptor))
            return bits == FloatingNull.double ? .null : .double(Double(bitPattern: bits))
        case (.decimal, .pairs):
            let pair = try pair(descriptor)
            let bits = DecimalBits(low: UInt64(bitPattern: pair.0), high: UInt64(bitPattern: pair.1))
            return bits.isNull ? .null : .decimal(bits)
        case (.link, .ints): return .link(ObjectKey(try int(descriptor)))
        case (.typedLink, .pairs): return try link(descriptor)
        case (.objectId, .strings):
            return .objectId(ObjectIdBytes(bytes: try bytes(descriptor, count: ObjectIdBytes.byteCount)))
        case (.uuid, .strings): return .uuid(UUIDBytes(bytes: try bytes(descriptor, count: UUIDBytes.byteCount)))
        case (.list, .refs): return .list(try tree(descriptor), key: try key(at: row))
        case (.dictionary, .refs): return .dictionary(try tree(descriptor), key: try key(at: row))
        default: throw damaged()
        }
    }

    package func inlineInt(at row: Int) throws -> Int? {
        let descriptor = try descriptor(at: row)
        return descriptor.isInlineInt ? Int(descriptor.number) : nil
    }

    /// Stops at the first row with another value. Returns the number of ints.
    package func inlineInts(_ rows: Range<Int>, to target: UnsafeMutablePointer<Int>) -> Int {
        guard rows.lowerBound >= 0, rows.upperBound <= count else { return 0 }
        return switch descriptors.width {
        case 64: unsafe inlineInts(Int64.self, rows, to: target)
        case 32: unsafe inlineInts(Int32.self, rows, to: target)
        case 16: unsafe inlineInts(Int16.self, rows, to: target)
        default: 0
        }
    }

    /// The descriptors must have the width of `Stored`.
    @inline(__always)
    private func inlineInts<Stored: FixedWidthInteger>(
        _ type: Stored.Type, _ rows: Range<Int>, to target: UnsafeMutablePointer<Int>
    ) -> Int {
        for row in rows {
            let raw = unsafe descriptors.payload.loadUnaligned(
                fromByteOffset: row &* (Stored.bitWidth >> 3), as: type)
            let descriptor = MixedDescriptor(rawValue: Int64(raw))
            guard descriptor.isInlineInt else { return row - rows.lowerBound }
            unsafe (target + (row - rows.lowerBound)).initialize(to: Int(descriptor.number))
        }
        return rows.count
    }

    func isInline(_ rows: Range<Int>) -> Bool {
        rows.allSatisfy { MixedDescriptor(rawValue: descriptors[$0]).payload == .inline }
    }

    func isNull(at row: Int) throws -> Bool {
        let descriptor = try descriptor(at: row)
        switch (descriptor.type, descriptor.payload) {
        case (nil, _): return descriptor.rawValue == 0 ? true : try value(at: row).isNull
        case (.int, .inline), (.bool, .inline): return false
        case (.string, .strings): return unsafe try bytes(descriptor, .string).span == nil
        default: return try value(at: row).isNull
        }
    }

    func isLink(at row: Int) throws -> Bool { try descriptor(at: row).type == .typedLink }

    func isCollection(at row: Int) throws -> Bool { try descriptor(at: row).isCollection }

    /// 0 without a collection. Arrays of keys may be too short (content 13.4).
    package func key(at row: Int) throws -> Int64 {
        let ref = try slot(FileFormat.Mixed.keys)
        guard ref != 0 else { return 0 }
        let keys = try space.node(ref).plain()
        return row < keys.count ? keys[row] : 0
    }

    /// Keys are unique in a leaf of a list or dictionary. Nil if the key isn't in this leaf.
    package func row(ofKey key: Int64) throws -> Int? {
        let ref = try slot(FileFormat.Mixed.keys)
        guard ref != 0, key != 0 else { return nil }
        let keys = try space.node(ref).plain()
        return (0..<min(keys.count, count)).first { keys[$0] == key }
    }

    func keys() throws -> [Int64] {
        let ref = try slot(FileFormat.Mixed.keys)
        guard ref != 0 else { return [] }
        let keys = try space.node(ref).plain()
        return (0..<min(keys.count, count)).map { keys[$0] }.filter { $0 != 0 }
    }

    /// Leaves of older formats lack slots.
    var hasAllSlots: Bool { root.count == FileFormat.Mixed.count }

    func descriptor(at row: Int) throws -> MixedDescriptor {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(root.ref) }
        return MixedDescriptor(rawValue: descriptors[row])
    }

    /// 0 for slots that leaves of older formats lack.
    func slot(_ index: Int) throws -> Ref { index < root.count ? try root.child(index) : 0 }

    var hasKeys: Bool { get throws { try slot(FileFormat.Mixed.keys) != 0 } }

    @inline(never) func damaged() -> any Error {
        StorageError.corrupt("a Mixed value of no possible form; the file is damaged", at: root.ref)
    }

    // MARK: Payload

    func int(_ descriptor: MixedDescriptor) throws -> Int64 {
        try space.node(slot(FileFormat.Mixed.ints)).plain().element(descriptor.entry(root))
    }

    func pair(_ descriptor: MixedDescriptor) throws -> (Int64, Int64) {
        let pairs = try space.node(slot(FileFormat.Mixed.pairs)).plain()
        let entry = try descriptor.entry(root)
        return (try pairs.element(2 * entry), try pairs.element(2 * entry + 1))
    }

    func tree(_ descriptor: MixedDescriptor) throws -> Ref {
        try space.refs(slot(FileFormat.Mixed.refs)).child(descriptor.entry(root))
    }

    func bytes(_ descriptor: MixedDescriptor, _ type: BytesStyle) throws -> StoredBytes {
        let strings = try space.node(slot(FileFormat.Mixed.strings))
        return try BytesLeaf.value(space, strings, .string, descriptor.entry(root), joining: type == .binary)
    }

    private func bytes(_ descriptor: MixedDescriptor, count: Int) throws -> [UInt8] {
        let bytes = try bytes(descriptor, .string)
        guard let span = unsafe bytes.span, span.count == count else { throw damaged() }
        return unsafe [UInt8](span)
    }

    private func timestamp(_ descriptor: MixedDescriptor) throws -> StoredValue {
        let pair = try pair(descriptor)
        guard let nanoseconds = Int32(exactly: pair.1) else { throw damaged() }
        return .timestamp(Timestamp(seconds: pair.0, nanoseconds: nanoseconds))
    }

    /// A link with a null table or object is null; unresolved links are kept (content 1.4, 6.14).
    private func link(_ descriptor: MixedDescriptor) throws -> StoredValue {
        let pair = try pair(descriptor)
        guard let table = UInt32(exactly: pair.0) else { throw damaged() }
        let link = ObjectLink(table: TableKey(table), object: ObjectKey(pair.1))
        return link.table == .null || link.object.isNull ? .null : .typedLink(link)
    }
}

/// The descriptor of a row in a leaf of Mixed: the type and location of the value (content 6.14).
@frozen @usableFromInline
package struct MixedDescriptor: Equatable {
    @usableFromInline let rawValue: Int64

    /// The array that has a value's payload. The codes are the slots of the arrays; 0 is the descriptor itself.
    @frozen @usableFromInline
    package enum Payload: Int64 {
        case inline = 0
        case ints = 1
        case pairs = 2
        case strings = 3
        case refs = 4

        var slot: Int { Int(rawValue) }
    }

    static let null = MixedDescriptor(rawValue: 0)

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ type: ColumnType, _ payload: Payload, _ number: Int64) {
        rawValue = number << 8 | payload.rawValue << 5 | Int64(MixedDescriptor.code(of: type))
    }

    /// Nil for values that don't fit in a descriptor.
    @inline(__always)
    init?(inline value: StoredValue) {
        guard case .int(let number) = value, let number = Int32(exactly: number) else { return nil }
        self.init(.int, .inline, Int64(number))
    }

    @inlinable package var type: ColumnType? { typeCode == 0 ? nil : ColumnType(rawValue: typeCode - 1) }
    /// 0 for null.
    @inlinable package var typeCode: UInt8 { UInt8(truncatingIfNeeded: rawValue) & 31 }
    @inlinable package static func code(of type: ColumnType) -> UInt8 { type.rawValue + 1 }
    @inlinable package var payload: Payload? { Payload(rawValue: rawValue >> 5 & 7) }
    @inlinable package func isIn(_ payload: Payload) -> Bool { rawValue >> 5 & 7 == payload.rawValue }
    @inlinable package var number: Int64 { rawValue >> 8 }

    var isInlineInt: Bool { typeCode == MixedDescriptor.code(of: .int) && isIn(.inline) }

    /// Never negative in an intact file.
    func entry(_ root: Node) throws -> Int {
        guard number >= 0 else {
            throw StorageError.corrupt("a Mixed value out of range; the file is damaged", at: root.ref)
        }
        return Int(number)
    }

    var isCollection: Bool { isIn(.refs) }

    func moved(to entry: Int) -> MixedDescriptor {
        MixedDescriptor(rawValue: rawValue & 0xFF | Int64(entry) << 8)
    }
}
