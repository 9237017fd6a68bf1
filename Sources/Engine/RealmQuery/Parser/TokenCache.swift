// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The tokens of recently parsed texts, and the comparisons of the simplest ones.
///
/// An app uses the same few texts repeatedly with different arguments. Lexing and parsing take a third of the time of a
/// small query. `known` is guarded by `lock`.
final class TokenCache: @unchecked Sendable {
    static let shared = TokenCache(.predicate)
    static let queries = TokenCache(.query)

    static func of(_ dialect: Predicate.Dialect) -> TokenCache { dialect == .query ? queries : shared }

    private struct Known {
        let tokens: [PredicateLexer.PlacedToken]
        var comparison: Comparison?
    }

    private let dialect: Predicate.Dialect
    private let lock = Lock()
    private var known: [ByteText: Known] = [:]

    /// The cache is emptied at this number of texts, because texts with constants are unlimited.
    private static let capacity = 64
    /// In UTF-8 bytes; longer texts are generated and rarely recur.
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

    func comparison(in text: String) -> Comparison? { lock.locked { known[ByteText(text)]?.comparison } }

    /// Caches a text that compares a path with the argument at its end, and contains nothing else.
    func remember(_ predicate: Predicate, of text: String, _ tokens: [PredicateLexer.PlacedToken]) {
        guard case .comparison(let comparison) = predicate, comparison.hasPathAndValue,
            tokens.dropLast().last?.token == .argument,
            tokens.count(where: \.token.isPlaceholder) == 1
        else { return }
        lock.locked { known[ByteText(text)]?.comparison = comparison }
    }
}

extension PredicateToken {
    fileprivate var isPlaceholder: Bool {
        switch self {
        case .argument, .pathArgument, .variable: true
        default: false
        }
    }
}
