// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The names of a kind of collection in error texts, which use the original's names.
package struct CollectionVocabulary {
    /// In "Cannot modify managed List outside of a write transaction."
    package let name: String
    /// In "Invalid nil value for array of 'int'."
    package let element: String
    /// The name of the original's class.
    package let className: String

    package static let list = CollectionVocabulary(name: "List", element: "array", className: "RLMArray")
    package static let set = CollectionVocabulary(name: "Set", element: "set", className: "RLMSet")
    package static let dictionary = CollectionVocabulary(
        name: "Dictionary", element: "dictionary", className: "RLMDictionary")

    package func throwUnmanaged() -> Never {
        throwRealmException("This method may only be called on \(className) instances retrieved from an RLMRealm")
    }
}
