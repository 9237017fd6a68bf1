// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads a leaf of nullable Int: the null marker, followed by one element per row (content 6.2).
struct OptionalIntLeaf {
    let node: Node

    init(_ node: Node) throws {
        self.node = try node.plain()
        guard node.count > 0 else { throw ColumnLeaf.wrongNode(node.ref) }
    }

    var count: Int { node.count - 1 }
    var marker: Int64 { node[0] }

    func value(at row: Int) throws -> Int64? {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(node.ref) }
        let value = node[row + 1]
        return value == marker ? nil : value
    }

    func values(_ range: Range<Int>) -> [Int64?] {
        range.map { node[$0 + 1] == marker ? nil : node[$0 + 1] }
    }

    /// Whether `value` can be stored without widening. The marker of a narrow leaf is the width's upper bound, so
    /// values must be less.
    func holds(_ value: Int64?) -> Bool {
        let width = node.width
        if width == 64 { return value != marker }
        guard marker == PackedWidth.upperBound(width) else { return false }
        return value.map { $0 >= PackedWidth.lowerBound(width) && $0 < marker } ?? true
    }

    /// The value must be less than the upper bound of the width.
    static func width(for value: Int64) -> Int {
        let width = PackedWidth.minimal(for: value)
        return width < 64 && value == PackedWidth.upperBound(width) ? max(1, 2 * width) : width
    }
}
