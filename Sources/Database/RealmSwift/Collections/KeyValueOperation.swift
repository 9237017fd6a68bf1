// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime

/// A key path that begins with an operator, for `value(forKeyPath:)` of collections: `"@avg.age"`, `"@count"`.
struct KeyValueOperation {
    let keyPath: String
    /// The operator without the `@`.
    let name: String
    /// The key after the operator; nil if absent.
    let key: String?

    init?(_ keyPath: String) {
        guard keyPath.hasPrefix("@") else { return nil }
        self.keyPath = keyPath
        let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(parts[0])
        key = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    private var aggregate: AggregateOperation? {
        switch name {
        case "min": .min
        case "max": .max
        case "sum": .sum
        case "avg": .average
        default: nil
        }
    }

    /// Returns the result of the operator for the elements of a collection. `aggregated` computes with the elements'
    /// property of the given name. Traps with the original's texts if the operator doesn't exist or isn't applicable.
    func value(
        of elements: [Any?], in words: CollectionVocabulary, aggregated: (AggregateOperation, String) -> Any?
    ) -> Any? {
        if name == "count", key == nil { return elements.count }
        if let aggregate { return aggregated(aggregate, requireKey()) }
        switch name {
        case "unionOfObjects": return values(of: elements, requireKey())
        case "distinctUnionOfObjects":
            if words.className != CollectionVocabulary.list.className {
                throwRealmException("this class does not implement the distinctUnionOfObjects")
            }
            return distinctValues(values(of: elements, requireKey()))
        case "unionOfArrays": return joined(elements)
        case "distinctUnionOfArrays": return distinctValues(joined(elements))
        default: throwRealmException("Unsupported KVC collection operator found in key path '\(keyPath)'")
        }
    }

    private func requireKey() -> String {
        guard let key else {
            throwRealmException("Missing key path for KVC collection operator \(name) in key path '\(keyPath)'")
        }
        if key.contains(".") || key.contains("@") {
            throwRealmException("Nested key paths are not supported yet for KVC collection operators.")
        }
        return key
    }

    private func values(of elements: [Any?], _ key: String) -> [Any] {
        elements.compactMap { flattened(RealmSwift.value(ofElement: $0, forKey: key)) }
    }

    /// Returns the elements of all the collections that are the values of the key.
    private func joined(_ elements: [Any?]) -> [Any] {
        let key = requireKey()
        if key == "self" {
            throwRealmException("self is not a valid key-path for a KVC array collection operator as '\(name)'.")
        }
        return values(of: elements, key).flatMap { value in
            (sequenceElements(of: value) ?? dictionaryEntries(of: value)?.map(\.value) ?? [value]).compactMap(flattened)
        }
    }

}

/// Returns the first of each set of equal values.
func distinctValues(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { value in (value as? AnyHashable).map { seen.insert($0).inserted } ?? true }
}

/// Returns the property of an element of a collection; a value that isn't an object has only `self`.
func value(ofElement element: Any?, forKey key: String) -> Any? {
    if key == "self" { return element }
    if let object = element as? ObjectBase { return object.value(forKey: key) }
    guard let element else { return nil }
    throwUnknownKey(key, of: element)
}

func throwUnknownKey(_ key: String, of value: Any, _ action: String = "valueFor") -> Never {
    throwRealmException(
        "[\(typeName(value)) \(action)UndefinedKey:]: this class is not key value coding-compliant for the key \(key).",
        name: "NSUnknownKeyException")
}
