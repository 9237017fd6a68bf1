// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct OptionalIntLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(_ values: some Collection<Int64?>, minimumWidth: Int = 0) throws -> Ref {
        let width = values.reduce(minimumWidth) { max($0, $1.map(OptionalIntLeaf.width) ?? 0) }
        var marker = PackedWidth.upperBound(width)
        if width == 64 {
            let taken = Set(values.lazy.compactMap(\.self))
            while taken.contains(marker) { marker -= 1 }
        }
        return try store.create(CollectionOfOne(marker) + values.map { $0 ?? marker }, minimumWidth: width)
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: Int64?) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.holds(value) {
            try store.insert(&ref, row + 1, value ?? leaf.marker)
        } else {
            var values = leaf.values(0..<leaf.count)
            values.insert(value, at: row)
            try replace(&ref, leaf, values)
        }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: Int64?) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.holds(value) {
            try store.set(&ref, row + 1, value ?? leaf.marker)
        } else {
            var values = leaf.values(0..<leaf.count)
            values[row] = value
            try replace(&ref, leaf, values)
        }
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        try store.remove(&ref, range.lowerBound + 1..<range.upperBound + 1)
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try create(leaf.values(row..<leaf.count))
        try store.truncate(&ref, to: row + 1)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        let rest = try OptionalIntLeaf(space.node(other))
        let values = leaf.values(0..<leaf.count) + rest.values(0..<rest.count)
        try replace(&ref, leaf, values)
        try store.free(other)
    }

    private func replace(_ ref: inout Ref, _ old: OptionalIntLeaf, _ values: [Int64?]) throws {
        let new = try create(values, minimumWidth: old.node.width)
        try store.free(ref)
        ref = new
    }
}
