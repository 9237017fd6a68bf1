// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads a leaf of decimals with 0, 4, 8, or 16 bytes each (content 6.9).
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
    /// Whether an element of width 0 is zero rather than null.
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

    /// Unlike the reference, Regnum keeps the sign of -0·10⁰, which width 0 would lose.
    static func width(for value: DecimalBits?, isZeroInline: Bool) -> Int {
        let value = value ?? .null
        let width = value.minimalWidth(zeroAllowed: isZeroInline)
        return width == 0 && !value.isNull && value != .zero ? 4 : width
    }

    /// The value must fit.
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
