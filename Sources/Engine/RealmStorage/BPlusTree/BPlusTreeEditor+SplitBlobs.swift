// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Binaries longer than a property's may be: changesets of a history (container 2.10).
extension BPlusTreeEditor {
    /// Inserts bytes of any number in front of element `index`: those that one blob can't hold as a split blob.
    package func insertBytes(_ root: inout Ref, at index: Int, _ bytes: [UInt8]) throws {
        guard bytes.count > FileFormat.maximumBinaryByteCount else {
            return try insert(&root, at: index, .binary(bytes))
        }
        try insert(&root, at: index, .null)
        try setBytes(&root, at: index, bytes)
    }

    /// Replaces element `index` by bytes of any number.
    package func setBytes(_ root: inout Ref, at index: Int, _ bytes: [UInt8]) throws {
        guard bytes.count > FileFormat.maximumBinaryByteCount else { return try set(&root, at: index, .binary(bytes)) }
        precondition(kind == .binary)
        try modifyLeaf(&root, holding: index) { _, leaf, row in
            unsafe try bytes.withUnsafeBytes {
                unsafe try BytesLeafEditor(store, .binary).setSplit(&leaf, at: row, $0)
            }
        }
    }
}
