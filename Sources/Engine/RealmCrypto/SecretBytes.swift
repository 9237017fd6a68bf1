// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(CommonCrypto)
    import Darwin
#endif

/// Bytes that are wiped before their memory is freed.
///
/// Immutable, which makes the class `Sendable`.
@safe
final class SecretBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ source: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        unsafe memory.copyBytes(from: source)
        unsafe bytes = UnsafeRawBufferPointer(memory)
    }

    deinit {
        let memory = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
        #if canImport(CommonCrypto)
            unsafe memset_s(memory.baseAddress, memory.count, 0, memory.count)
        #else
            unsafe SecretBytes.wipe(memory)
        #endif
        unsafe memory.deallocate()
    }

    #if !canImport(CommonCrypto)
        /// Not inlined, because the compiler would omit stores into memory that is freed next.
        @inline(never)
        static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
            for index in memory.indices { unsafe memory[index] = 0 }
        }
    #endif
}
