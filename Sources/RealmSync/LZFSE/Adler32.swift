// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The checksum of zlib.
enum Adler32 {
    static func sum(of bytes: [UInt8]) -> UInt32 {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }
}
