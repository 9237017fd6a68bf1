// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Values that differ between strings and binaries (content 6.6, 6.7).
enum BytesStyle {
    case string
    case binary

    /// The number of bytes after each value: the terminating zero of strings.
    var tail: Int { self == .string ? 1 : 0 }
    /// The maximum length of a value in the form with three arrays, in bytes.
    var maximumSpan: Int { self == .string ? 63 : 64 }
    /// The maximum length of a value in any form, in bytes (content 10.3).
    var maximum: Int { self == .string ? FileFormat.maximumStringByteCount : FileFormat.maximumBinaryByteCount }

    func form(for byteCount: Int) -> BytesForm {
        if self == .string && byteCount <= 15 { return .short }
        return byteCount <= maximumSpan ? .spans : .blobs
    }

    func check(_ byteCount: Int) throws {
        guard byteCount <= maximum else {
            throw StorageError(.limitExceeded, self == .string ? "String too big" : "Binary too big")
        }
    }
}

/// The forms of a leaf of strings or binaries. A leaf is converted only to a later form.
enum BytesForm: Int, Comparable {
    /// Elements of one small width; strings only ("short").
    case short
    /// All values in one blob ("medium" strings, "small" binaries).
    case spans
    /// A blob for each value ("big").
    case blobs

    static func < (a: BytesForm, b: BytesForm) -> Bool { a.rawValue < b.rawValue }
}

@safe @usableFromInline
struct StoredBytes {
    /// Without the terminating zero; nil for null. Valid as long as the node.
    @usableFromInline let span: UnsafeRawBufferPointer?
    /// The bytes of an oversized binary, which has several blobs (content 13.12); `span` is then nil.
    @usableFromInline let joined: [UInt8]?

    init(_ span: UnsafeRawBufferPointer?) {
        unsafe self.span = unsafe span
        joined = nil
    }

    init(joined: [UInt8]) {
        unsafe span = nil
        self.joined = joined
    }

    var isNull: Bool { unsafe span == nil && joined == nil }

    static var null: StoredBytes { unsafe StoredBytes(nil) }
}

/// Reads a leaf of strings or binaries in any form (content 6.6.1–6.6.3, 6.7).
struct BytesLeaf {
    let space: NodeSpace
    let style: BytesStyle
    let form: BytesForm
    let root: Node
    /// The arrays of the form `spans`. In other forms, all three are the root.
    let ends: Node
    let blob: Node
    let nulls: Node

    init(_ space: NodeSpace, _ ref: Ref, _ style: BytesStyle) throws {
        try self.init(space, space.node(ref), style)
    }

    init(_ space: NodeSpace, _ root: Node, _ style: BytesStyle) throws {
        self.space = space
        self.style = style
        self.root = root
        form = try BytesLeaf.form(of: root, style)
        if form == .spans {
            ends = try space.node(root.child(0)).plain()
            blob = try space.blob(root.child(1))
            nulls = try space.node(root.child(2)).plain()
            guard root.count == 3, nulls.count == ends.count else { throw ColumnLeaf.wrongNode(root.ref) }
        } else {
            (ends, blob, nulls) = (root, root, root)
        }
    }

    var count: Int { ends.count }

    private static func form(of root: Node, _ style: BytesStyle) throws -> BytesForm {
        let header = root.header
        guard !header.isInner, header.schemeCode == (header.hasRefs ? 0 : 1), header.hasRefs || style == .string
        else { throw ColumnLeaf.wrongNode(root.ref) }
        return !header.hasRefs ? .short : header.hasContext ? .blobs : .spans
    }

    func value(at row: Int) throws -> StoredBytes {
        try BytesLeaf.value(space, root, style, row, joining: style == .binary)
    }

    /// Includes the terminator.
    func span(of row: Int) throws -> Range<Int> {
        let start = row == 0 ? 0 : Int(ends[row - 1])
        let end = Int(ends[row])
        guard 0 <= start, start <= end, end <= blob.count else { throw BytesLeaf.damaged(ends) }
        return start..<end
    }
}

/// Reads of one value. Each read opens the nodes below the root, which is cheaper than passing them along.
extension BytesLeaf {
    /// An oversized value has several blobs. `joining` reads all of them; otherwise the value is null, as in all
    /// engines (content 13.12).
    static func value(
        _ space: NodeSpace, _ root: Node, _ style: BytesStyle, _ row: Int, joining: Bool
    ) throws -> StoredBytes {
        switch try form(of: root, style) {
        case .short: try short(root, row)
        case .spans: try span(space, root, style, row)
        case .blobs: try blob(space, root, style, row, joining)
        }
    }

    private static func short(_ root: Node, _ row: Int) throws -> StoredBytes {
        guard UInt(bitPattern: row) < UInt(bitPattern: root.count) else { throw ColumnLeaf.noRow(root.ref) }
        let width = root.width
        guard width > 0 else { return .null }
        let element = unsafe root.payload + row &* width
        let padding = unsafe Int(element.load(fromByteOffset: width &- 1, as: UInt8.self))
        guard padding < width else {
            if padding == width { return .null }
            throw damaged(root)
        }
        return unsafe StoredBytes(UnsafeRawBufferPointer(start: element, count: width &- 1 &- padding))
    }

    private static func span(
        _ space: NodeSpace, _ root: Node, _ style: BytesStyle, _ row: Int
    ) throws -> StoredBytes {
        guard row >= 0 else { throw ColumnLeaf.noRow(root.ref) }
        if try space.node(root.child(2)).plain().element(row) != 0 { return .null }
        let ends = try space.node(root.child(0)).plain()
        let end = try ends.element(row)
        let start = row == 0 ? 0 : ends[row - 1]
        let blob = try space.blob(root.child(1))
        guard 0 <= start, start <= end, end <= blob.count else { throw damaged(ends) }
        return try text(blob, Int(start)..<Int(end), style)
    }

    private static func blob(
        _ space: NodeSpace, _ root: Node, _ style: BytesStyle, _ row: Int, _ joining: Bool
    ) throws -> StoredBytes {
        let ref = try root.child(row)
        guard ref != 0 else { return .null }
        let node = try space.node(ref)
        if node.header.hasRefs { return joining ? try joined(space, node) : .null }
        guard node.header.schemeCode == NodeScheme.blob.rawValue else { throw ColumnLeaf.wrongNode(ref) }
        return try text(node, 0..<node.count, style)
    }

    private static func joined(_ space: NodeSpace, _ node: Node) throws -> StoredBytes {
        guard node.header.schemeCode == 0 else { throw ColumnLeaf.wrongNode(node.ref) }
        var bytes: [UInt8] = []
        for index in 0..<node.count {
            let part = try space.blob(node.child(index))
            // Repeated refs to one blob could otherwise exceed the memory.
            guard bytes.count + part.count <= Int(space.fileEnd) else { throw damaged(node) }
            unsafe bytes.append(contentsOf: part.bytes)
        }
        return StoredBytes(joined: bytes)
    }

    private static func text(_ node: Node, _ range: Range<Int>, _ style: BytesStyle) throws -> StoredBytes {
        guard range.count >= style.tail else { throw damaged(node) }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: node.bytes[range])
        guard unsafe style.tail == 0 || bytes[bytes.count - 1] == 0 else { throw damaged(node) }
        return unsafe StoredBytes(UnsafeRawBufferPointer(rebasing: bytes.dropLast(style.tail)))
    }

    @inline(never) static func damaged(_ node: Node) -> any Error {
        StorageError.corrupt("a string or binary without a proper end; the file is damaged", at: node.ref)
    }
}
