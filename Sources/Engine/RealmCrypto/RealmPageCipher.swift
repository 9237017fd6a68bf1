// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The cipher of Realm files: AES-256 in CBC mode without padding, authenticated by HMAC-SHA-224 over the ciphertext
/// (container 9.4).
///
/// The key has 64 bytes, which are used without derivation: the first half for AES, the second for the HMAC.
package struct RealmPageCipher: PageCipher {
    package static let keyByteCount = 64

    private let aes: AES256CBC
    private let mac: HMACSHA224

    /// Returns nil unless `key` has 64 bytes. Throws if the system has no library of ciphers.
    package init?(key bytes: [UInt8]) throws(SystemError) {
        guard bytes.count == RealmPageCipher.keyByteCount else { return nil }
        let key = SecretBytes(bytes)
        aes = try AES256CBC(key: key)
        mac = try HMACSHA224(key: key, AES256CBC.keyByteCount..<RealmPageCipher.keyByteCount)
    }

    package func encrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        unsafe aes.encrypt(page, into: result, vector: vector)
    }

    package func decrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        unsafe aes.decrypt(page, into: result, vector: vector)
    }

    package func tag(of ciphertext: UnsafeRawBufferPointer) -> PageTag { unsafe mac.code(of: ciphertext) }
}
