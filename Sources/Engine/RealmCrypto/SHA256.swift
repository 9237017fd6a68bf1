// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

#if canImport(CommonCrypto)
    import CommonCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that are added piece by piece, by the system's library.
@safe
package final class SHA256 {
    private static let byteCount = 32
    #if canImport(CommonCrypto)
        private var context = CC_SHA256_CTX()

        package init() throws(SystemError) { unsafe CC_SHA256_Init(&context) }

        package func update(_ bytes: [UInt8]) {
            // The library counts in 32 bits.
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(1 << 30)
                unsafe part.withUnsafeBytes { unsafe _ = CC_SHA256_Update(&context, $0.baseAddress, CC_LONG($0.count)) }
                rest = rest.dropFirst(part.count)
            }
        }

        /// Returns the 32 bytes of the hash. Nothing can be added afterwards.
        package func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
            unsafe CC_SHA256_Final(&digest, &context)
            return digest
        }
    #else
        private let library: Libcrypto
        private let context: OpaquePointer

        /// Throws if the system has no libcrypto.
        package init() throws(SystemError) {
            library = try Libcrypto.load()
            guard let context = unsafe library.newDigest(),
                unsafe library.initDigest(context, library.sha256(), nil) == 1
            else { preconditionFailure("libcrypto has no SHA-256") }
            unsafe self.context = context
        }

        deinit { unsafe library.freeDigest(context) }

        package func update(_ bytes: [UInt8]) {
            let status = unsafe bytes.withUnsafeBytes { unsafe library.updateDigest(context, $0.baseAddress, $0.count) }
            precondition(status == 1, "SHA-256 failed")
        }

        /// Returns the 32 bytes of the hash. Nothing can be added afterwards.
        package func finish() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
            precondition(unsafe library.finishDigest(context, &digest, nil) == 1, "SHA-256 failed")
            return digest
        }
    #endif

    package static func hash(_ bytes: [UInt8]) throws(SystemError) -> [UInt8] {
        let hash = try SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}
