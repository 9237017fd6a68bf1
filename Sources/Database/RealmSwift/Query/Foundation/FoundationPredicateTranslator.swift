// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// Translates a predicate of Foundation to one of the engine, expression by expression.
///
/// Each type of expression that has a counterpart conforms to `TranslatedExpression`; other types are rejected.
/// Expressions without variables are evaluated by Foundation.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class FoundationPredicateTranslator {
    let realm: RealmInstance
    /// The nesting depth of collections. The paths of a condition begin at the innermost element.
    private(set) var scope = 0
    private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
    /// The names of stored properties, with the texts of their key paths in Foundation, for error messages.
    private var writings: [(keyPath: String, name: String)] = []

    init(_ realm: RealmInstance) { self.realm = realm }

    func term(_ expression: some PredicateExpression) throws -> PredicateTerm {
        // Foundation evaluates an expression without variables. For an expression with a variable it throws, because
        // the variable isn't bound.
        if let value = try? expression.evaluate(PredicateBindings()) { return .constant(flattened(value)) }
        guard let translated = expression as? any TranslatedExpression else {
            throw refusal("it has no counterpart in Realm", expression)
        }
        do {
            return try translated.term(self)
        } catch var refusal as PredicateRefusal {
            if refusal.place == nil { refusal.place = text(of: expression) }
            throw refusal
        }
    }

    private func text(of expression: some PredicateExpression) -> String {
        writings.reduce("\(expression)") { $0.replacing($1.keyPath, with: $1.name) }
    }

    func note(_ keyPath: AnyKeyPath, _ name: String, of shape: _PropertyShape) {
        writings.append(("\(keyPath)", "\\\(shape.objectClassName ?? "").\(name)"))
    }

    func condition(_ expression: some PredicateExpression) throws -> Predicate { try condition(term(expression)) }

    func condition(_ term: PredicateTerm) throws -> Predicate {
        switch term {
        case .condition(let condition): return condition
        case .constant(let value as Bool): return .constant(value)
        case .path: return try compare(term, .equal, .constant(true))
        case .choice(let test, let first, let second):
            return try .either(test, condition(first), condition(second))
        default: throw PredicateRefusal("it is not a condition")
        }
    }

    private func refusal(_ reason: String, _ expression: some PredicateExpression) -> PredicateRefusal {
        PredicateRefusal(reason, place: text(of: expression))
    }

    // MARK: Variables

    func term(of variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
        guard let term = variables[variable] else { throw PredicateRefusal("it has a variable of another predicate") }
        return term
    }

    func binding<Result>(
        _ variable: PredicateExpressions.VariableID, to term: PredicateTerm, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = variables.updateValue(term, forKey: variable)
        defer { variables[variable] = outer }
        return try body()
    }

    func entering<Result>(
        _ variable: PredicateExpressions.VariableID, _ shape: _PropertyShape, _ body: () throws -> Result
    ) rethrows -> Result {
        scope += 1
        defer { scope -= 1 }
        return try binding(variable, to: .path(PredicatePlace(elementOf: shape, scope: scope)), body)
    }

    /// A condition on an element can't use properties of the object that the collection belongs to.
    func path(_ place: PredicatePlace) throws -> PropertyPath {
        guard place.scope == scope else {
            throw PredicateRefusal("it compares an element of a collection with a value outside of the collection")
        }
        return PropertyPath(place.steps)
    }

    func isNil(_ place: PredicatePlace) throws -> Predicate {
        guard !place.nilPaths.isEmpty else { return .constant(false) }
        _ = try path(place)
        return .either(of: place.nilPaths.map { .compare(PropertyPath($0), .equal, .null) })
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
protocol TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm
}

struct PredicateRefusal: Error {
    var reason: String
    var place: String?

    init(_ reason: String, place: String? = nil) {
        self.reason = reason
        self.place = place
    }
}

extension RealmInstance {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func predicate<Element: RealmCollectionValue>(_ predicate: Foundation.Predicate<Element>) -> Predicate {
        let translator = FoundationPredicateTranslator(self)
        let object = PredicatePlace(elementOf: Element._elementShape, scope: 0)
        do {
            return try translator.binding(predicate.variable.key, to: .path(object)) {
                try translator.condition(predicate.expression)
            }
        } catch let refusal as PredicateRefusal {
            throwRealmException(
                """
                Cannot use this #Predicate in a query: \(refusal.reason). The part in question: \
                \(refusal.place ?? "\(predicate)"). Write it with where(_:), or filter the elements that a query has \
                found.
                """, name: "Unsupported predicate")
        } catch {
            throwRealmException("Cannot use this #Predicate in a query: \(error)", name: "Unsupported predicate")
        }
    }
}
