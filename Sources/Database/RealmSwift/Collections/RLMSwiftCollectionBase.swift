// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common ancestor of the collections that properties hold.
public class RLMSwiftCollectionBase: Equatable, CustomStringConvertible {
    /// Makes an empty collection that no Realm manages.
    public init() {}

    /// How many elements the collection has.
    public var count: Int { 0 }

    /// A hash that is equal for equal collections. It changes with the number of elements.
    public var hash: Int { count.hashValue }

    public var description: String { description(within: DescriptionLimits()) }

    /// Makes the collection the live value of a managed object's property.
    func attach(to owner: ObjectBase, _ key: PropertyKey) {}

    /// The elements as the engine takes them.
    var contents: _StoredContent { .null }

    /// Gives the collection the elements of another one of its own type.
    func replaceContents(with other: RLMSwiftCollectionBase) {}

    /// What the collection is called in error texts.
    var words: CollectionVocabulary { .list }

    func description(within limits: DescriptionLimits) -> String { "" }

    func isEqual(to other: RLMSwiftCollectionBase) -> Bool { self === other }

    /// Whether both are the same managed collection, or both are unmanaged and have equal elements.
    ///
    /// What `==` asks.
    ///
    /// - Parameter object: Another collection, or any other value, which is never equal.
    public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? RLMSwiftCollectionBase else { return false }
        return self === other || isEqual(to: other)
    }

    /// Whether `isEqual(_:)` says so.
    public static func == (lhs: RLMSwiftCollectionBase, rhs: RLMSwiftCollectionBase) -> Bool {
        lhs.isEqual(rhs)
    }
}

/// The common ancestor of all lists, whatever their elements are.
public class ListBase: RLMSwiftCollectionBase {}

/// What a kind of collection is called in error texts, which keep the original's names.
struct CollectionVocabulary {
    /// In "Cannot modify managed List outside of a write transaction."
    let name: String
    /// In "Invalid nil value for array of 'int'."
    let element: String
    /// The original's class.
    let className: String

    static let list = CollectionVocabulary(name: "List", element: "array", className: "RLMArray")
    static let set = CollectionVocabulary(name: "Set", element: "set", className: "RLMSet")
    static let dictionary = CollectionVocabulary(name: "Dictionary", element: "dictionary", className: "RLMDictionary")

    /// Traps: the operation needs a collection that a Realm manages.
    func throwUnmanaged() -> Never {
        throwRealmException("This method may only be called on \(className) instances retrieved from an RLMRealm")
    }
}

/// The text of an ordered collection: its elements, at most a hundred, one per line.
func collectionDescription(
    _ name: String, at address: UnsafeRawPointer, count: Int, within limits: DescriptionLimits, element: (Int) -> Any?
) -> String {
    var printed: [String] = []
    while printed.count < min(count, 100), !limits.isFull {
        printed.append("\t[\(printed.count)] " + printedElement(element(printed.count), within: limits))
    }
    return unsafe collectionDescription(name, at: address, count: count, lines: printed)
}

/// The text of an ordered collection, of lines that are written already.
func collectionDescription(_ name: String, at address: UnsafeRawPointer, count: Int, lines: [String]) -> String {
    let skipped = count > lines.count ? "\n\t... \(count - lines.count) objects skipped." : ""
    let place = "0x" + String(UInt(bitPattern: address), radix: 16)
    return "\(name) <\(place)> (\n\(lines.joined(separator: ",\n"))\(skipped)\n)"
}

/// An element as its collection prints it.
func printedElement(_ value: Any?, within limits: DescriptionLimits) -> String {
    indented(printedValue(value, within: limits.inside))
}
