// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of short strings. Elements have 0, 1, 2, 4, 8, or 16 bytes; the last byte is the length of the
/// padding (content 6.6.1).
struct ShortLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(count: Int, value: UnsafeRawBufferPointer?) throws -> Ref {
        let width = unsafe ShortElement.width(for: value)
        let ref = try store.create(flags: NodeHeader.Flags.bytes, width: width, count: count)
        return try unsafe ShortElement.withBytes(value, width: width) { element in
            var ref = ref
            for row in 0..<count { try unsafe store.overwrite(&ref, at: row * width, with: element) }
            return ref
        }
    }

    func create(_ node: Node, _ rows: Range<Int>) throws -> Ref {
        let bytes = rows.lowerBound * node.width..<rows.upperBound * node.width
        return try unsafe store.create(
            bytes: UnsafeRawBufferPointer(rebasing: node.bytes[bytes]), flags: NodeHeader.Flags.bytes,
            width: node.width, count: rows.count)
    }

    func insert(_ ref: inout Ref, _ node: Node, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let width = try unsafe widen(&ref, node, to: ShortElement.width(for: value))
        let offset = row * width
        try unsafe ShortElement.withBytes(value, width: width) {
            try unsafe store.splice(&ref, offset..<offset, with: $0, count: node.count + 1)
        }
    }

    func set(_ ref: inout Ref, _ node: Node, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let width = try unsafe widen(&ref, node, to: ShortElement.width(for: value))
        try unsafe ShortElement.withBytes(value, width: width) {
            try unsafe store.overwrite(&ref, at: row * width, with: $0)
        }
    }

    func erase(_ ref: inout Ref, _ node: Node, _ range: Range<Int>) throws {
        let bytes = range.lowerBound * node.width..<range.upperBound * node.width
        try store.removeBytes(&ref, bytes, count: node.count - range.count)
    }

    func append(_ ref: inout Ref, _ node: Node, _ other: inout Ref) throws {
        let rest = try space.node(other)
        let width = try widen(&ref, node, to: rest.width)
        _ = try widen(&other, rest, to: width)
        let end = node.count * width
        try unsafe store.splice(&ref, end..<end, with: space.node(other).bytes, count: node.count + rest.count)
    }

    /// Returns `false`, without a change, unless the leaf is dirty, has room, and has sufficiently wide elements.
    func insertInPlace(_ leaf: Node, at row: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let width = leaf.width
        guard text.count < width, ShortText.makeUp(leaf) else { return false }
        return unsafe ShortElement.withBytes(text, width: width) {
            unsafe store.insertInPlace(leaf, at: row, bytes: $0)
        }
    }

    private func widen(_ ref: inout Ref, _ node: Node, to width: Int) throws -> Int {
        let old = node.width
        guard old < width else { return old }
        var bytes = [UInt8](repeating: 0, count: node.count * width)
        for row in 0..<node.count {
            let last = row * width + width - 1
            guard old > 0 else {
                bytes[last] = UInt8(width)
                continue
            }
            for index in 0..<old - 1 { bytes[row * width + index] = unsafe node.bytes[row * old + index] }
            let padding = unsafe Int(node.bytes[row * old + old - 1])
            guard padding <= old else { throw ColumnLeaf.wrongNode(node.ref) }
            // The padding grows with the element; null, whose padding equals the width, remains null.
            bytes[last] = UInt8(padding + width - old)
        }
        let new = try unsafe bytes.withUnsafeBytes {
            try unsafe store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: width, count: node.count)
        }
        try store.free(ref)
        ref = new
        return width
    }
}

enum ShortElement {
    static func width(for value: UnsafeRawBufferPointer?) -> Int {
        guard let count = unsafe value?.count else { return 0 }
        return count == 0 ? 1 : 1 << (Int.bitWidth - count.leadingZeroBitCount)
    }

    static func withBytes<R>(
        _ value: UnsafeRawBufferPointer?, width: Int, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let text = unsafe value.map { unsafe ShortText($0) } ?? .null
        return unsafe try text.withElement(width: width, body)
    }
}
