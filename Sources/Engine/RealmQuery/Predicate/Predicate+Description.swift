// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Every predicate prints as text that parses to the same tree.
///
/// `variable` is the start of paths: nil, or inside a SUBQUERY its variable, which the tree omits.
extension Predicate: CustomStringConvertible {
    package var description: String { text(nil) }

    fileprivate func text(_ variable: String?) -> String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.text(variable)
        case .and(let conditions): conditions.map { $0.operand(variable) }.joined(separator: " AND ")
        case .or(let conditions): conditions.map { $0.operand(variable) }.joined(separator: " OR ")
        case .not(let condition): "NOT " + condition.operand(variable)
        }
    }

    /// Returns the text for an operand position, in which AND and OR need parentheses.
    private func operand(_ variable: String?) -> String {
        switch self {
        case .and, .or: "(\(text(variable)))"
        case .constant, .comparison, .not: text(variable)
        }
    }
}

extension Comparison: CustomStringConvertible {
    package var description: String { text(nil) }

    fileprivate func text(_ variable: String?) -> String {
        let prefix = quantifier.map { $0.rawValue + " " } ?? ""
        return "\(prefix)\(left.text(variable)) \(operation.rawValue)\(options) \(right.text(variable))"
    }
}

extension TextOptions: CustomStringConvertible {
    package var description: String {
        let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

extension Operand: CustomStringConvertible {
    package var description: String { text(nil) }

    fileprivate func text(_ variable: String?) -> String {
        switch self {
        case .path(let path): path.text(variable)
        case .value(let value): value.literal
        case .values(let values): "{" + values.map(\.literal).joined(separator: ", ") + "}"
        case .subqueryCount(let path, let inner, let condition):
            "SUBQUERY(\(path.text(variable)), $\(inner), \(condition.text(inner))).@count"
        case .shape(let shape): shape.description
        case .object(let className, let key): "obj(\(StoredValue.quoted(className)), \(key.literal))"
        case .arithmetic(let left, let operation, let right):
            "(\(left.text(variable)) \(operation.rawValue) \(right.text(variable)))"
        }
    }
}

extension PropertyPath: CustomStringConvertible {
    package var description: String { text(nil) }

    fileprivate func text(_ variable: String?) -> String {
        var text = variable.map { "$" + $0 } ?? ""
        for step in steps {
            if case .subscript = step {} else if !text.isEmpty { text += "." }
            text += step.description
        }
        return text.isEmpty ? "SELF" : text
    }
}

extension PathStep: CustomStringConvertible {
    package var description: String {
        switch self {
        case .property(let name): Identifier.escaped(name)
        case .backlinks(let className, let property):
            "@links.\(Identifier.escaped(className)).\(Identifier.escaped(property))"
        case .incomingLinks: "@links.@count"
        case .operation(let operation): operation.rawValue
        case .subscript(.index(let index)): "[\(index)]"
        case .subscript(.key(let key)): "[\(StoredValue.quoted(key))]"
        case .subscript(.any): "[#any]"
        case .subscript(.first): "[FIRST]"
        case .subscript(.last): "[LAST]"
        }
    }
}
