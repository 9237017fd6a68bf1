// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of strings and binaries, and chooses their form (content 6.6, 6.7). `ShortLeafEditor`,
/// `SpansLeafEditor`, and `BytesLeafEditor+Blobs` encode the forms.
struct BytesLeafEditor {
    let store: NodeStore
    let style: BytesStyle

    @inline(__always)
    init(_ store: NodeStore, _ style: BytesStyle) {
        self.store = store
        self.style = style
    }

    @inline(__always) var space: NodeSpace { store.space }

    func create(count: Int, value: UnsafeRawBufferPointer?) throws -> Ref {
        try unsafe style.check(value?.count ?? 0)
        switch unsafe style.form(for: value?.count ?? 0) {
        case .short: return try unsafe ShortLeafEditor(store).create(count: count, value: value)
        case .spans: return try unsafe SpansLeafEditor(store).create(style, repeatElement(value, count: count))
        case .blobs: return try unsafe createBlobs(repeatElement(value, count: count))
        }
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let leaf = try unsafe writableLeaf(&ref, for: value?.count ?? 0)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try unsafe ShortLeafEditor(store).insert(&ref, leaf.root, at: row, value)
        case .spans: try unsafe SpansLeafEditor(store).insert(&ref, leaf, at: row, value)
        case .blobs: try unsafe store.insert(&ref, row, createBlob(value))
        }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let leaf = try unsafe writableLeaf(&ref, for: value?.count ?? 0)
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try unsafe ShortLeafEditor(store).set(&ref, leaf.root, at: row, value)
        case .spans: try unsafe SpansLeafEditor(store).set(&ref, leaf, at: row, value)
        case .blobs:
            let new = try unsafe createBlob(value)
            try store.freeElement(leaf.root[row])
            try store.set(&ref, row, new)
        }
    }

    func setSplit(_ ref: inout Ref, at row: Int, _ value: UnsafeRawBufferPointer) throws {
        let leaf = try writableLeaf(&ref, of: .blobs)
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        let new = try unsafe createSplitBlob(value)
        try store.freeElement(leaf.root[row])
        try store.set(&ref, row, new)
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try BytesLeaf(space, ref, style)
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try ShortLeafEditor(store).erase(&ref, leaf.root, range)
        case .spans: try SpansLeafEditor(store).erase(&ref, leaf, range)
        case .blobs:
            for row in range { try store.freeElement(leaf.root[row]) }
            try store.remove(&ref, range)
        }
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try BytesLeaf(space, ref, style)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix: Ref
        switch leaf.form {
        case .short:
            suffix = try ShortLeafEditor(store).create(leaf.root, row..<leaf.count)
            try ShortLeafEditor(store).erase(&ref, leaf.root, row..<leaf.count)
        case .spans:
            suffix = try SpansLeafEditor(store).create(leaf, row..<leaf.count)
            try SpansLeafEditor(store).erase(&ref, leaf, row..<leaf.count)
        case .blobs:
            suffix = try store.create((row..<leaf.count).map { leaf.root[$0] }, flags: BytesForm.blobsFlags)
            try store.truncate(&ref, to: row)
        }
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        var other = other
        let form = max(try BytesLeaf(space, ref, style).writableForm, try BytesLeaf(space, other, style).writableForm)
        let leaf = try writableLeaf(&ref, of: form)
        let rest = try writableLeaf(&other, of: form)
        switch form {
        case .short: try ShortLeafEditor(store).append(&ref, leaf.root, &other)
        case .spans: try SpansLeafEditor(store).append(&ref, leaf, rest)
        case .blobs: for element in rest.root.elements() { try store.append(&ref, element) }
        }
        if form == .spans { try store.freeTree(other) } else { try store.free(other) }
    }

    /// The ownership of a blob moves, and null remains in its row. Other values are copied.
    func take(from source: inout Ref, _ row: Int, to target: inout Ref) throws {
        let leaf = try BytesLeaf(space, source, style)
        if leaf.form == .blobs {
            guard row < leaf.count else { throw ColumnLeaf.noRow(source) }
            _ = try writableLeaf(&target, of: .blobs)
            try store.append(&target, leaf.root[row])
            try store.set(&source, row, 0)
        } else {
            let value = try leaf.value(at: row)
            try unsafe insert(&target, at: BytesLeaf(space, target, style).count, value.span)
        }
    }

    func replaceByLast(_ ref: inout Ref, at row: Int) throws {
        let leaf = try BytesLeaf(space, ref, style)
        let last = leaf.count - 1
        guard row <= last else { throw ColumnLeaf.noRow(ref) }
        guard row < last else { return try erase(&ref, row..<row + 1) }
        if leaf.form == .blobs {
            try store.freeElement(leaf.root[row])
            try store.set(&ref, row, leaf.root[last])
            try store.remove(&ref, last)
        } else {
            // A copy, because setting the row moves the bytes.
            let copy = unsafe try leaf.value(at: last).span.map { unsafe [UInt8]($0) }
            if let copy {
                unsafe try copy.withUnsafeBytes { try unsafe set(&ref, at: row, $0) }
            } else {
                try unsafe set(&ref, at: row, nil)
            }
            try erase(&ref, last..<last + 1)
        }
    }

    private func writableLeaf(_ ref: inout Ref, for byteCount: Int) throws -> BytesLeaf {
        try style.check(byteCount)
        return try writableLeaf(&ref, of: style.form(for: byteCount))
    }

    /// Converts the leaf only to a later form.
    private func writableLeaf(_ ref: inout Ref, of form: BytesForm) throws -> BytesLeaf {
        let leaf = try BytesLeaf(space, ref, style)
        let form = max(form, leaf.writableForm)
        guard leaf.form < form else { return leaf }
        let values = try unsafe (0..<leaf.count).map { unsafe try leaf.value(at: $0).span }
        let new =
            form == .spans
            ? try unsafe SpansLeafEditor(store).create(style, values) : try unsafe createBlobs(values)
        if leaf.form == .spans { try store.freeTree(ref) } else { try store.free(ref) }
        ref = new
        return try BytesLeaf(space, ref, style)
    }
}

extension BytesLeaf {
    /// Only names have elements of 32 and 64 bytes; a column leaf with such elements is converted to the next form.
    fileprivate var writableForm: BytesForm { form == .short && root.width > 16 ? .spans : form }
}

extension BytesForm {
    static let blobsFlags = NodeHeader.Flags.hasRefs | NodeHeader.Flags.context
}
