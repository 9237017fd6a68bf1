// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of ObjectId and UUID. Appends and replacements change bytes in place. Other insertions and erasures
/// encode all subsequent rows again.
struct IdentifierLeafEditor {
    let store: NodeStore
    let type: IdentifierType

    @inline(__always)
    init(_ store: NodeStore, _ type: IdentifierType) {
        self.store = store
        self.type = type
    }

    @inline(__always) var space: NodeSpace { store.space }

    func create(_ values: [[UInt8]?]) throws -> Ref {
        unsafe try IdentifierLeaf.encode(type, values).withUnsafeBytes {
            try unsafe store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 1)
        }
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: [UInt8]?) throws {
        let leaf = try writableLeaf(&ref)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if row == leaf.count, row % 8 != 0 {
            let end = leaf.node.count
            unsafe try (value ?? type.filler).withUnsafeBytes {
                try unsafe store.splice(&ref, end..<end, with: $0, count: end + type.size)
            }
            try setNullBit(&ref, row, value == nil)
        } else {
            let block = row - row % 8
            var values = try leaf.values(block..<leaf.count)
            values.insert(value, at: row - block)
            try replace(&ref, leaf, from: block, by: values)
        }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: [UInt8]?) throws {
        let leaf = try writableLeaf(&ref)
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        unsafe try (value ?? type.filler).withUnsafeBytes {
            try unsafe store.overwrite(&ref, at: leaf.offset(of: row), with: $0)
        }
        try setNullBit(&ref, row, value == nil)
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try writableLeaf(&ref)
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let block = range.lowerBound - range.lowerBound % 8
        let kept = try leaf.values(block..<range.lowerBound) + leaf.values(range.upperBound..<leaf.count)
        try replace(&ref, leaf, from: block, by: kept)
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try writableLeaf(&ref)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try create(leaf.values(row..<leaf.count))
        try erase(&ref, row..<leaf.count)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        let leaf = try writableLeaf(&ref)
        let rest = try IdentifierLeaf(space.node(other), type)
        let block = leaf.count - leaf.count % 8
        let values = try leaf.values(block..<leaf.count) + rest.values(0..<rest.count)
        try replace(&ref, leaf, from: block, by: values)
        try store.free(other)
    }

    /// `row` must be the first of a block.
    private func replace(_ ref: inout Ref, _ leaf: IdentifierLeaf, from row: Int, by values: [[UInt8]?]) throws {
        let start = leaf.type.byteCount(row)
        let bytes = IdentifierLeaf.encode(leaf.type, values)
        unsafe try bytes.withUnsafeBytes {
            try unsafe store.replaceBytes(&ref, start..<leaf.node.count, with: $0, count: start + bytes.count)
        }
    }

    private func setNullBit(_ ref: inout Ref, _ row: Int, _ isNull: Bool) throws {
        let offset = row / 8 * type.blockSize
        let bit = UInt8(1) << UInt8(row % 8)
        let old = unsafe try space.node(ref).bytes[offset]
        let new = isNull ? old | bit : old & ~bit
        if new != old { try unsafe [new].withUnsafeBytes { try unsafe store.overwrite(&ref, at: offset, with: $0) } }
    }

    /// Corrects the header of an empty leaf, which must count single bytes.
    private func writableLeaf(_ ref: inout Ref) throws -> IdentifierLeaf {
        let leaf = try IdentifierLeaf(space.node(ref), type)
        guard leaf.node.width != 1 || leaf.node.header.schemeCode != 1 else { return leaf }
        try store.free(ref)
        ref = try create([])
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
