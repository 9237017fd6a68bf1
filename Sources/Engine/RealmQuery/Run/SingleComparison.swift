// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A comparison of one value in memory, with the rules for the values of a column of its type.
package struct SingleComparison {
    private let operation: ComparisonOperator
    private let options: TextOptions
    private let name: String

    package init(_ operation: ComparisonOperator, _ options: TextOptions, of name: String) {
        self.operation = operation
        self.options = options
        self.name = name
    }

    package func holds(_ value: StoredValue, of type: ColumnType, _ constant: StoredValue) throws(PredicateError)
        -> Bool
    {
        try maker(type).test(constant).matches(value)
    }

    package func holds(_ value: StoredValue, of type: ColumnType, _ constants: [StoredValue]) throws(PredicateError)
        -> Bool
    {
        try maker(type).test(constants).matches(value)
    }

    private func maker(_ type: ColumnType) -> ValueTestMaker {
        ValueTestMaker(
            type: type, target: nil, property: name, operation: operation, options: options, dialect: .predicate)
    }
}
