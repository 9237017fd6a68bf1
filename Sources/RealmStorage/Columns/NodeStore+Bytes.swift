// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writing leaves of strings and binaries: the choice of form (content 6.6, 6.7). The files `NodeStore+Short`,
/// `+Spans` and `+Blobs` have the forms.
extension NodeStore {
    func createBytes(_ style: BytesStyle, count: Int, value: UnsafeRawBufferPointer?) throws -> Ref {
        try unsafe style.check(value?.count ?? 0)
        switch unsafe style.form(for: value?.count ?? 0) {
        case .short: return try unsafe createShort(count: count, value: value)
        case .spans: return try unsafe createSpans(style, repeatElement(value, count: count))
        case .blobs: return try unsafe createBlobs(style, repeatElement(value, count: count))
        }
    }

    func bytesInsert(
        _ ref: inout Ref, _ style: BytesStyle, at row: Int, _ value: UnsafeRawBufferPointer?
    ) throws {
        let leaf = try unsafe bytesLeaf(&ref, style, for: value?.count ?? 0)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try unsafe shortInsert(&ref, leaf.root, at: row, value)
        case .spans: try unsafe spansInsert(&ref, leaf, at: row, value)
        case .blobs: try unsafe insert(&ref, row, createBlob(style, value))
        }
    }

    func bytesSet(_ ref: inout Ref, _ style: BytesStyle, at row: Int, _ value: UnsafeRawBufferPointer?) throws {
        let leaf = try unsafe bytesLeaf(&ref, style, for: value?.count ?? 0)
        guard row < leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try unsafe shortSet(&ref, leaf.root, at: row, value)
        case .spans: try unsafe spansSet(&ref, leaf, at: row, value)
        case .blobs:
            let new = try unsafe createBlob(style, value)
            try freeElement(leaf.root[row])
            try set(&ref, row, new)
        }
    }

    func bytesErase(_ ref: inout Ref, _ style: BytesStyle, _ range: Range<Int>) throws {
        let leaf = try BytesLeaf(space, ref, style)
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        switch leaf.form {
        case .short: try shortErase(&ref, leaf.root, range)
        case .spans: try spansErase(&ref, leaf, range)
        case .blobs:
            for row in range { try freeElement(leaf.root[row]) }
            try remove(&ref, range)
        }
    }

    func bytesMoveSuffix(_ ref: inout Ref, _ style: BytesStyle, from row: Int) throws -> Ref {
        let leaf = try BytesLeaf(space, ref, style)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let suffix: Ref
        switch leaf.form {
        case .short:
            suffix = try createShort(leaf.root, row..<leaf.count)
            try shortErase(&ref, leaf.root, row..<leaf.count)
        case .spans:
            suffix = try createSpans(leaf, row..<leaf.count)
            try spansErase(&ref, leaf, row..<leaf.count)
        case .blobs:
            suffix = try create((row..<leaf.count).map { leaf.root[$0] }, flags: BytesForm.blobsFlags)
            try truncate(&ref, to: row)
        }
        return suffix
    }

    func bytesAppend(_ ref: inout Ref, _ style: BytesStyle, contentsOf other: Ref) throws {
        var other = other
        let form = max(try BytesLeaf(space, ref, style).writableForm, try BytesLeaf(space, other, style).writableForm)
        let leaf = try bytesLeaf(&ref, style, of: form)
        let rest = try bytesLeaf(&other, style, of: form)
        switch form {
        case .short: try shortAppend(&ref, leaf.root, &other)
        case .spans: try spansAppend(&ref, leaf, rest)
        case .blobs: for element in rest.root.elements() { try append(&ref, element) }
        }
        if form == .spans { try freeTree(other) } else { try free(other) }
    }

    /// Appends one value of `source` to `target`. A blob changes hands and leaves null behind; other values are copied.
    func bytesTake(from source: inout Ref, _ style: BytesStyle, _ row: Int, to target: inout Ref) throws {
        let leaf = try BytesLeaf(space, source, style)
        if leaf.form == .blobs {
            guard row < leaf.count else { throw ColumnLeaf.noRow(source) }
            _ = try bytesLeaf(&target, style, of: .blobs)
            try append(&target, leaf.root[row])
            try set(&source, row, 0)
        } else {
            let value = try leaf.value(at: row)
            try unsafe bytesInsert(&target, style, at: BytesLeaf(space, target, style).count, value.span)
        }
    }

    /// Erases a value by moving the last one into its place.
    func bytesReplaceByLast(_ ref: inout Ref, _ style: BytesStyle, at row: Int) throws {
        let leaf = try BytesLeaf(space, ref, style)
        let last = leaf.count - 1
        guard row <= last else { throw ColumnLeaf.noRow(ref) }
        guard row < last else { return try bytesErase(&ref, style, row..<row + 1) }
        if leaf.form == .blobs {
            try freeElement(leaf.root[row])
            try set(&ref, row, leaf.root[last])
            try remove(&ref, last)
        } else {
            // A copy, because the bytes move while the row is set.
            let copy = unsafe try leaf.value(at: last).span.map { unsafe [UInt8]($0) }
            if let copy {
                unsafe try copy.withUnsafeBytes { try unsafe bytesSet(&ref, style, at: row, $0) }
            } else {
                try unsafe bytesSet(&ref, style, at: row, nil)
            }
            try bytesErase(&ref, style, last..<last + 1)
        }
    }

    /// The leaf, in a form that holds a value of `byteCount` bytes.
    private func bytesLeaf(_ ref: inout Ref, _ style: BytesStyle, for byteCount: Int) throws -> BytesLeaf {
        try style.check(byteCount)
        return try bytesLeaf(&ref, style, of: style.form(for: byteCount))
    }

    /// The leaf, in `form` or a later one.
    private func bytesLeaf(_ ref: inout Ref, _ style: BytesStyle, of form: BytesForm) throws -> BytesLeaf {
        let leaf = try BytesLeaf(space, ref, style)
        let form = max(form, leaf.writableForm)
        guard leaf.form < form else { return leaf }
        let values = try unsafe (0..<leaf.count).map { unsafe try leaf.value(at: $0).span }
        let new =
            form == .spans
            ? try unsafe createSpans(style, values) : try unsafe createBlobs(style, values)
        if leaf.form == .spans { try freeTree(ref) } else { try free(ref) }
        ref = new
        return try BytesLeaf(space, ref, style)
    }
}

extension BytesLeaf {
    /// The form in which the leaf is changed. Elements of 32 and 64 bytes are for names only; a column leaf that has
    /// them goes on with the next form.
    fileprivate var writableForm: BytesForm { form == .short && root.width > 16 ? .spans : form }
}

extension BytesForm {
    static let blobsFlags = NodeHeader.Flags.hasRefs | NodeHeader.Flags.context
}
