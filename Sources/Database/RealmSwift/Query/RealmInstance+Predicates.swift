// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

// Aliases for types of the engine: here, `Query` is the typed builder, and Foundation defines the other names.
typealias Predicate = RealmQuery.Predicate
typealias PredicateError = RealmQuery.PredicateError
typealias SortOrder = RealmQuery.SortOrder

/// Compiles queries in all their forms. Invalid queries trap with the texts and names of query 3.
extension RealmInstance: PredicateMaker {
    func predicate(_ format: String, _ arguments: [Any?]) -> Predicate {
        let arguments = arguments.map(predicateArgument)
        return trappingOnError { try Predicate(parsing: format, arguments: arguments) } ?? .constant(false)
    }

    /// Parses the predicate language with the arguments of a variadic function. A single constant, the most frequent
    /// case, is handled without an array of arguments.
    func predicate(_ format: String, variadic arguments: [Any]) -> Predicate {
        guard arguments.count == 1, let value = StoredValue(ofAny: arguments[0]) else {
            return predicate(format, arguments)
        }
        return trappingOnError { try Predicate(parsing: format, argument: value) } ?? .constant(false)
    }

    func statement(_ text: String, _ arguments: [Any?]) throws(RealmQueryError) -> QueryStatement {
        let arguments = arguments.map(predicateArgument)
        do {
            return try QueryStatement(parsing: text, arguments: arguments)
        } catch {
            throw RealmQueryError(error)
        }
    }

    func predicate<Element>(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Predicate {
        predicate(isIncluded(Query<Element>()).node)
    }

    func predicate(_ node: consuming QueryNode) -> Predicate {
        switch consume node {
        case .test(let comparison): .comparison(comparison)
        case let node:
            trappingOnError { try QueryTranslator.predicate(node, argument: predicateArgument) } ?? .constant(false)
        }
    }

    // MARK: Arguments

    func predicateArgument(_ value: Any?) -> PredicateArgument {
        RealmSwift.predicateArgument(value) { link(to: $0) }
    }

    /// An unmanaged or deleted object isn't equal to any object.
    private func link(to object: ObjectBase) -> StoredValue {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed, object.hasRow else {
            return .typedLink(ObjectLink(table: .null, object: .null))
        }
        if realm !== self {
            throwRealmException("Object must be from the Realm being queried", name: "Invalid value origin")
        }
        return .typedLink(ObjectLink(table: managed.tableKey, object: object._rlmRow.key))
    }
}

func predicateArgument(_ value: Any?, _ link: (ObjectBase) -> StoredValue) -> PredicateArgument {
    if let value, let stored = StoredValue(ofAny: value) { return .value(stored) }
    // Checked before casts to classes, because these make Foundation box each element of an array.
    if let value, let constants = value as? StoredConstants ?? StoredConstants(value) {
        return .list(constants.values.map { .value($0) })
    }
    switch flattened(value) {
    case nil: return .value(.null)
    case let object as ObjectBase: return .value(link(object))
    case let shape as any EngineShape: return .shape(shape.engineShape)
    case let value?:
        if let constants = StoredConstants(value) { return predicateArgument(constants, link) }
        if let value = storedArgument(value) { return .value(value) }
        if let elements = sequenceElements(of: value) {
            return .list(elements.map { predicateArgument($0, link) })
        }
        throwRealmException(
            "Cannot use value '\(value)' of type '\(type(of: value))' in a predicate", name: "Invalid value")
    }
}

private func storedArgument(_ value: Any) -> StoredValue? {
    if let value = value as? any _ObjcBridgeable, !(value is RLMSwiftCollectionBase),
        case .value(let stored) = value._rlmContent.kind
    {
        return stored
    }
    if let text = value as? Substring { return .string(String(text)) }
    if let decimal = DecimalBits(foundation: value) { return .decimal(decimal) }
    guard let number = DynamicNumber(value) else { return nil }
    if let integer: Int64 = number.integer() { return .int(integer) }
    return number.double.map { .double($0) }
}
