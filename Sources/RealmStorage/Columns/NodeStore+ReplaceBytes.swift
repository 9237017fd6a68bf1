// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension NodeStore {
    /// `splice` for a change that may make the node smaller.
    ///
    /// `splice` copies a committed node whole, into a block of the new size; a node that shrinks is therefore copied
    /// first, at its old size.
    func replaceBytes(
        _ ref: inout Ref, _ range: Range<Int>, with bytes: UnsafeRawBufferPointer, count: Int
    ) throws {
        if bytes.count < range.count {
            try unsafe overwrite(&ref, at: 0, with: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        try unsafe splice(&ref, range, with: bytes, count: count)
    }

    func removeBytes(_ ref: inout Ref, _ range: Range<Int>, count: Int) throws {
        try unsafe replaceBytes(&ref, range, with: UnsafeRawBufferPointer(start: nil, count: 0), count: count)
    }
}
