// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reading a leaf of nullable Int: the null marker in front, then one element per row (content 6.2).
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

    /// Whether `value` can be stored as it is. The marker of a narrow leaf is the width's upper bound, so a value has
    /// to stay below it.
    func holds(_ value: Int64?) -> Bool {
        let width = node.width
        if width == 64 { return value != marker }
        guard marker == PackedWidth.upperBound(width) else { return false }
        return value.map { $0 >= PackedWidth.lowerBound(width) && $0 < marker } ?? true
    }

    /// The smallest width whose values, its upper bound excepted, include `value`.
    static func width(for value: Int64) -> Int {
        let width = PackedWidth.minimal(for: value)
        return width < 64 && value == PackedWidth.upperBound(width) ? max(1, 2 * width) : width
    }
}

/// Writing leaves of nullable Int.
extension NodeStore {
    func createOptionalInts(_ values: some Collection<Int64?>, minimumWidth: Int = 0) throws -> Ref {
        let width = values.reduce(minimumWidth) { max($0, $1.map(OptionalIntLeaf.width) ?? 0) }
        var marker = PackedWidth.upperBound(width)
        if width == 64 {
            let taken = Set(values.lazy.compactMap(\.self))
            while taken.contains(marker) { marker -= 1 }
        }
        return try create(CollectionOfOne(marker) + values.map { $0 ?? marker }, minimumWidth: width)
    }

    func optionalIntInsert(_ ref: inout Ref, at row: Int, _ value: Int64?) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.holds(value) {
            try insert(&ref, row + 1, value ?? leaf.marker)
        } else {
            var values = leaf.values(0..<leaf.count)
            values.insert(value, at: row)
            try replaceOptionalInts(&ref, leaf, values)
        }
    }

    func optionalIntSet(_ ref: inout Ref, at row: Int, _ value: Int64?) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        if leaf.holds(value) {
            try set(&ref, row + 1, value ?? leaf.marker)
        } else {
            var values = leaf.values(0..<leaf.count)
            values[row] = value
            try replaceOptionalInts(&ref, leaf, values)
        }
    }

    func optionalIntErase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        try remove(&ref, range.lowerBound + 1..<range.upperBound + 1)
    }

    func optionalIntMoveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try OptionalIntLeaf(space.node(ref))
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try createOptionalInts(leaf.values(row..<leaf.count))
        try truncate(&ref, to: row + 1)
        return suffix
    }

    func optionalIntAppend(_ ref: inout Ref, contentsOf other: Ref) throws {
        let leaf = try OptionalIntLeaf(space.node(ref))
        let rest = try OptionalIntLeaf(space.node(other))
        let values = leaf.values(0..<leaf.count) + rest.values(0..<rest.count)
        try replaceOptionalInts(&ref, leaf, values)
        try free(other)
    }

    private func replaceOptionalInts(_ ref: inout Ref, _ old: OptionalIntLeaf, _ values: [Int64?]) throws {
        let new = try createOptionalInts(values, minimumWidth: old.node.width)
        try free(ref)
        ref = new
    }
}
