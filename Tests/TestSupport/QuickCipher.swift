// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A fast page cipher without secrecy, for tests of encrypted pages that don't depend on the cipher.
///
/// As with a real one, the result depends on every byte, the vector, and the key, and a tag fits one ciphertext only.
package struct QuickCipher: PageCipher {
    private let cipherKey: UInt64
    private let tagKey: UInt64

    package init(cipherKey: UInt64 = 1, tagKey: UInt64 = 2) {
        self.cipherKey = cipherKey
        self.tagKey = tagKey
    }

    package func encrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        transform(page, result, vector)
    }

    package func decrypt(
        _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
    ) {
        transform(page, result, vector)
    }

    private func transform(
        _ page: UnsafeRawBufferPointer, _ result: UnsafeMutableRawBufferPointer, _ vector: PageVector
    ) {
        var stream = QuickCipher.mixed(QuickCipher.mixed(cipherKey ^ vector.low) ^ vector.high)
        var offset = 0
        while offset < page.count {
            let word = page.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            result.storeBytes(of: word ^ stream, toByteOffset: offset, as: UInt64.self)
            stream = stream &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            offset += 8
        }
    }

    package func tag(of ciphertext: UnsafeRawBufferPointer) -> PageTag {
        var state = tagKey
        var offset = 0
        while offset < ciphertext.count {
            let word = ciphertext.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
            state ^= state >> 29
            offset += 8
        }
        let words = (0..<4).map { QuickCipher.mixed(state &+ UInt64($0)) }
        return words.withUnsafeBytes { PageTag($0) }
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: value)
        return generator.next()
    }
}
