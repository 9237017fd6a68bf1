// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `[quantifier] left operation[options] right`.
///
/// Immutable, so that the predicate, its compiled form, and its plans share one. The sides of most comparisons are a
/// path and a value. These are stored as such, because extracting them from an `Operand` copies them.
package final class Comparison: Sendable, Equatable {
    package let quantifier: Quantifier?
    package let operation: ComparisonOperator
    package let options: TextOptions
    /// The left side, if the right side is a value; without steps if `sides` contains both.
    let path: PropertyPath
    /// The right side, if the left side is a path; null if `sides` contains both.
    let value: StoredValue
    private let sides: Sides?

    private final class Sides: Sendable {
        let left: Operand
        let right: Operand

        init(_ left: Operand, _ right: Operand) {
            self.left = left
            self.right = right
        }
    }

    package init(
        _ left: Operand, _ operation: ComparisonOperator, _ right: Operand, options: TextOptions = [],
        quantifier: Quantifier? = nil
    ) {
        self.quantifier = quantifier
        self.operation = operation
        self.options = options
        if case .path(let path) = left, case .value(let value) = right {
            (self.path, self.value, sides) = (path, value, nil)
        } else {
            (path, value, sides) = (PropertyPath([]), .null, Sides(left, right))
        }
    }

    package init(
        _ path: PropertyPath, _ operation: ComparisonOperator, _ value: StoredValue, options: TextOptions = []
    ) {
        quantifier = nil
        self.operation = operation
        self.options = options
        (self.path, self.value, sides) = (path, value, nil)
    }

    package var left: Operand { sides?.left ?? .path(path) }
    package var right: Operand { sides?.right ?? .value(value) }

    package var hasPathAndValue: Bool { sides == nil && quantifier == nil }

    func with(left: Operand? = nil, _ operation: ComparisonOperator? = nil, right: Operand? = nil) -> Comparison {
        Comparison(
            left ?? self.left, operation ?? self.operation, right ?? self.right, options: options,
            quantifier: quantifier)
    }

    package static func == (a: Comparison, b: Comparison) -> Bool {
        a === b
            || a.quantifier == b.quantifier && a.left == b.left && a.operation == b.operation && a.options == b.options
                && a.right == b.right
    }
}

package enum Operand: Sendable, Equatable {
    case path(PropertyPath)
    /// Objects are `.typedLink`.
    case value(StoredValue)
    case values([StoredValue])
    /// `SUBQUERY(path, $variable, condition).@count`. The paths of the condition start at the variable.
    indirect case subqueryCount(PropertyPath, variable: String, Predicate)
    case shape(GeoShape)
    /// `obj('Class', key)`.
    case object(className: String, primaryKey: StoredValue)
    indirect case arithmetic(Operand, ArithmeticOperator, Operand)
}

package enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "IN"
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    /// Regular expressions. Part of the language, but supported for no type.
    case matches = "MATCHES"
    case geoWithin = "GEOWITHIN"
    case text = "TEXT"

    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    var isTextual: Bool {
        switch self {
        case .contains, .beginsWith, .endsWith, .like, .matches: true
        default: false
        }
    }

    package var mirrored: ComparisonOperator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }
}

package enum ArithmeticOperator: String, Sendable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"

    var functionName: String {
        switch self {
        case .plus: "add:to:"
        case .minus: "from:subtract:"
        case .times: "multiply:by:"
        case .divided: "divide:by:"
        }
    }
}

/// `[c]` and `[d]` after an operator, and the language of the text operators.
package struct TextOptions: OptionSet, Sendable, Hashable {
    package let rawValue: Int8
    package init(rawValue: Int8) { self.rawValue = rawValue }

    package static let caseInsensitive = TextOptions(rawValue: 1)
    package static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// The semantics of Realm Query Language. The parser sets this option; it is never written.
    ///
    /// - CONTAINS, BEGINSWITH, ENDSWITH and LIKE: the empty text matches every text and null, and mixed values match
    ///   only text with text and data with data.
    /// - With `[c]`, any operator: only the letters of ASCII and Latin-1 have a case.
    /// - Between two properties: NaN has a position in the order of numbers.
    package static let queryLanguage = TextOptions(rawValue: 4)

    /// The number of option sets. All raw values are below it.
    static let combinationCount: Int8 = 8

    var folding: TextOptions { intersection([.caseInsensitive, .diacriticInsensitive]) }
}

/// The number of values at the end of a path through a collection that must satisfy the comparison.
package enum Quantifier: String, Sendable {
    /// Also written SOME.
    case any = "ANY"
    case all = "ALL"
    case no = "NONE"
}
