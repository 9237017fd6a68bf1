// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime

/// Writes a typed query in the predicate language, for readers and for the tests of apps; the text is part of the
/// contract (query 2). `QueryTranslator` creates the predicate that is evaluated.
struct QueryText {
    private(set) var format = ""
    private(set) var arguments: [Any?] = []
    private var variable: String?
    private var subqueryCount = 0

    init(_ condition: QueryNode) { write(condition: condition) }

    // MARK: Conditions

    private enum Piece {
        case text(String)
        case condition(QueryNode)
    }

    /// Traverses ANDs, ORs and NOTs without recursion, because their nesting is unlimited.
    private mutating func write(condition node: QueryNode) {
        var pieces = [Piece.condition(node)]
        while let piece = pieces.popLast() {
            switch piece {
            case .text(let text): format += text
            case .condition(.junction(let junction)):
                pieces += [
                    .text(")"), .condition(junction.right), .text(junction.isConjunction ? " && " : " || "),
                    .condition(junction.left), .text("("),
                ]
            case .condition(.not(let inner)) where inner.isJunctionOrNot:
                format += "NOT "
                pieces.append(.condition(inner))
            case .condition(let node): write(single: node)
            }
        }
    }

    private mutating func write(single node: QueryNode) {
        switch node {
        case .path(let path): write(path, isTrue: true)
        case .test: write(condition: node.spelledOut)
        case .not(let node): write(negated: node)
        case .junction: write(condition: node)
        case .between(let path, let low, let high):
            format += "("
            write(path)
            format += " BETWEEN {"
            write(constant: low)
            format += ", "
            write(constant: high)
            format += "})"
        case .memberwise(let path, let operation, let object, _):
            write(.path(path), operation, .constant(object), [], prefix: "")
        case .comparison(let operation, let left, let right, let options):
            if let condition = node.asCondition { return write(condition: condition) }
            write(left, operation, right, options, prefix: "")
        case .constant(let value): format += value as? Bool == true ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .subqueryCount: throwRealmException("A count is not a condition.")
        }
    }

    private mutating func write(negated node: QueryNode) {
        switch node {
        case .path(let path): write(path, isTrue: false)
        case .test: write(negated: node.spelledOut)
        case .comparison(let operation, let left, let right, let options)
        where node.asCondition == nil && !left.isSubquery && !right.isSubquery:
            write(left, operation, right, options, prefix: "NOT ")
        default:
            format += "NOT "
            write(condition: node)
        }
    }

    private mutating func write(_ path: QueryPath, isTrue: Bool) {
        write(path)
        format += isTrue ? " == true" : " == false"
    }

    private mutating func write(
        _ left: QueryNode, _ operation: QueryNode.Operator, _ right: QueryNode, _ options: StringOptions,
        prefix: String
    ) {
        format += "(" + prefix
        // IN with a constant on the left applies to the collection itself.
        let isMembership = if case .constant = left { operation == .in } else { false }
        write(operand: left, isMembership, isBare: left.isBare(comparedWith: right))
        format += " \(operation.rawValue)\(options.text) "
        write(operand: right, isMembership, isBare: right.isBare(comparedWith: left))
        format += ")"
    }

    // MARK: Operands

    private mutating func write(operand node: QueryNode, _ isMembership: Bool, isBare: Bool) {
        switch node {
        case .constant(let value): write(constant: value)
        case .path(let path): write(path, any: !isMembership, isBare: isBare)
        case .subqueryCount(let condition): write(subquery: condition)
        default: throwRealmException("Only properties and values can be compared.")
        }
    }

    private mutating func write(constant value: Any?) {
        format += "%@"
        arguments.append(value)
    }

    private mutating func write(_ path: QueryPath, any: Bool = true, isBare: Bool = false) {
        var steps = path.steps
        if let variable, !isBare {
            guard let parts = path.parts else { QueryNode.throwNoCollection() }
            if any, path.needsAnyInSubquery { format += "ANY " }
            format += variable
            steps = parts.rest
            if !steps.isEmpty { format += "." }
        } else {
            if any, path.needsAny { format += "ANY " }
            if steps.isEmpty { format += "self" }
        }
        format += text(steps)
        path.subscripts.forEach { write($0) }
        if let operation = path.operation { format += "." + operation.rawValue }
    }

    private mutating func write(_ step: PathSubscript) {
        switch step {
        case .index(let index):
            format += "[%@]"
            arguments.append(index)
        case .key(let key):
            format += "[%@]"
            arguments.append(key)
        case .any:
            format += "[%K]"
            arguments.append("#any")
        // Only texts of Realm Query Language contain these.
        case .first: format += "[FIRST]"
        case .last: format += "[LAST]"
        }
    }

    private func text(_ steps: [PathStep]) -> String {
        steps.map { if case .property(let name) = $0 { name } else { $0.description } }.joined(separator: ".")
    }

    private mutating func write(subquery condition: QueryNode) {
        let collection = condition.subqueryCollection
        subqueryCount += 1
        let outer = variable
        format += "SUBQUERY("
        format += text(collection)
        let inner = "$col\(subqueryCount)"
        format += ", \(inner), "
        variable = inner
        write(condition: condition)
        variable = outer
        format += ").@count"
    }
}

extension QueryNode {
    var isOperand: Bool {
        switch self {
        case .constant, .path, .subqueryCount: true
        case .comparison, .test, .junction, .not, .between, .memberwise: false
        }
    }

    fileprivate var isJunctionOrNot: Bool {
        switch self {
        case .junction, .not: true
        default: false
        }
    }

    fileprivate var isSubquery: Bool { if case .subqueryCount = self { true } else { false } }

    /// For comparisons like `condition == true`, the condition or its negation.
    var asCondition: QueryNode? {
        guard case .comparison(let operation, let left, let right, _) = spelledOut, !left.isOperand,
            operation == .equal || operation == .notEqual, case .constant(let value as Bool) = right
        else { return nil }
        return value == (operation == .equal) ? left : .not(left)
    }
}

extension StringOptions {
    fileprivate var text: String {
        isEmpty ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}
