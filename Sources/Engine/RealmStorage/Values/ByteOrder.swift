// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The order of strings and binaries: byte by byte, unsigned, a proper prefix first (content 8.2).
package enum ByteOrder {
    /// Returns −1, 0 or 1 if `a` is below, equal to or above `b`.
    package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let common = min(a.count, b.count)
        var index = 0
        while index &+ 8 <= common {
            let wordA = unsafe a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let wordB = unsafe b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if wordA != wordB { return wordA.bigEndian < wordB.bigEndian ? -1 : 1 }
            index &+= 8
        }
        while index < common {
            let (byteA, byteB) = unsafe (a[index], b[index])
            if byteA != byteB { return byteA < byteB ? -1 : 1 }
            index &+= 1
        }
        return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
    }

    package static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        unsafe a.withUnsafeBytes { rawA in unsafe b.withUnsafeBytes { rawB in unsafe compare(rawA, rawB) } }
    }

    /// Compares the UTF-8 of two strings. Unlike `==` and `<` of String, it doesn't normalise.
    package static func compare(_ a: String, _ b: String) -> Int {
        let fast = unsafe a.utf8.withContiguousStorageIfAvailable { bytesA in
            unsafe b.utf8.withContiguousStorageIfAvailable { bytesB in
                unsafe compare(UnsafeRawBufferPointer(bytesA), UnsafeRawBufferPointer(bytesB))
            }
        }
        if let fast, let result = fast { return result }
        return compare(Array(a.utf8), Array(b.utf8))
    }
}
