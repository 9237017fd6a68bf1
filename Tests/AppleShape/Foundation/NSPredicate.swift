// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Apple's Foundation has of predicates with a format, and Foundation on Linux marks as unavailable.

import Foundation

protocol FormatPredicates {}

extension FormatPredicates where Self: NSPredicate {
    init(format predicateFormat: String, argumentArray arguments: [Any]?) { self = NSPredicate(value: true) as! Self }
}

extension NSPredicate: FormatPredicates {}

// What Apple's Foundation shows of parsed predicates, and Foundation on Linux does not.

extension NSExpression {
    var expressionType: ExpressionType { .constantValue }
    var constantValue: Any? { nil }
    var keyPath: String { "" }
    var variable: String { "" }
    var function: String { "" }
    var operand: NSExpression { self }
    var arguments: [NSExpression]? { nil }
    var collection: Any { self }
    var predicate: NSPredicate { NSPredicate(value: true) }
}

extension NSComparisonPredicate {
    var predicateOperatorType: Operator { .equalTo }
    var comparisonPredicateModifier: Modifier { .direct }
    var leftExpression: NSExpression { self as Any as! NSExpression }
    var rightExpression: NSExpression { self as Any as! NSExpression }
    var options: Options { [] }
}
