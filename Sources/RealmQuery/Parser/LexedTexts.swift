// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The tokens of the texts that were parsed lately.
///
/// An app asks with the same few texts over and over, and other arguments; to cut a text into tokens takes a fifth of
/// the time of a small query. `known` is guarded by `lock`.
final class LexedTexts: @unchecked Sendable {
    static let shared = LexedTexts()

    private let lock = Lock()
    private var known: [String: [PredicateLexer.PlacedToken]] = [:]

    /// Texts with constants in them never end, so there is a bound; beyond it all begins anew.
    private static let capacity = 64
    /// UTF-8 bytes; longer texts were made by a program and hardly come again.
    private static let longestText = 256

    func tokens(of text: String) throws(PredicateError) -> [PredicateLexer.PlacedToken] {
        if let tokens = lock.locked({ known[text] }) { return tokens }
        let tokens = try PredicateLexer.tokens(of: text)
        guard text.utf8.count <= LexedTexts.longestText else { return tokens }
        lock.locked {
            if known.count >= LexedTexts.capacity { known.removeAll() }
            known[text] = tokens
        }
        return tokens
    }
}
