// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of decimals. The width grows with the values and never shrinks. Every value keeps its sign,
/// coefficient, and exponent.
struct DecimalLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(_ values: [DecimalBits?], minimumWidth: Int = 0) throws -> Ref {
        let isZeroInline = values.first == .some(.zero)
        let width = values.reduce(minimumWidth) {
            max($0, DecimalLeaf.width(for: $1, isZeroInline: isZeroInline))
        }
        let flags = NodeHeader.Flags.bytes | (isZeroInline ? NodeHeader.Flags.context : 0)
        let bytes = values.flatMap { DecimalLeaf.encode($0, width: width) }
        return try unsafe bytes.withUnsafeBytes {
            try unsafe store.create(bytes: $0, flags: flags, width: width, count: values.count)
        }
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: DecimalBits?) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.count > 0, fits(value, leaf) {
            let offset = row * leaf.node.width
            unsafe try DecimalLeaf.encode(value, width: leaf.node.width).withUnsafeBytes {
                try unsafe store.splice(&ref, offset..<offset, with: $0, count: leaf.count + 1)
            }
        } else {
            var values = try leaf.values(0..<leaf.count)
            values.insert(value, at: row)
            try replace(&ref, leaf, values)
        }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: DecimalBits?) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        if fits(value, leaf) {
            unsafe try DecimalLeaf.encode(value, width: leaf.node.width).withUnsafeBytes {
                try unsafe store.overwrite(&ref, at: row * leaf.node.width, with: $0)
            }
        } else {
            var values = try leaf.values(0..<leaf.count)
            values[row] = value
            try replace(&ref, leaf, values)
        }
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        guard !range.isEmpty else { return }
        let bytes = range.lowerBound * leaf.node.width..<range.upperBound * leaf.node.width
        try store.removeBytes(&ref, bytes, count: leaf.count - range.count)
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try DecimalLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try create(leaf.values(row..<leaf.count))
        try erase(&ref, row..<leaf.count)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        let leaf = try DecimalLeaf(space.node(ref))
        let rest = try DecimalLeaf(space.node(other))
        let values = try leaf.values(0..<leaf.count) + rest.values(0..<rest.count)
        try replace(&ref, leaf, values)
        try store.free(other)
    }

    private func fits(_ value: DecimalBits?, _ leaf: DecimalLeaf) -> Bool {
        DecimalLeaf.width(for: value, isZeroInline: leaf.isZeroInline) <= leaf.node.width
    }

    private func replace(_ ref: inout Ref, _ old: DecimalLeaf, _ values: [DecimalBits?]) throws {
        let width = old.count == 0 ? 0 : old.node.width
        let new = try create(values, minimumWidth: width)
        try store.free(ref)
        ref = new
    }
}
