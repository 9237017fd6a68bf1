// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Memory full of zeros. The system provides it on first access, page by page, so a large block costs little if little
/// of it is used.
@safe
package struct ZeroedMemory: ~Copyable {
    package let base: UnsafeMutableRawPointer

    package init(byteCount: Int) {
        guard let memory = unsafe calloc(max(byteCount, 1), 1) else {
            preconditionFailure("no memory of \(byteCount) bytes is left")
        }
        unsafe base = memory
    }

    deinit { unsafe free(base) }
}
