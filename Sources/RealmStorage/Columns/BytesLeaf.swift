// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What strings and binaries do differently (content 6.6, 6.7).
enum BytesStyle {
    case string
    case binary

    /// Bytes behind each value: the terminating zero of strings.
    var tail: Int { self == .string ? 1 : 0 }
    /// The longest value of the form with three arrays.
    var maximumSpan: Int { self == .string ? 63 : 64 }
    /// The longest value of all (content 10.3).
    var maximum: Int { self == .string ? FileFormat.maximumStringByteCount : FileFormat.maximumBinaryByteCount }

    /// The smallest form of a leaf that holds a value of `byteCount` bytes.
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

/// The forms of a leaf of strings or binaries. A leaf grows from one to the next, never back.
enum BytesForm: Int, Comparable {
    /// Elements of one small width, strings only ("short").
    case short
    /// All values one after the other in one blob ("medium" strings, "small" binaries).
    case spans
    /// A blob for each value ("big").
    case blobs

    static func < (a: BytesForm, b: BytesForm) -> Bool { a.rawValue < b.rawValue }
}

/// The bytes of one string or binary, where they lie.
@safe @usableFromInline
struct StoredBytes {
    /// Without the terminating zero; nil for null. Valid as long as the node is.
    @usableFromInline let span: UnsafeRawBufferPointer?
    /// The bytes of an oversized binary, which lie in several blobs (content 13.12); `span` is nil then.
    @usableFromInline let joined: [UInt8]?

    init(_ span: UnsafeRawBufferPointer?) {
        unsafe self.span = unsafe span
        joined = nil
    }

    init(joined: [UInt8]) {
        unsafe span = nil
        self.joined = joined
    }

    static var null: StoredBytes { unsafe StoredBytes(nil) }
}

/// Reading a leaf of strings or binaries in any of its forms (content 6.6.1–6.6.3, 6.7).
struct BytesLeaf {
    let space: NodeSpace
    let style: BytesStyle
    let form: BytesForm
    let root: Node
    /// The arrays of the form `spans`; the root otherwise.
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
        let header = root.header
        guard !header.isInner, header.schemeCode == (header.hasRefs ? 0 : 1), header.hasRefs || style == .string
        else { throw ColumnLeaf.wrongNode(root.ref) }
        form = !header.hasRefs ? .short : header.hasContext ? .blobs : .spans
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

    func isNull(at row: Int) throws -> Bool {
        if form == .spans { return try spanIsNull(row) }
        let bytes = try value(at: row)
        return unsafe bytes.span == nil && bytes.joined == nil
    }

    /// An oversized value, which lies in several blobs, is read by `joining` them; without that it is null, as
    /// everybody reads it (content 13.12).
    func value(at row: Int, joining: Bool) throws -> StoredBytes {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(root.ref) }
        switch form {
        case .short: return try short(row)
        case .spans: return try spanIsNull(row) ? .null : text(blob, span(of: row))
        case .blobs: return try blobValue(row, joining)
        }
    }

    /// Strings are never joined.
    func value(at row: Int) throws -> StoredBytes { try value(at: row, joining: style == .binary) }

    // MARK: Short

    private func short(_ row: Int) throws -> StoredBytes {
        let width = root.width
        guard width > 0 else { return .null }
        let element = unsafe root.payload + row * width
        let padding = unsafe Int(element.load(fromByteOffset: width - 1, as: UInt8.self))
        guard padding < width else {
            if padding == width { return .null }
            throw damaged(root)
        }
        return unsafe StoredBytes(UnsafeRawBufferPointer(start: element, count: width - 1 - padding))
    }

    // MARK: Spans

    private func spanIsNull(_ row: Int) throws -> Bool {
        guard UInt(bitPattern: row) < UInt(bitPattern: count) else { throw ColumnLeaf.noRow(root.ref) }
        return nulls[row] != 0
    }

    /// The bytes of `blob` that belong to the row, terminator included.
    func span(of row: Int) throws -> Range<Int> {
        let start = row == 0 ? 0 : Int(ends[row - 1])
        let end = Int(ends[row])
        guard 0 <= start, start <= end, end <= blob.count else { throw damaged(ends) }
        return start..<end
    }

    // MARK: Blobs

    private func blobValue(_ row: Int, _ joining: Bool) throws -> StoredBytes {
        let ref = try root.child(row)
        guard ref != 0 else { return .null }
        let node = try space.node(ref)
        if node.header.hasRefs { return joining ? try joined(node) : .null }
        guard node.header.schemeCode == NodeScheme.blob.rawValue else { throw ColumnLeaf.wrongNode(ref) }
        return try text(node, 0..<node.count)
    }

    private func joined(_ node: Node) throws -> StoredBytes {
        guard node.header.schemeCode == 0 else { throw ColumnLeaf.wrongNode(node.ref) }
        var bytes: [UInt8] = []
        for index in 0..<node.count {
            let part = try space.blob(node.child(index))
            // Blobs that are used twice could otherwise add up to more memory than there is.
            guard bytes.count + part.count <= Int(space.fileEnd) else { throw damaged(node) }
            unsafe bytes.append(contentsOf: part.bytes)
        }
        return StoredBytes(joined: bytes)
    }

    /// The bytes without their terminating zero.
    private func text(_ node: Node, _ range: Range<Int>) throws -> StoredBytes {
        guard range.count >= style.tail else { throw damaged(node) }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: node.bytes[range])
        guard unsafe style.tail == 0 || bytes[bytes.count - 1] == 0 else { throw damaged(node) }
        return unsafe StoredBytes(UnsafeRawBufferPointer(rebasing: bytes.dropLast(style.tail)))
    }

    private func damaged(_ node: Node) -> StorageError {
        .corrupt("a string or binary without a proper end; the file is damaged", at: node.ref)
    }
}
