// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// Translates a predicate of Foundation to one of the engine, part by part.
///
/// Each type of expression that has a counterpart conforms to `TranslatedExpression`; other types are rejected. Parts
/// without variables are evaluated by Foundation itself.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class FoundationPredicateTranslator {
    let realm: RealmInstance
    /// The nesting depth of collections: the paths of a condition begin at the innermost element.
    private(set) var scope = 0
    private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
    /// The names of stored properties, by the texts of their key paths in Foundation.
    private var writings: [(keyPath: String, name: String)] = []

    init(_ realm: RealmInstance) { self.realm = realm }

    /// Translates a part of the predicate.
    func term(_ expression: some PredicateExpression) throws -> PredicateTerm {
        // A part without variables has a value. For a part with a variable, which isn't bound here, Foundation throws.
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

    /// A part of the predicate in Foundation's notation, with the names of properties.
    private func text(of expression: some PredicateExpression) -> String {
        writings.reduce("\(expression)") { $0.replacing($1.keyPath, with: $1.name) }
    }

    /// Records the name of a key path.
    func note(_ keyPath: AnyKeyPath, _ name: String, of shape: _PropertyShape) {
        writings.append(("\(keyPath)", "\\\(shape.objectClassName ?? "").\(name)"))
    }

    func condition(_ expression: some PredicateExpression) throws -> Predicate { try condition(term(expression)) }

    /// Converts a Boolean part to a condition.
    func condition(_ term: PredicateTerm) throws -> Predicate {
        switch term {
        case .condition(let condition): return condition
        case .constant(let value as Bool): return .constant(value)
        case .path: return try compare(term, .equal, .constant(true))
        case .choice(let test, let first, let second):
            return try .either(test, condition(first), condition(second))
        default: throw PredicateRefusal("it is no condition")
        }
    }

    private func refusal(_ reason: String, _ expression: some PredicateExpression) -> PredicateRefusal {
        PredicateRefusal(reason, place: text(of: expression))
    }

    // MARK: Variables

    func term(of variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
        guard let term = variables[variable] else { throw PredicateRefusal("its variable is not of this predicate") }
        return term
    }

    /// Runs `body` while a variable is bound to a term.
    func binding<Result>(
        _ variable: PredicateExpressions.VariableID, to term: PredicateTerm, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = variables.updateValue(term, forKey: variable)
        defer { variables[variable] = outer }
        return try body()
    }

    /// Runs `body` with a variable bound to an element of a collection.
    func entering<Result>(
        _ variable: PredicateExpressions.VariableID, _ shape: _PropertyShape, _ body: () throws -> Result
    ) rethrows -> Result {
        scope += 1
        defer { scope -= 1 }
        return try binding(variable, to: .path(PredicatePlace(elementOf: shape, scope: scope)), body)
    }

    /// Returns a location's path. A condition on an element can't use the object that the collection belongs to.
    func path(_ place: PredicatePlace) throws -> PropertyPath {
        guard place.scope == scope else {
            throw PredicateRefusal("it compares an element of a collection with something outside of the collection")
        }
        return PropertyPath(place.steps)
    }

    func isNil(_ place: PredicatePlace) throws -> Predicate {
        guard !place.nilPaths.isEmpty else { return .constant(false) }
        _ = try path(place)
        return .either(of: place.nilPaths.map { .compare(PropertyPath($0), .equal, .null) })
    }
}

/// A type of expression in Foundation's predicates that has a counterpart in the engine.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
protocol TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm
}

/// The reason why a predicate of Foundation can't be a query.
struct PredicateRefusal: Error {
    var reason: String
    var place: String?

    init(_ reason: String, place: String? = nil) {
        self.reason = reason
        self.place = place
    }
}

extension RealmInstance {
    /// Returns the engine's predicate. Traps for one that can't be translated, a programmer error.
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
