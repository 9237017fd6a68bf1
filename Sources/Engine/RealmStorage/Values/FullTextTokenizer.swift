// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Divides text into the tokens of a full-text index (content 9.6).
///
/// A token is a maximal run of ASCII letters and digits and of letters of Latin-1. It's folded to lower case and mostly
/// to the letter without its accent, and truncated to 64 bytes.
@safe
package struct FullTextTokenizer {
    package static let maximumTokenLength = 64

    /// Memory for the longest token, owned by the caller of `forEachToken`.
    private let token: UnsafeMutableRawBufferPointer
    private var count = 0
    private var isInToken = false

    private init(_ memory: UnsafeMutableRawBufferPointer) { unsafe token = unsafe memory }

    static func isPlain(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    package static func tokens(of text: some Sequence<UInt8>) -> Set<[UInt8]> {
        var tokens: Set<[UInt8]> = []
        unsafe forEachToken(in: text) { unsafe tokens.insert(Array($0)) }
        return tokens
    }

    /// Calls `body` with every token of a text in UTF-8, in order and with repetitions. The bytes are valid until
    /// `body` returns. Bytes that aren't UTF-8 separate tokens.
    package static func forEachToken(in text: some Sequence<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        unsafe withUnsafeTemporaryAllocation(byteCount: maximumTokenLength, alignment: 8) { memory in
            var tokenizer = unsafe FullTextTokenizer(memory)
            unsafe tokenizer.scan(text, body)
        }
    }

    private mutating func scan(_ text: some Sequence<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        var iterator = text.makeIterator()
        var current = iterator.next()
        while let byte = current {
            current = iterator.next()
            if byte < 0xC0 {
                unsafe scan(single: byte, body)
            } else if byte == 0xC3, let next = current, next & 0xC0 == 0x80, next != 0xBF {
                append(FullTextTokenizer.folded[Int(next & 0x3F)])
                current = iterator.next()
            } else {
                unsafe endToken(body)
                while let next = current, next & 0xC0 == 0x80 { current = iterator.next() }
            }
        }
        unsafe endToken(body)
    }

    private mutating func scan(single byte: UInt8, _ body: (UnsafeRawBufferPointer) -> Void) {
        if FullTextTokenizer.isPlain(byte) {
            // Digits have that bit set already.
            append(byte | 0x20)
        } else {
            unsafe endToken(body)
        }
    }

    private mutating func append(_ letter: UInt8) {
        isInToken = true
        guard count < FullTextTokenizer.maximumTokenLength else { return }
        unsafe token[count] = letter
        count += 1
    }

    /// Continues the token even if the letter doesn't fit, because a later, shorter one may.
    private mutating func append(_ letter: [UInt8]) {
        isInToken = true
        guard count + letter.count <= FullTextTokenizer.maximumTokenLength else { return }
        for byte in letter { append(byte) }
    }

    private mutating func endToken(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard isInToken else { return }
        unsafe body(UnsafeRawBufferPointer(rebasing: token[..<count]))
        count = 0
        isInToken = false
    }

    /// The foldings of U+00C0 … U+00FE, by the low six bits.
    private static let folded: [[UInt8]] = {
        let upper = "aaaaaåæceeeeiiiiðnooooo×øuuuuyþß"
        let lower = "aaaaaåæceeeeiiiiðnooooo×øuuuuyþ"
        // The signs of multiplication and division belong to a word, but leave no letter.
        return (upper + lower).unicodeScalars.map { $0 == "×" ? [] : Array(String($0).utf8) }
    }()
}
