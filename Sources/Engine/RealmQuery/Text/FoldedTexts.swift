// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Texts for comparison with others, ignoring case or accents. It's a hash table of the folded texts, so the cost
/// doesn't depend on their number.
final class FoldedTexts: Sendable {
    private let options: TextOptions
    private let texts: ByteSet
    /// The folded form of each ASCII character; `other` if that isn't an ASCII character.
    private let ascii: [UInt8]

    private static let other: UInt8 = 0x80
    /// The maximum length of texts that are folded without allocating memory.
    private static let shortByteCount = 256

    init(_ texts: [String], _ options: TextOptions) {
        self.options = options
        self.texts = ByteSet(texts.map { FoldedTexts.folded($0, options) })
        ascii = FoldedTexts.tables[Int(options.rawValue)]
    }

    /// The tables of all options, by their bits. Creating them takes longer than a short query.
    private static let tables = (0..<TextOptions.combinationCount).map { table(TextOptions(rawValue: $0)) }

    private static func table(_ options: TextOptions) -> [UInt8] {
        (0..<0x80).map { byte in
            let folded = folded(String(Unicode.Scalar(UInt8(byte))), options)
            return folded.count == 1 && folded[0] < 0x80 ? folded[0] : other
        }
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.count <= FoldedTexts.shortByteCount, let isFound = unsafe containsASCII(text) { return isFound }
        return unsafe containsAny(text)
    }

    /// Returns the result of `contains` for a text whose characters are all folded to ASCII; nil for any other text.
    private func containsASCII(_ text: UnsafeRawBufferPointer) -> Bool? {
        unsafe withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
            let isASCII = unsafe ascii.withUnsafeBufferPointer { table in
                var all: UInt8 = 0
                for index in 0..<text.count {
                    let byte = unsafe text[index]
                    // A byte beyond ASCII has the bit of `other` itself.
                    let plain = unsafe table[Int(byte & 0x7F)] | byte & FoldedTexts.other
                    unsafe folded[index] = plain
                    all |= plain
                }
                return all < FoldedTexts.other
            }
            return unsafe isASCII ? texts.contains(UnsafeRawBufferPointer(folded)) : nil
        }
    }

    private func containsAny(_ text: UnsafeRawBufferPointer) -> Bool {
        let folded =
            options.contains(.diacriticInsensitive) || options.foldsAllCases
            ? FoldedTexts.folded(unsafe String(decoding: text, as: UTF8.self), options)
            : unsafe TextPattern.folded(text)
        return unsafe folded.withUnsafeBytes { unsafe texts.contains($0) }
    }

    private static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
        let folded: [Unicode.Scalar]
        if options.contains(.diacriticInsensitive) {
            folded = DiacriticPattern.folded(text, ignoringCase: options.contains(.caseInsensitive))
        } else if options.foldsAllCases {
            folded = CaselessPattern.folded(text)
        } else {
            let bytes = Array(text.utf8)
            return unsafe bytes.withUnsafeBytes { unsafe TextPattern.folded($0) }
        }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: folded)
        return Array(String(scalars).utf8)
    }
}
