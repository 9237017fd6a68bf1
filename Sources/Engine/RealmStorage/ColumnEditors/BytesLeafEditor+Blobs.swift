// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Encoding of big strings and binaries, each of which has a blob (content 6.6.3).
extension BytesLeafEditor {
    func createBlobs(_ values: some Collection<UnsafeRawBufferPointer?>) throws -> Ref {
        try store.create(unsafe values.map { unsafe try createBlob($0) }, flags: BytesForm.blobsFlags)
    }

    /// A new blob with the terminating zero, or 0 for null.
    func createBlob(_ value: UnsafeRawBufferPointer?) throws -> Int64 {
        guard let value = unsafe value else { return 0 }
        // Created with zeros, which include the terminator.
        var ref = try store.create(flags: NodeHeader.Flags.blob, width: 1, count: value.count + style.tail)
        try unsafe store.overwrite(&ref, at: 0, with: value)
        return ref.element
    }

    /// A node of blobs, all of which except the last are full.
    func createSplitBlob(_ value: UnsafeRawBufferPointer) throws -> Int64 {
        let length = FileFormat.maximumBinaryByteCount
        let parts = try stride(from: 0, to: value.count, by: length).map { start in
            let part = unsafe value[start..<min(start + length, value.count)]
            return try unsafe createBlob(UnsafeRawBufferPointer(rebasing: part))
        }
        return try store.create(parts, flags: BytesForm.blobsFlags).element
    }
}
