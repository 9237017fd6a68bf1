// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Crypto
import CryptoExtras
import RealmSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cipher of Realm files: AES-256 in CBC mode without padding, authenticated by HMAC-SHA-224 over the ciphertext
/// (container 9.4).
///
/// The key is 64 bytes, the first half for AES, the second for the HMAC, used as they are.
package struct RealmPageCipher: PageCipher {
    package static let keyByteCount = 64

    private let key: SymmetricKey
    private let mac: HMACSHA224
    /// The whole key, for comparison; `SymmetricKey` compares in constant time and wipes its memory.
    private let identity: SymmetricKey

    /// Returns nil unless `key` has 64 bytes.
    package init?(key bytes: [UInt8]) {
        guard bytes.count == RealmPageCipher.keyByteCount else { return nil }
        key = SymmetricKey(data: bytes[..<32])
        mac = HMACSHA224(key: Array(bytes[32...]))
        identity = SymmetricKey(data: bytes)
    }

    package func encrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        unsafe transform(page, result, vector) { try AES._CBC.encrypt($0, using: key, iv: $1, noPadding: true) }
    }

    package func decrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        unsafe transform(page, result, vector) { try AES._CBC.decrypt($0, using: key, iv: $1, noPadding: true) }
    }

    private func transform(
        _ page: UnsafeRawBufferPointer, _ result: UnsafeMutableRawBufferPointer, _ vector: PageVector,
        _ body: (Data, AES._CBC.IV) throws -> Data
    ) {
        precondition(page.count % 16 == 0 && page.count == result.count)
        guard let start = page.baseAddress,
            let output = try? body(unsafe Data(bytes: start, count: page.count), AES._CBC.IV(ivBytes: vector.bytes))
        else { preconditionFailure("AES refused whole blocks") }
        unsafe result.copyBytes(from: output)
    }

    package func tag(of ciphertext: UnsafeRawBufferPointer) -> PageTag {
        let code = unsafe mac.code(of: ciphertext)
        return unsafe code.withUnsafeBytes { unsafe PageTag($0) }
    }

    package func hasSameKey(as other: any PageCipher) -> Bool {
        (other as? RealmPageCipher).map { $0.identity == identity } ?? false
    }
}
