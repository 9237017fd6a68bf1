// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// HMAC (RFC 2104) with SHA-224 and a fixed key, whose two blocks are hashed once.
struct HMACSHA224: Sendable {
    private let inner: SHA224
    private let outer: SHA224

    init(key: [UInt8]) {
        var block = key.count > SHA224.blockByteCount ? SHA224.digest(key) : key
        block += Array(repeating: 0, count: SHA224.blockByteCount - block.count)
        inner = HMACSHA224.started(with: block.map { $0 ^ 0x36 })
        outer = HMACSHA224.started(with: block.map { $0 ^ 0x5C })
    }

    private static func started(with block: [UInt8]) -> SHA224 {
        var hash = SHA224()
        unsafe block.withUnsafeBytes { unsafe hash.update(blocks: $0) }
        return hash
    }

    /// The 28 bytes that authenticate `message`.
    func code(of message: UnsafeRawBufferPointer) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        let digest = unsafe inner.finish(message)
        return unsafe digest.withUnsafeBytes { unsafe outer.finish($0) }
    }
}
