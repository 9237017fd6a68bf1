// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A full-text search (content 9.6): words that a text must have, and words that it must not have.
///
/// `"swift data* -java"` finds texts with the word "swift" and one that begins with "data", and without "java". Case
/// and accents are ignored, as in the index.
package struct FullTextQuery: Equatable, Sendable {
    package struct Word: Hashable, Sendable {
        package let token: [UInt8]
        /// Whether words that begin with the token match too.
        package let isPrefix: Bool
    }

    package private(set) var included: [Word] = []
    package private(set) var excluded: [Word] = []

    /// Throws `.invalidArgument` if there is no word, or if one isn't a single word of the index too. A word needs a
    /// letter that the index accepts; a search without such a word finds no text.
    package init(_ text: String) throws {
        var text = text
        if !text.withUTF8({ unsafe takePlainWords($0) }) { try takeWords(text) }
        (included, excluded) = (FullTextQuery.distinct(included), FullTextQuery.distinct(excluded))
        guard text.unicodeScalars.contains(where: { !$0.isSpace }) else {
            throw StorageError(.invalidArgument, "a full-text search without words")
        }
    }

    /// Each word costs a search in the index, so repeated words are dropped.
    private static func distinct(_ words: [Word]) -> [Word] {
        guard words.count > 1 else { return words }
        var seen: Set<Word> = []
        return words.filter { seen.insert($0).inserted }
    }

    /// Parses words of ASCII letters and digits. Returns false if a word contains other characters, or is too long.
    private mutating func takePlainWords(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var end = 0
        while end < text.count {
            var start = end
            while end < text.count, unsafe !Unicode.Scalar(text[end]).isSpace { end += 1 }
            defer { end += 1 }
            guard start < end else { continue }
            let isExcluded = unsafe text[start] == UInt8(ascii: "-")
            if isExcluded { start += 1 }
            let isPrefix = unsafe start < end && text[end - 1] == UInt8(ascii: "*")
            // Sets the bit that makes a letter lower-case, which digits have anyway.
            let token = unsafe text[start..<(isPrefix ? end - 1 : end)].map { $0 | 0x20 }
            guard !token.isEmpty, token.count <= FullTextTokenizer.maximumTokenLength,
                unsafe text[start..<(isPrefix ? end - 1 : end)].allSatisfy({ FullTextTokenizer.isPlain($0) })
            else { return false }
            let word = Word(token: token, isPrefix: isPrefix)
            if isExcluded { excluded.append(word) } else { included.append(word) }
        }
        return true
    }

    private mutating func takeWords(_ text: String) throws {
        (included, excluded) = ([], [])
        for part in text.unicodeScalars.split(whereSeparator: { $0.isSpace }) {
            let isExcluded = part.first == "-"
            let word = isExcluded ? part.dropFirst() : part
            let tokens = FullTextTokenizer.tokens(of: Substring(word).utf8)
            if tokens.isEmpty { continue }
            guard let token = tokens.first, tokens.count == 1 else {
                throw StorageError(.invalidArgument, "'\(Substring(part))' is not one word of a full-text search")
            }
            let entry = Word(token: token, isPrefix: word.last == "*")
            if isExcluded { excluded.append(entry) } else { included.append(entry) }
        }
    }

    package func matches(_ text: String) -> Bool {
        let tokens = FullTextTokenizer.tokens(of: text.utf8)
        func holds(_ word: Word) -> Bool {
            word.isPrefix ? tokens.contains { $0.starts(with: word.token) } : tokens.contains(word.token)
        }
        if included.isEmpty && excluded.isEmpty { return false }
        return included.allSatisfy(holds) && !excluded.contains(where: holds)
    }
}

extension Unicode.Scalar {
    /// `properties.isWhitespace` would look up even ASCII in the tables of Unicode.
    package var isSpace: Bool { isASCII ? value == 0x20 || 0x09...0x0D ~= value : properties.isWhitespace }
}
