// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The seed of the hashes of this process, and the hash functions.
///
/// The seed is different in each process, so an attacker can't choose values, or create a file of values, that all have
/// the same slot.
package enum HashSeed {
    package static let value = UInt64.random(in: .min ... .max)

    @inline(__always)
    static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = value) -> UInt64 {
        let count = bytes.count
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset &+ 8 <= count {
            hash = mixed(hash ^ (unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))) &+ seed
            offset &+= 8
        }
        if offset < count { hash = mixed(hash ^ (unsafe rest(of: bytes, from: offset))) &+ seed }
        return mixed(hash)
    }

    /// Returns the last bytes in one word. The word may also contain bytes that were hashed before.
    @inline(__always)
    private static func rest(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        let count = bytes.count
        if count >= 8 { return unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) }
        if count >= 4 {
            let low = unsafe bytes.loadUnaligned(as: UInt32.self)
            let high = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return UInt64(low) | UInt64(high) << 32
        }
        let (first, middle, last) = unsafe (bytes[0], bytes[count >> 1], bytes[count &- 1])
        return UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16
    }
}
