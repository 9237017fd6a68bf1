// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The tokens of the texts that were parsed lately, and what the simplest of them say.
///
/// An app asks with the same few texts over and over, and other arguments; to cut a text into tokens and to parse them
/// takes a third of the time of a small query. `known` is guarded by `lock`.
final class TokenCache: @unchecked Sendable {
    /// Those of the format language; the strings of the two languages differ.
    static let shared = TokenCache(.predicate)
    static let queries = TokenCache(.query)

    static func of(_ dialect: Predicate.Dialect) -> TokenCache { dialect == .query ? queries : shared }

    private struct Known {
        let tokens: [PredicateLexer.PlacedToken]
        /// The parsed comparison, with any argument.
        var comparison: Comparison?
    }

    private let dialect: Predicate.Dialect
    private let lock = Lock()
    private var known: [ByteText: Known] = [:]

    /// Texts with constants in them are unlimited in number, so the cache is emptied at this size.
    private static let capacity = 64
    /// UTF-8 bytes; longer texts were made by a program and hardly come again.
    private static let longestText = 256

    private init(_ dialect: Predicate.Dialect) { self.dialect = dialect }

    func tokens(of text: String) throws(PredicateError) -> [PredicateLexer.PlacedToken] {
        if let known = lock.locked({ known[ByteText(text)] }) { return known.tokens }
        let tokens = try PredicateLexer.tokens(of: text, dialect)
        guard text.utf8.count <= TokenCache.longestText else { return tokens }
        lock.locked {
            if known.count >= TokenCache.capacity { known.removeAll() }
            known[ByteText(text)] = Known(tokens: tokens)
        }
        return tokens
    }

    /// The comparison of a path with a value that a text of the format language is known to be: the value is its one
    /// argument.
    func comparison(in text: String) -> Comparison? { lock.locked { known[ByteText(text)]?.comparison } }

    /// Notes what a text was parsed to, if that is a path compared with the argument that ends it, and nothing else.
    func remember(_ predicate: Predicate, of text: String, _ tokens: [PredicateLexer.PlacedToken]) {
        guard case .comparison(let comparison) = predicate, comparison.hasPathAndValue,
            tokens.dropLast().last?.token == .argument,
            tokens.count(where: \.token.isPlaceholder) == 1
        else { return }
        lock.locked { known[ByteText(text)]?.comparison = comparison }
    }
}

extension PredicateToken {
    /// Whether it stands for an argument.
    fileprivate var isPlaceholder: Bool {
        switch self {
        case .argument, .pathArgument, .variable: true
        default: false
        }
    }
}
