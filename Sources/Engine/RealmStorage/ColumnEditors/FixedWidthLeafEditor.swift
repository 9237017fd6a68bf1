// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves whose elements all have the same number of whole bytes: Float and Double (content 6.4, 6.5).
///
/// An empty leaf may have another width in the file, which is corrected before the first insertion.
struct FixedWidthLeafEditor {
    let store: NodeStore
    let width: Int

    @inline(__always)
    init(_ store: NodeStore, width: Int) {
        self.store = store
        self.width = width
    }

    @inline(__always) var space: NodeSpace { store.space }

    func create(count: Int, element: UnsafeRawBufferPointer) throws -> Ref {
        precondition(element.count == width)
        let bytes = unsafe (0..<count).flatMap { _ in unsafe element }
        return try unsafe bytes.withUnsafeBytes {
            try unsafe store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: width, count: count)
        }
    }

    func insert(_ ref: inout Ref, at row: Int, _ element: UnsafeRawBufferPointer) throws {
        let node = try writableNode(&ref)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        try unsafe store.splice(&ref, row * width..<row * width, with: element, count: node.count + 1)
    }

    func set(_ ref: inout Ref, at row: Int, _ element: UnsafeRawBufferPointer) throws {
        let node = try writableNode(&ref)
        guard row < node.count else { throw ColumnLeaf.noRow(ref) }
        try unsafe store.overwrite(&ref, at: row * width, with: element)
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let node = try writableNode(&ref)
        guard range.upperBound <= node.count else { throw ColumnLeaf.noRow(ref) }
        let bytes = range.lowerBound * width..<range.upperBound * width
        try store.removeBytes(&ref, bytes, count: node.count - range.count)
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let node = try writableNode(&ref)
        guard row <= node.count else { throw ColumnLeaf.noRow(ref) }
        let suffix = try unsafe store.create(
            bytes: UnsafeRawBufferPointer(rebasing: node.bytes[(row * width)...]), flags: NodeHeader.Flags.bytes,
            width: width, count: node.count - row)
        try erase(&ref, row..<node.count)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        let node = try writableNode(&ref)
        let rest = try space.node(other).fixed(width: width)
        if rest.count > 0 {
            let end = node.count * width
            try unsafe store.splice(&ref, end..<end, with: rest.bytes, count: node.count + rest.count)
        }
        try store.free(other)
    }

    private func writableNode(_ ref: inout Ref) throws -> Node {
        let node = try space.node(ref).fixed(width: width)
        guard node.width != width || node.header.schemeCode != NodeScheme.bytes.rawValue else { return node }
        try store.free(ref)
        ref = try store.create(flags: NodeHeader.Flags.bytes, width: width, count: 0)
        return try space.node(ref)
    }
}
