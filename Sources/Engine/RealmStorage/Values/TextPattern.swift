// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A text to search for in strings, prepared once and matched against many (content 8.2).
///
/// If case is ignored, ASCII letters and the letters of Latin-1 equal their other case. All other characters only match
/// themselves.
package struct TextPattern: Sendable {
    package enum Operation: Sendable {
        case equal, beginsWith, endsWith, contains
        /// `*` matches any run of characters, `?` one character.
        case like
    }

    let operation: Operation
    private let ignoringCase: Bool
    /// The pattern, in lower case if case is ignored.
    let pattern: [UInt8]
    /// The other byte that matches at each position: that of the upper case if case is ignored, otherwise the same
    /// byte.
    let other: [UInt8]

    package init(_ operation: Operation, _ pattern: String, ignoringCase: Bool = false) {
        self.init(operation, bytes: Array(pattern.utf8), ignoringCase: ignoringCase)
    }

    /// The bytes needn't be valid UTF-8.
    package init(_ operation: Operation, bytes: [UInt8], ignoringCase: Bool = false) {
        self.operation = operation
        self.ignoringCase = ignoringCase
        let folded = unsafe bytes.withUnsafeBytes { unsafe TextPattern.folded($0, ignoringCase: ignoringCase) }
        self.pattern = folded
        other = folded.indices.map { ignoringCase ? TextPattern.upperCase(folded, $0) : folded[$0] }
    }

    /// Returns the bytes that are common to all texts that are equal without regard to case.
    package static func folded(_ text: UnsafeRawBufferPointer, ignoringCase: Bool = true) -> [UInt8] {
        let folded = unsafe FoldedText(text, ignoringCase: ignoringCase)
        return text.indices.map { folded[$0] }
    }

    private static func upperCase(_ folded: [UInt8], _ index: Int) -> UInt8 {
        let byte = folded[index]
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return byte & ~0x20
        case 0xA0...0xBE where byte != 0xB7 && index > 0 && folded[index - 1] == 0xC3: return byte & ~0x20
        default: return byte
        }
    }

    package func matches(_ text: String) -> Bool {
        let fast = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe matches(utf8: UnsafeRawBufferPointer(bytes))
        }
        if let fast { return fast }
        let copy = Array(text.utf8)
        return unsafe copy.withUnsafeBytes { unsafe matches(utf8: $0) }
    }

    package func matches(utf8 bytes: UnsafeRawBufferPointer) -> Bool {
        let surplus = bytes.count - pattern.count
        switch operation {
        case .equal: return surplus == 0 && (unsafe occurs(in: bytes, at: 0))
        case .beginsWith: return surplus >= 0 && (unsafe occurs(in: bytes, at: 0))
        case .endsWith: return surplus >= 0 && (unsafe occurs(in: bytes, at: surplus))
        case .contains: return surplus >= 0 && (unsafe occurs(in: bytes, upTo: surplus))
        case .like: return isLike(unsafe FoldedText(bytes, ignoringCase: ignoringCase))
        }
    }

    private func occurs(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        unsafe pattern.withUnsafeBufferPointer { pattern in
            unsafe other.withUnsafeBufferPointer { other in
                for index in 0..<pattern.count {
                    let byte = unsafe bytes[offset &+ index]
                    guard unsafe byte == pattern[index] || byte == other[index] else { return false }
                }
                return true
            }
        }
    }

    /// Compares the last byte first, because it differs more often than the first one in texts that begin alike.
    private func occurs(in bytes: UnsafeRawBufferPointer, upTo surplus: Int) -> Bool {
        guard let (last, otherLast) = pattern.last.map({ ($0, other[other.count - 1]) }) else { return true }
        let reach = pattern.count - 1
        for offset in 0...surplus {
            let byte = unsafe bytes[offset &+ reach]
            if byte == last || byte == otherLast, unsafe occurs(in: bytes, at: offset) { return true }
        }
        return false
    }

    private func isLike(_ text: FoldedText) -> Bool {
        TextPattern.isLike(pattern, any: UInt8(ascii: "*"), one: UInt8(ascii: "?"), count: text.count) {
            text[$0]
        } length: {
            text.characterLength(at: $0)
        }
    }

    /// Returns whether a text of `count` symbols matches a pattern. Tries the shortest run for the last star and
    /// lengthens it character by character. Earlier stars need no retries.
    ///
    /// - Parameter length: Returns the number of symbols of the character at an index.
    @inlinable @inline(__always)
    package static func isLike<Symbol: Equatable>(
        _ pattern: [Symbol], any star: Symbol, one mark: Symbol, count: Int, symbol: (Int) -> Symbol,
        length: (Int) -> Int
    ) -> Bool {
        var (position, index) = (0, 0)
        var retry: (position: Int, index: Int)?
        while position < count {
            let wanted = index < pattern.count ? pattern[index] : nil
            if wanted == star {
                index += 1
                retry = (position, index)
            } else if wanted == mark {
                position += length(position)
                index += 1
            } else if wanted == symbol(position) {
                position += 1
                index += 1
            } else if let last = retry {
                position = last.position + length(last.position)
                index = last.index
                retry = (position, index)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == star }
    }
}

/// The bytes of a string, in lower case if case is ignored. Valid only while the bytes are.
@safe
private struct FoldedText {
    private let bytes: UnsafeRawBufferPointer
    private let ignoringCase: Bool

    @unsafe
    init(_ bytes: UnsafeRawBufferPointer, ignoringCase: Bool) {
        unsafe self.bytes = unsafe bytes
        self.ignoringCase = ignoringCase
    }

    var count: Int { unsafe bytes.count }

    subscript(index: Int) -> UInt8 {
        let byte = unsafe bytes[index]
        if !ignoringCase { return byte }
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
        // The second byte of U+00C0 … U+00DE, except the multiplication sign.
        case 0x80...0x9E where byte != 0x97 && index > 0 && (unsafe bytes[index - 1]) == 0xC3: return byte | 0x20
        default: return byte
        }
    }

    /// The number of bytes of the character that begins here; 1 for an incomplete one.
    func characterLength(at index: Int) -> Int {
        let byte = unsafe bytes[index]
        let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return index + length <= count ? length : 1
    }
}
