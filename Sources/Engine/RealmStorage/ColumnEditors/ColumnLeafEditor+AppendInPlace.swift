// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Appends to a column leaf whose block has room for the value in the current form: the usual case for a new object.
extension ColumnLeafEditor {
    /// Inserts like `insert(_:at:_:)` after the last row. Returns `false`, without a change, if the insertion needs
    /// more than that, or if the value must be rejected.
    func appendInPlace(_ ref: Ref, at row: Int, _ value: StoredValue) -> Bool {
        switch kind {
        case .int:
            guard case .int(let number) = value else { return false }
            return appendInPlace(ref, at: row, number)
        case .bool:
            guard case .bool(let flag) = value else { return false }
            return appendInPlace(ref, at: row, flag ? 1 : 0)
        case .link, .collection, .backlink:
            guard case .null = value else { return false }
            return appendInPlace(ref, at: row, 0)
        case .optionalInt:
            guard case .int(let number) = value, optionalIntHolds(ref, number) else { return false }
            return appendInPlace(ref, at: row + 1, number)
        case .float:
            guard case .float(let number) = value else { return false }
            return appendInPlace(ref, at: row, bits: number.bitPattern.littleEndian)
        case .double:
            guard case .double(let number) = value else { return false }
            return appendInPlace(ref, at: row, bits: number.bitPattern.littleEndian)
        case .string:
            guard case .string(let text) = value else { return false }
            return appendShortInPlace(ref, at: row, text)
        case .timestamp:
            guard case .timestamp(let time) = value, time.isValid else { return false }
            return appendInPlace(ref, at: row, time)
        default: return false
        }
    }

    private func optionalIntHolds(_ ref: Ref, _ number: Int64) -> Bool {
        guard let node = space.nodeOrNil(ref), let leaf = try? OptionalIntLeaf(node) else { return false }
        return leaf.holds(number)
    }

    @inline(__always)
    private func node(_ ref: Ref, of count: Int) -> Node? {
        guard let node = space.nodeOrNil(ref), node.count == count else { return nil }
        return node
    }

    @inline(__always)
    private func appendInPlace(_ ref: Ref, at index: Int, _ value: Int64) -> Bool {
        guard let node = node(ref, of: index) else { return false }
        return store.insertInPlace(node, at: index, value)
    }

    @inline(__always)
    private func appendInPlace(_ ref: Ref, at row: Int, bits: some BitwiseCopyable) -> Bool {
        guard let leaf = node(ref, of: row) else { return false }
        return unsafe withUnsafeBytes(of: bits) { unsafe store.insertInPlace(leaf, at: row, bytes: $0) }
    }

    private func appendShortInPlace(_ ref: Ref, at row: Int, _ text: String) -> Bool {
        guard let leaf = node(ref, of: row) else { return false }
        var text = text
        return text.withUTF8 { unsafe ShortLeafEditor(store).insertInPlace(leaf, at: row, UnsafeRawBufferPointer($0)) }
    }

    /// Appends both parts, or neither.
    private func appendInPlace(_ ref: Ref, at row: Int, _ time: Timestamp) -> Bool {
        guard let root = node(ref, of: 2), root.header.schemeCode == 0, root.header.hasRefs, !root.header.isInner,
            let seconds = node(Ref(element: root[0]), of: row + 1),
            optionalIntHolds(seconds.ref, time.seconds), store.insertInPlace(seconds, at: row + 1, time.seconds)
        else { return false }
        if appendInPlace(Ref(element: root[1]), at: row, Int64(time.nanoseconds)) { return true }
        store.setHeader(seconds.ref, seconds.header)
        return false
    }
}
