// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An identifier of an object that follows from its primary key alone (content 1.5), and so is the same in every file.
struct GlobalKey: Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(primaryKey value: StoredValue) {
        switch value {
        case .int(let number): self.init(high: 0, low: UInt64(bitPattern: number))
        case .uuid(let identifier): self.init(high: identifier.bytes[..<8], low: identifier.bytes[8...])
        case .string(let text): self.init(digest: SHA1.digest(of: Array(text.utf8)))
        case .objectId(let identifier): self.init(digest: SHA1.digest(of: identifier.bytes))
        default: self.init(high: 1, low: 0)
        }
    }

    private init(digest: [UInt8]) { self.init(high: digest[8..<16], low: digest[..<8]) }

    private init(high: ArraySlice<UInt8>, low: ArraySlice<UInt8>) {
        self.high = high.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        self.low = low.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The object key of the object, unless the collision map has an entry (content 1.6).
    var localKey: ObjectKey { ObjectKey(Int64(low & 0x3FFF_FFFF_FFFF_FFFF)) }
}
