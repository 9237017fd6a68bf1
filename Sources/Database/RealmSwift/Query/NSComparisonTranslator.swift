// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(ObjectiveC)
    import Foundation
    import RealmQuery
    import RealmStorage

    /// Translates comparisons of predicates that Foundation has parsed. It doesn't use the predicate's text, which
    /// omits the values of dates, data and objects.
    struct NSComparisonTranslator {
        let maker: any PredicateMaker
        let level: Int
        let variable: String?

        func predicate(_ predicate: NSComparisonPredicate) throws(PredicateError) -> Predicate {
            let quantifier: Quantifier?
            switch predicate.comparisonPredicateModifier {
            case .direct: quantifier = nil
            case .any: quantifier = .any
            default: throw PredicateError(.invalidPredicate, "ALL modifier not supported")
            }
            let left = try operand(predicate.leftExpression)
            let right = try operand(predicate.rightExpression)
            var operation = try comparisonOperator(predicate.predicateOperatorType)
            if operation == .in, case .shape = right { operation = .geoWithin }
            var options: TextOptions = []
            if predicate.options.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
            if predicate.options.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
            return .comparison(Comparison(left, operation, right, options: options, quantifier: quantifier))
        }

        private func comparisonOperator(
            _ operation: NSComparisonPredicate.Operator
        ) throws(PredicateError) -> ComparisonOperator {
            switch operation {
            case .lessThan: .less
            case .lessThanOrEqualTo: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqualTo: .greaterOrEqual
            case .equalTo: .equal
            case .notEqualTo: .notEqual
            case .matches: .matches
            case .like: .like
            case .beginsWith: .beginsWith
            case .endsWith: .endsWith
            case .in: .in
            case .contains: .contains
            case .between: .between
            default: throw PredicateError(.invalidOperator, "Custom operators are not supported.")
            }
        }

        // MARK: Operands

        private func operand(_ expression: NSExpression) throws(PredicateError) -> Operand {
            switch expression.expressionType {
            case .constantValue: return try operand(maker.predicateArgument(expression.constantValue))
            case .aggregate: return .values(try constants(expression.collection))
            case .function where isSubquery(expression): return try subqueryCount(expression)
            case .subquery: throw NSComparisonTranslator.noCount
            default: return .path(PropertyPath(try steps(expression)))
            }
        }

        private func operand(_ argument: PredicateArgument) throws(PredicateError) -> Operand {
            switch argument {
            case .value(let value): .value(value)
            case .shape(let shape): .shape(shape)
            case .list(let list): .values(try values(list))
            }
        }

        /// The values of IN and BETWEEN. A nested list contributes all its values.
        private func constants(_ collection: Any?) throws(PredicateError) -> [StoredValue] {
            var constants: [StoredValue] = []
            for element in collection as? [Any] ?? [] {
                let part: Operand
                if let expression = element as? NSExpression {
                    part = try operand(expression)
                } else {
                    part = try operand(maker.predicateArgument(element))
                }
                switch part {
                case .value(let value): constants.append(value)
                case .values(let values): constants += values
                default: throw NSComparisonTranslator.noConstant
                }
            }
            return constants
        }

        private func values(_ arguments: [PredicateArgument]) throws(PredicateError) -> [StoredValue] {
            var values: [StoredValue] = []
            for argument in arguments {
                guard case .value(let value) = argument else { throw NSComparisonTranslator.noConstant }
                values.append(value)
            }
            return values
        }

        // MARK: Paths

        private func steps(_ expression: NSExpression) throws(PredicateError) -> [PathStep] {
            switch expression.expressionType {
            case .keyPath: return try steps(expression.keyPath)
            case .evaluatedObject: return []
            case .variable where expression.variable == variable: return []
            case .function: return try steps(function: expression.function, expression)
            default:
                throw PredicateError(
                    .invalidExpressions,
                    "Predicate expressions must compare a keypath and another keypath or a constant value")
            }
        }

        private func steps(_ keyPath: String) throws(PredicateError) -> [PathStep] {
            let steps = PropertyPath(keyPath).steps
            for case .property(let name) in steps where name.hasPrefix("@") {
                throw PredicateError(.invalidPredicate, "Unsupported collection operation '\(name)'")
            }
            return steps
        }

        private func steps(
            function name: String, _ expression: NSExpression
        ) throws(PredicateError) -> [PathStep] {
            let arguments = expression.arguments ?? []
            switch (name, arguments.count) {
            case ("valueForKeyPath:", 1):
                return try steps(expression.operand) + steps(arguments[0].keyPath)
            case ("objectFrom:withIndex:", 2):
                return try steps(arguments[0]) + [.subscript(try place(arguments[1]))]
            default: throw PredicateError(.invalidPredicate, "The '\(name)' function is not supported.")
            }
        }

        private func place(_ expression: NSExpression) throws(PredicateError) -> PathSubscript {
            // Foundation produces `#any` for %K.
            if expression.expressionType == .keyPath, expression.keyPath == "#any" { return .any }
            if expression.expressionType == .constantValue {
                switch maker.predicateArgument(expression.constantValue) {
                case .value(.int(let index)) where index >= 0: return .index(Int(index))
                case .value(.string(let key)): return .key(key)
                default: break
                }
            }
            throw PredicateError(
                .invalidSubscriptType,
                "Invalid subscript type '\(expression)': Only `Strings` or index are allowed subscripts")
        }

        // MARK: Subqueries

        private func isSubquery(_ expression: NSExpression) -> Bool {
            expression.function == "valueForKeyPath:" && expression.operand.expressionType == .subquery
        }

        private func subqueryCount(_ expression: NSExpression) throws(PredicateError) -> Operand {
            let subquery = expression.operand
            guard let operation = expression.arguments?.first?.keyPath, ["@count", "@size"].contains(operation),
                let collection = subquery.collection as? NSExpression
            else { throw NSComparisonTranslator.noCount }
            let condition = maker.predicate(subquery.predicate, level: level + 1, variable: subquery.variable)
            return .subqueryCount(
                PropertyPath(try steps(collection)), variable: subquery.variable, condition)
        }

        private static let noCount = PredicateError(
            .invalidExpression, "SUBQUERY is only supported when immediately followed by .@count.")
        private static let noConstant = PredicateError(
            .invalidValue, "Expressions within predicate aggregates must be constant values")
    }
#endif
