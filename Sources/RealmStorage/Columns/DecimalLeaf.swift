// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reading a leaf of decimals of 0, 4, 8 or 16 bytes each (content 6.9).
struct DecimalLeaf {
    let node: Node

    init(_ node: Node) throws {
        let header = node.header
        guard node.count == 0 || header.schemeCode == NodeScheme.bytes.rawValue && [0, 4, 8, 16].contains(node.width),
            !header.hasRefs
        else { throw ColumnLeaf.wrongNode(node.ref) }
        self.node = node
    }

    var count: Int { node.count }
    /// What an element of width 0 is.
    var isZeroInline: Bool { node.header.hasContext }

    func value(at row: Int) throws -> DecimalBits? {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let value: DecimalBits
        switch node.width {
        case 0: return isZeroInline ? .zero : nil
        case 4: value = DecimalBits(decimal32: UInt32(littleEndian: load(row * 4)))
        case 8: value = DecimalBits(decimal64: UInt64(littleEndian: load(row * 8)))
        default:
            value = DecimalBits(
                low: UInt64(littleEndian: load(row * 16)), high: UInt64(littleEndian: load(row * 16 + 8)))
        }
        return value.isNull ? nil : value
    }

    func values(_ range: Range<Int>) throws -> [DecimalBits?] { try range.map(value) }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
        unsafe node.payload.loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The smallest width for a value. Unlike the reference we keep the sign of -0·10⁰, which width 0 would lose.
    static func width(for value: DecimalBits?, isZeroInline: Bool) -> Int {
        let value = value ?? .null
        let width = value.minimalWidth(zeroAllowed: isZeroInline)
        return width == 0 && !value.isNull && value != .zero ? 4 : width
    }

    /// The bytes of an element; the value has to fit.
    static func encode(_ value: DecimalBits?, width: Int) -> [UInt8] {
        let value = value ?? .null
        switch width {
        case 0: return []
        case 4: return unsafe withUnsafeBytes(of: value.decimal32!.littleEndian) { unsafe [UInt8]($0) }
        case 8: return unsafe withUnsafeBytes(of: value.decimal64!.littleEndian) { unsafe [UInt8]($0) }
        default:
            return unsafe withUnsafeBytes(of: (value.low.littleEndian, value.high.littleEndian)) {
                unsafe [UInt8]($0)
            }
        }
    }
}

/// Writing leaves of decimals: the width grows with the values and never shrinks, and every value keeps its sign,
/// coefficient and exponent.
extension NodeStore {
    func createDecimals(_ values: [DecimalBits?], minimumWidth: Int = 0) throws -> Ref {
        let isZeroInline = values.first == .some(.zero)
        let width = values.reduce(minimumWidth) {
            max($0, DecimalLeaf.width(for: $1, isZeroInline: isZeroInline))
        }
        let flags = NodeHeader.Flags.bytes | (isZeroInline ? NodeHeader.Flags.context : 0)
        let bytes = values.flatMap { DecimalLeaf.encode($0, width: width) }
        return try unsafe bytes.withUnsafeBytes {
            try unsafe create(bytes: $0, flags: flags, width: width, count: values.count)
        }
    }

    func decimalInsert(_ ref: inout Ref, at row: Int, _ value: DecimalBits?) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.count > 0, fits(value, leaf) {
            let offset = row * leaf.node.width
            unsafe try DecimalLeaf.encode(value, width: leaf.node.width).withUnsafeBytes {
                try unsafe splice(&ref, offset..<offset, with: $0, count: leaf.count + 1)
            }
        } else {
            var values = try leaf.values(0..<leaf.count)
            values.insert(value, at: row)
            try replaceDecimals(&ref, leaf, values)
        }
    }

    func decimalSet(_ ref: inout Ref, at row: Int, _ value: DecimalBits?) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        if fits(value, leaf) {
            unsafe try DecimalLeaf.encode(value, width: leaf.node.width).withUnsafeBytes {
                try unsafe overwrite(&ref, at: row * leaf.node.width, with: $0)
            }
        } else {
            var values = try leaf.values(0..<leaf.count)
            values[row] = value
            try replaceDecimals(&ref, leaf, values)
        }
    }

    func decimalErase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        guard !range.isEmpty else { return }
        let bytes = range.lowerBound * leaf.node.width..<range.upperBound * leaf.node.width
        try removeBytes(&ref, bytes, count: leaf.count - range.count)
    }

    func decimalMoveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try createDecimals(leaf.values(row..<leaf.count))
        try decimalErase(&ref, row..<leaf.count)
        return suffix
    }

    func decimalAppend(_ ref: inout Ref, contentsOf other: Ref) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        let rest = try DecimalLeaf(space.node(other))
        let values = try leaf.values(0..<leaf.count) + rest.values(0..<rest.count)
        try replaceDecimals(&ref, leaf, values)
        try free(other)
    }

    private func fits(_ value: DecimalBits?, _ leaf: DecimalLeaf) -> Bool {
        DecimalLeaf.width(for: value, isZeroInline: leaf.isZeroInline) <= leaf.node.width
    }

    private func replaceDecimals(_ ref: inout Ref, _ old: DecimalLeaf, _ values: [DecimalBits?]) throws {
        let width = old.count == 0 ? 0 : old.node.width
        let new = try createDecimals(values, minimumWidth: width)
        try free(ref)
        ref = new
    }
}
