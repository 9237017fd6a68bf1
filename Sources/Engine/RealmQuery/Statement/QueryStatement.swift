// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text in Realm Query Language: a predicate, and the steps applied to the matching objects, in order.
package struct QueryStatement: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        case sort([SortKey])
        case distinct([PropertyPath])
        case limit(Int)
    }

    package var predicate: Predicate
    package var steps: [Step]

    package init(_ predicate: Predicate, _ steps: [Step] = []) {
        self.predicate = predicate
        self.steps = steps
    }

    /// Parses `predicate SORT(a ASC, b DESC) DISTINCT(a, b) LIMIT(n)`. Every part is optional, and the suffixes can
    /// have any order and number.
    package init(parsing text: String, arguments: [PredicateArgument] = []) throws(PredicateError) {
        var parser = PredicateParser(
            text: text, tokens: try TokenCache.queries.tokens(of: text), arguments: arguments, dialect: .query)
        self = try parser.statement()
    }
}

extension QueryStatement: CustomStringConvertible {
    package var description: String {
        ([predicate.description] + steps.map(\.description)).joined(separator: " ")
    }
}

extension QueryStatement.Step: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sort(let keys):
            "SORT(" + keys.map { "\($0.path) \($0.ascending ? "ASC" : "DESC")" }.joined(separator: ", ") + ")"
        case .distinct(let paths): "DISTINCT(" + paths.map(\.description).joined(separator: ", ") + ")"
        case .limit(let count): "LIMIT(\(count))"
        }
    }
}

extension PredicateParser {
    fileprivate mutating func statement() throws(PredicateError) -> QueryStatement {
        let predicate = token == .end || suffix != nil ? .constant(true) : try disjunction()
        var steps: [QueryStatement.Step] = []
        while let suffix {
            index += 2
            steps.append(try step(suffix))
            guard takeSymbol(")") else { throw expected("',' or ')'") }
        }
        guard token == .end else { throw expected("AND, OR, SORT, DISTINCT, LIMIT or the end") }
        return QueryStatement(predicate, steps)
    }

    private var suffix: String? {
        guard case .word(let word, escaped: false) = token, tokens[index + 1].token == .symbol("("),
            ["sort", "distinct", "limit"].contains(word.lowercased())
        else { return nil }
        return word.lowercased()
    }

    private mutating func step(_ suffix: String) throws(PredicateError) -> QueryStatement.Step {
        switch suffix {
        case "sort":
            var keys: [SortKey] = []
            repeat {
                let path = try orderPath()
                keys.append(SortKey(path, ascending: takeAscending()))
            } while takeSymbol(",")
            return .sort(keys)
        case "distinct":
            var paths: [PropertyPath] = []
            repeat { paths.append(try orderPath()) } while takeSymbol(",")
            return .distinct(paths)
        default:
            guard case .value(.int(let count)) = token, let count = Int(exactly: count), count >= 0 else {
                throw expected("a number of objects")
            }
            index += 1
            return .limit(count)
        }
    }

    private mutating func takeAscending() -> Bool {
        if takeKeyword("desc") || takeKeyword("descending") { return false }
        _ = takeKeyword("asc") || takeKeyword("ascending")
        return true
    }
}
