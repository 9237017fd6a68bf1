// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum FenceKey {
    /// Less, or greater, than every text with the common prefix.
    case below, above
    /// The element's word. `isWhole`: elements with equal words are equal.
    case word(UInt64, isWhole: Bool)

    static func word(of number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    /// A number that ascends with the elements; different elements may share it.
    @inline(__always)
    var number: UInt64 {
        switch self {
        case .below: 0
        case .above: .max
        case .word(let word, _): word
        }
    }

    /// The rank of a text among texts that begin with `prefix`: its first eight bytes after the prefix.
    init(of text: UnsafeRawBufferPointer, behind prefix: [UInt8]) {
        let order = unsafe prefix.withUnsafeBytes {
            unsafe ByteOrder.compare(UnsafeRawBufferPointer(rebasing: text[..<min(text.count, $0.count)]), $0)
        }
        guard order == 0 else {
            self = order < 0 ? .below : .above
            return
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[prefix.count...])
        self = .word(unsafe ShortText(rest).word(behind: 0), isWhole: false)
    }
}

/// The common prefix of the texts of a tree. Their fence keys begin after it.
struct CommonPrefix {
    let bytes: [UInt8]
    /// The length of the prefix in bytes; nil if the prefix and the word after it don't fit into a `ShortText`.
    let shortCount: Int?
    /// The first seven bytes, in the form of `ShortText.first`.
    let number: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        shortCount = bytes.count < 8 ? bytes.count : nil
        number = bytes.prefix(7).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
