// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Encrypts and authenticates the pages of a file. The protocol hides keys and algorithms.
///
/// A page is 4096 bytes, and both buffers of a call have that size. Implementations are immutable, and usable from any
/// thread.
package protocol PageCipher: Sendable {
    func encrypt(_ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector)
    func decrypt(_ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector)
    func tag(of ciphertext: UnsafeRawBufferPointer) -> PageTag
}

/// The 16 bytes that make equal pages encrypt differently, as two little-endian numbers.
package struct PageVector: Equatable, Sendable {
    package let low: UInt64
    package let high: UInt64

    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withUnsafeBytes(of: (low.littleEndian, high.littleEndian), body)
    }
}

package struct PageTag: Equatable, Sendable {
    package static let byteCount = 28
    package let words: (UInt64, UInt64, UInt64, UInt32)

    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= PageTag.byteCount)
        unsafe words = (
            bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self)
        )
    }

    private init() { words = (0, 0, 0, 0) }

    package static let none = PageTag()

    package func store(to bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= PageTag.byteCount)
        unsafe bytes.storeBytes(of: words.0, toByteOffset: 0, as: UInt64.self)
        unsafe bytes.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        unsafe bytes.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
        unsafe bytes.storeBytes(of: words.3, toByteOffset: 24, as: UInt32.self)
    }

    /// Takes constant time, regardless of the differing bytes.
    package static func == (a: PageTag, b: PageTag) -> Bool {
        let wide = (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2)
        return wide | UInt64(a.words.3 ^ b.words.3) == 0
    }
}
