// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

#if canImport(CommonCrypto)
    import CommonCrypto
#endif

#if canImport(CommonCrypto)
    /// HMAC (RFC 2104) with SHA-224 and a fixed key, by the system's library.
    struct HMACSHA224: Sendable {
        private let key: SecretBytes
        private let range: Range<Int>

        init(key: SecretBytes, _ range: Range<Int>) throws(SystemError) {
            precondition(unsafe range.upperBound <= key.bytes.count)
            self.key = key
            self.range = range
        }

        func code(of message: UnsafeRawBufferPointer) -> PageTag {
            unsafe withUnsafeTemporaryAllocation(byteCount: PageTag.byteCount, alignment: 8) { code in
                let part = unsafe UnsafeRawBufferPointer(rebasing: key.bytes[range])
                unsafe CCHmac(
                    CCHmacAlgorithm(kCCHmacAlgSHA224), part.baseAddress, part.count, message.baseAddress,
                    message.count, code.baseAddress)
                return unsafe PageTag(UnsafeRawBufferPointer(code))
            }
        }
    }
#else
    /// HMAC (RFC 2104) with SHA-224 and a fixed key, by the system's library.
    ///
    /// The key's two blocks, with which both hashes begin, are hashed once. Afterwards the contexts are only copied,
    /// which any thread may do. libcrypto's own HMAC differs between its versions, and all of them look up the hash by
    /// its name for every message, which takes as long as a third of a page.
    @safe
    final class HMACSHA224: @unchecked Sendable {
        private static let blockByteCount = 64
        private let library: Libcrypto
        private let inner: OpaquePointer
        private let outer: OpaquePointer

        /// Uses the bytes of `key` in `range`, at most a block of the hash. Throws if the system has no libcrypto.
        init(key: SecretBytes, _ range: Range<Int>) throws(SystemError) {
            precondition(unsafe range.upperBound <= key.bytes.count && range.count <= HMACSHA224.blockByteCount)
            library = try Libcrypto.load()
            let part = unsafe UnsafeRawBufferPointer(rebasing: key.bytes[range])
            unsafe inner = HMACSHA224.context(library, part, pad: 0x36)
            unsafe outer = HMACSHA224.context(library, part, pad: 0x5C)
        }

        deinit {
            unsafe library.freeDigest(inner)
            unsafe library.freeDigest(outer)
        }

        private static func context(
            _ library: Libcrypto, _ key: UnsafeRawBufferPointer, pad: UInt8
        ) -> OpaquePointer {
            unsafe withUnsafeTemporaryAllocation(byteCount: blockByteCount, alignment: 8) { block in
                for index in 0..<blockByteCount { unsafe block[index] = pad ^ (index < key.count ? key[index] : 0) }
                defer { unsafe library.cleanse(block.baseAddress, block.count) }
                guard let context = unsafe library.newDigest(),
                    unsafe library.initDigest(context, library.sha224(), nil) == 1,
                    unsafe library.updateDigest(context, block.baseAddress, block.count) == 1
                else { preconditionFailure("libcrypto has no SHA-224") }
                return unsafe context
            }
        }

        func code(of message: UnsafeRawBufferPointer) -> PageTag {
            let context = unsafe library.newDigest()
            defer { unsafe library.freeDigest(context) }
            return unsafe withUnsafeTemporaryAllocation(byteCount: Libcrypto.maxDigest, alignment: 8) { code in
                let isDone =
                    unsafe library.copyDigest(context, inner) == 1
                    && library.updateDigest(context, message.baseAddress, message.count) == 1
                    && library.finishDigest(context, code.baseAddress, nil) == 1
                    && library.copyDigest(context, outer) == 1
                    && library.updateDigest(context, code.baseAddress, PageTag.byteCount) == 1
                    && library.finishDigest(context, code.baseAddress, nil) == 1
                precondition(isDone, "SHA-224 failed")
                return unsafe PageTag(UnsafeRawBufferPointer(code))
            }
        }
    }
#endif
