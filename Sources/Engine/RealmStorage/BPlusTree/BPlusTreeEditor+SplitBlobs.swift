// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Binaries longer than a property allows, such as the changesets of a history (container 2.10).
extension BPlusTreeEditor {
    package func insertBytes(_ root: inout Ref, at index: Int, _ bytes: [UInt8]) throws {
        guard bytes.count > FileFormat.maximumBinaryByteCount else {
            return try insert(&root, at: index, .binary(bytes))
        }
        try insert(&root, at: index, .null)
        try setBytes(&root, at: index, bytes)
    }

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
