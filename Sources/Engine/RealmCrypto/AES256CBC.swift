// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

#if canImport(CommonCrypto)
    import CommonCrypto
#endif

#if canImport(CommonCrypto)
    /// AES-256 in CBC mode without padding, by the system's library, between the buffers of the caller.
    struct AES256CBC: Sendable {
        static let keyByteCount = 32
        private let key: SecretBytes

        /// Uses the first 32 bytes of `key`.
        init(key: SecretBytes) throws(SystemError) {
            precondition(unsafe key.bytes.count >= AES256CBC.keyByteCount)
            self.key = key
        }

        func encrypt(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, vector: PageVector
        ) {
            unsafe run(CCOperation(kCCEncrypt), input, output, vector)
        }

        func decrypt(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, vector: PageVector
        ) {
            unsafe run(CCOperation(kCCDecrypt), input, output, vector)
        }

        private func run(
            _ operation: CCOperation, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer,
            _ vector: PageVector
        ) {
            precondition(input.count % kCCBlockSizeAES128 == 0 && input.count == output.count)
            var count = 0
            let status = unsafe vector.withBytes { vector in
                // No options: CBC without padding.
                unsafe CCCrypt(
                    operation, CCAlgorithm(kCCAlgorithmAES), CCOptions(0), key.bytes.baseAddress,
                    AES256CBC.keyByteCount, vector.baseAddress, input.baseAddress, input.count, output.baseAddress,
                    output.count, &count)
            }
            precondition(status == CCCryptorStatus(kCCSuccess) && count == output.count, "AES refused whole blocks")
        }
    }
#else
    /// AES-256 in CBC mode without padding, by the system's library, between the buffers of the caller.
    ///
    /// The contexts of both directions are created once, with the schedule of the key, and afterwards only copied. Any
    /// thread may do that, and it takes less time than a new context. libcrypto wipes freed contexts.
    @safe
    final class AES256CBC: @unchecked Sendable {
        static let keyByteCount = 32
        private let library: Libcrypto
        private let encryption: OpaquePointer
        private let decryption: OpaquePointer

        /// Uses the first 32 bytes of `key`. Throws if the system has no libcrypto.
        init(key: SecretBytes) throws(SystemError) {
            precondition(unsafe key.bytes.count >= AES256CBC.keyByteCount)
            library = try Libcrypto.load()
            unsafe encryption = AES256CBC.context(library, key, encrypts: true)
            unsafe decryption = AES256CBC.context(library, key, encrypts: false)
        }

        deinit {
            unsafe library.freeCipher(encryption)
            unsafe library.freeCipher(decryption)
        }

        private static func context(_ library: Libcrypto, _ key: SecretBytes, encrypts: Bool) -> OpaquePointer {
            guard let context = unsafe library.newCipher(),
                unsafe library.initCipher(
                    context, library.aes256CBC(), nil, key.bytes.baseAddress, nil, encrypts ? 1 : 0) == 1,
                unsafe library.setPadding(context, 0) == 1
            else { preconditionFailure("libcrypto has no AES-256-CBC") }
            return unsafe context
        }

        func encrypt(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, vector: PageVector
        ) {
            unsafe run(encryption, input, output, vector)
        }

        func decrypt(
            _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, vector: PageVector
        ) {
            unsafe run(decryption, input, output, vector)
        }

        private func run(
            _ prepared: OpaquePointer, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer,
            _ vector: PageVector
        ) {
            precondition(input.count % 16 == 0 && input.count == output.count)
            let context = unsafe library.newCipher()
            defer { unsafe library.freeCipher(context) }
            var count: Int32 = 0
            let isDone = unsafe vector.withBytes { vector in
                unsafe library.copyCipher(context, prepared) == 1
                    && library.initCipher(context, nil, nil, nil, vector.baseAddress, -1) == 1
                    && library.updateCipher(
                        context, output.baseAddress, &count, input.baseAddress, Int32(input.count)) == 1
            }
            precondition(isDone && Int(count) == output.count, "AES refused whole blocks")
        }
    }
#endif
