// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `path operation[options] value`, which most conditions are: it is compiled without making a predicate of it first.
///
/// An object, because the query and what is compiled from it selectivity one, and to take its parts out of an enum
/// would copy them all.
package final class ValueComparison: Sendable {
    package let path: PropertyPath
    package let operation: ComparisonOperator
    package let options: TextOptions
    package let value: StoredValue

    package init(
        _ path: PropertyPath, _ operation: ComparisonOperator, _ value: StoredValue, options: TextOptions = []
    ) {
        self.path = path
        self.operation = operation
        self.options = options
        self.value = value
    }

    /// What a text of the predicate language says with its one argument; nil unless the text was parsed before and is
    /// of this form.
    package convenience init?(parsing text: String, _ value: StoredValue) {
        guard let known = TokenCache.shared.comparison(in: text), known.quantifier == nil,
            case .path(let path) = known.left
        else { return nil }
        self.init(path, known.operation, value, options: known.options)
    }

    /// The same as part of a predicate.
    package var comparison: Comparison { Comparison(.path(path), operation, .value(value), options: options) }
}
