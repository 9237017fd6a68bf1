// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An error in a predicate, sort order or aggregate: invalid syntax, an unknown property, or an operator that a type
/// doesn't support. The SDK raises it as an exception with this name and text.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Name: String, Sendable {
        case invalidPredicate = "Invalid predicate"
        case invalidExpressions = "Invalid predicate expressions"
        case invalidExpression = "Invalid predicate expression"
        case invalidValue = "Invalid value"
        case invalidOperand = "Invalid operand"
        case invalidOperator = "Invalid operator type"
        case unsupportedPredicate = "Unsupported predicate"
        case unsupportedValueType = "Unsupported predicate value type"
        case typeMismatch = "RLMPropertiesComparisonTypeMismatchException"
        case invalidProperty = "Invalid property name"
        case invalidSubscriptSize = "Invalid subscript size"
        case invalidSubscriptType = "Invalid subscript type"
        case exception = "RLMException"
    }

    package var name: Name
    package var message: String
    /// The position of a syntax error in the text, in characters from 0.
    package var position: Int?

    package init(_ name: Name, _ message: String, position: Int? = nil) {
        self.name = name
        self.message = message
        self.position = position
    }

    package var description: String { message }
}
