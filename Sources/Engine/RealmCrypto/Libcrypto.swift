// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

#if !canImport(CommonCrypto)
    /// The functions of OpenSSL's libcrypto, 1.1.1 or later, that this module calls.
    ///
    /// The library is loaded when the first cipher or hash is created, and stays loaded until the process ends. A
    /// program that encrypts nothing doesn't need it, and a build never does.
    @safe
    struct Libcrypto: Sendable {
        typealias Context = OpaquePointer
        typealias Bytes = UnsafeRawPointer
        typealias Output = UnsafeMutableRawPointer

        let cleanse: @convention(c) (Output?, Int) -> Void
        let newCipher: @convention(c) () -> Context?
        let freeCipher: @convention(c) (Context?) -> Void
        let copyCipher: @convention(c) (Context?, Context?) -> Int32
        /// Context, cipher, engine, key, vector, and 1 to encrypt, 0 to decrypt, -1 to keep the direction.
        let initCipher: @convention(c) (Context?, Context?, Context?, Bytes?, Bytes?, Int32) -> Int32
        let setPadding: @convention(c) (Context?, Int32) -> Int32
        let updateCipher: @convention(c) (Context?, Output?, UnsafeMutablePointer<Int32>, Bytes?, Int32) -> Int32
        let aes256CBC: @convention(c) () -> Context?
        let newDigest: @convention(c) () -> Context?
        let freeDigest: @convention(c) (Context?) -> Void
        let copyDigest: @convention(c) (Context?, Context?) -> Int32
        /// Context, hash, engine.
        let initDigest: @convention(c) (Context?, Context?, Context?) -> Int32
        let updateDigest: @convention(c) (Context?, Bytes?, Int) -> Int32
        let finishDigest: @convention(c) (Context?, Output?, UnsafeMutablePointer<UInt32>?) -> Int32
        let sha224: @convention(c) () -> Context?
        let sha256: @convention(c) () -> Context?

        /// The maximum number of bytes that `finishDigest` writes.
        static let maxDigest = 64

        private static let library = library(names: ["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"])

        static func library(names: [String]) -> LibraryFunctions<Libcrypto> {
            LibraryFunctions(names: names) { try Libcrypto($0) }
        }

        static func load() throws(SystemError) -> Libcrypto { try load(library) }

        static func load(_ library: LibraryFunctions<Libcrypto>) throws(SystemError) -> Libcrypto {
            if let functions = library.functions { return functions }
            throw SystemError(
                "dlopen", path: "libcrypto", number: ENOTSUP,
                reason: """
                    an encrypted file needs OpenSSL's libcrypto, version 1.1.1 or later, which this system does not \
                    have as \(library.names.joined(separator: " or ")); install it, for example with 'apt-get install \
                    openssl' or 'dnf install openssl-libs'
                    """)
        }

        private init(_ library: DynamicLibrary) throws(DynamicLibrary.MissingFunction) {
            unsafe cleanse = try library.function("OPENSSL_cleanse")
            unsafe newCipher = try library.function("EVP_CIPHER_CTX_new")
            unsafe freeCipher = try library.function("EVP_CIPHER_CTX_free")
            unsafe copyCipher = try library.function("EVP_CIPHER_CTX_copy")
            unsafe initCipher = try library.function("EVP_CipherInit_ex")
            unsafe setPadding = try library.function("EVP_CIPHER_CTX_set_padding")
            unsafe updateCipher = try library.function("EVP_CipherUpdate")
            unsafe aes256CBC = try library.function("EVP_aes_256_cbc")
            unsafe newDigest = try library.function("EVP_MD_CTX_new")
            unsafe freeDigest = try library.function("EVP_MD_CTX_free")
            unsafe copyDigest = try library.function("EVP_MD_CTX_copy_ex")
            unsafe initDigest = try library.function("EVP_DigestInit_ex")
            unsafe updateDigest = try library.function("EVP_DigestUpdate")
            unsafe finishDigest = try library.function("EVP_DigestFinal_ex")
            unsafe sha224 = try library.function("EVP_sha224")
            unsafe sha256 = try library.function("EVP_sha256")
        }
    }
#endif
