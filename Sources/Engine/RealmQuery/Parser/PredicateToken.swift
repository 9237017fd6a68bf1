// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

enum PredicateToken: Equatable {
    /// A name, or a keyword unless it was `escaped`.
    case word(String, escaped: Bool)
    /// `@name`.
    case at(String)
    /// `$name` or `$0`.
    case variable(String)
    case value(StoredValue)
    /// `%@`, `%d` and similar placeholders.
    case argument
    /// `%K`.
    case pathArgument
    case symbol(String)
    case end

    /// Whether the token can end an operand, so that an operator may follow.
    var isOperandEnd: Bool {
        switch self {
        case .word(let word, let escaped): escaped || !Identifier.keywords.contains(word.lowercased())
        case .at, .variable, .value, .argument, .pathArgument: true
        case .symbol(let symbol): symbol == ")"
        case .end: false
        }
    }

    var text: String {
        switch self {
        case .word(let name, _): "'\(name)'"
        case .at(let name): "'@\(name)'"
        case .variable(let name): "'$\(name)'"
        case .value(let value): value.literal
        case .argument: "'%@'"
        case .pathArgument: "'%K'"
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "the end"
        }
    }
}
