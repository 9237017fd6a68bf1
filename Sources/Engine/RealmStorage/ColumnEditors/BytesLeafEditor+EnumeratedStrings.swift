// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Strings of enumerated columns. The cluster leaves have indices into a list of distinct strings, which is a single
/// string leaf below the spec (content 4.5, 6.6.4).
extension BytesLeafEditor {
    /// Appends the string to the list at `keys` if it's missing.
    func index(of value: StoredValue, keys: inout Ref) throws -> Int64 {
        try unsafe LeafKind.string.withBytes(value) { _, bytes in
            let leaf = try BytesLeaf(space, keys, style)
            for index in 0..<leaf.count where unsafe try leaf.value(at: index).isEqual(to: bytes) {
                return Int64(index)
            }
            try unsafe insert(&keys, at: leaf.count, bytes)
            return Int64(leaf.count)
        }
    }
}

extension StoredBytes {
    fileprivate func isEqual(to other: UnsafeRawBufferPointer?) -> Bool {
        guard let span = unsafe span, let other = unsafe other else { return unsafe span == nil && other == nil }
        return unsafe span.elementsEqual(other)
    }
}
