// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The most frequent insertions, and the corresponding erasures: of values in a single node that is dirty and has room.
extension ColumnLeafEditor {
    /// Inserts like `insert(_:at:_:)`. Returns `false`, without a change, if the insertion needs more than moving the
    /// subsequent values.
    func insertInPlace(_ ref: Ref, at row: Int, _ value: StoredValue) -> Bool {
        guard let leaf = space.nodeOrNil(ref) else { return false }
        switch (kind, value) {
        case (.int, .int(let number)): return leaf.isPlain && store.insertInPlace(leaf, at: row, number)
        case (.key, .link(let key)):
            return leaf.isPlain && !key.isNull && store.insertInPlace(leaf, at: row, key.rawValue)
        case (.string, .string(var text)):
            return text.withUTF8 {
                unsafe ShortLeafEditor(store).insertInPlace(leaf, at: row, UnsafeRawBufferPointer($0))
            }
        case (.mixed, .int):
            guard let descriptor = MixedDescriptor(inline: value) else { return false }
            return inlineInsertInPlace(leaf, at: row, descriptor)
        default: return false
        }
    }

    /// Erases like `erase(_:at:)`, in an open leaf. Returns `false`, without a change, if the erasure needs more than
    /// moving the subsequent values.
    ///
    /// The header isn't validated: the node was validated when it was opened, and only this store has changed it since.
    @inline(__always)
    func eraseInPlace(_ ref: Ref, at row: Int) -> Bool {
        switch kind {
        case .int, .bool, .key:
            let leaf = unsafe Node(
                ref: ref, header: space.header(ref), payload: UnsafeRawPointer(store.mutablePayload(ref)))
            return leaf.isPlain && store.eraseInPlace(leaf, at: row)
        default: return false
        }
    }

    private func inlineInsertInPlace(_ leaf: Node, at row: Int, _ descriptor: MixedDescriptor) -> Bool {
        guard leaf.header.bits & 0xD800_0000 == 0x4000_0000, leaf.count == FileFormat.Mixed.count,
            leaf[FileFormat.Mixed.keys] == 0,
            let descriptors = space.nodeOrNil(Ref(element: leaf[FileFormat.Mixed.descriptors])), descriptors.isPlain
        else { return false }
        return store.insertInPlace(descriptors, at: row, descriptor.rawValue)
    }
}
