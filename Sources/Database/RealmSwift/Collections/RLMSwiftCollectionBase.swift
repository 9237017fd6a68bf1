// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The common superclass of `List`, `MutableSet` and `Map`.
public class RLMSwiftCollectionBase: Equatable, CustomStringConvertible {
    /// Creates an empty unmanaged collection.
    public init() {}

    /// The number of elements.
    public var count: Int { 0 }

    /// A hash that is equal for equal collections. It changes with the number of elements.
    public var hash: Int { count.hashValue }

    public var description: String { description(within: DescriptionLimits()) }

    /// Makes the collection the live value of a managed object's property.
    func attach(to owner: ObjectBase, _ key: PropertyKey) {}

    /// The elements in the engine's form.
    var contents: _StoredContent { .null }

    func replaceContents(with other: RLMSwiftCollectionBase) {}

    var words: CollectionVocabulary { .list }

    func description(within limits: DescriptionLimits) -> String { "" }

    func isEqual(to other: RLMSwiftCollectionBase) -> Bool { self === other }

    /// Returns whether both are the same managed collection, or both are unmanaged and have equal elements.
    ///
    /// Implements `==`.
    ///
    /// - Parameter object: Another collection, or any other value, which is never equal.
    public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? RLMSwiftCollectionBase else { return false }
        return self === other || isEqual(to: other)
    }

    /// Returns the result of `isEqual(_:)`.
    public static func == (lhs: RLMSwiftCollectionBase, rhs: RLMSwiftCollectionBase) -> Bool {
        lhs.isEqual(rhs)
    }
}

/// The common superclass of lists of all element types.
public class ListBase: RLMSwiftCollectionBase {}

func collectionDescription(
    _ name: String, at address: UnsafeRawPointer, count: Int, within limits: DescriptionLimits, element: (Int) -> Any?
) -> String {
    var printed: [String] = []
    while printed.count < min(count, 100), !limits.isFull {
        printed.append("\t[\(printed.count)] " + printedElement(element(printed.count), within: limits))
    }
    return unsafe collectionDescription(name, at: address, count: count, lines: printed)
}

func collectionDescription(_ name: String, at address: UnsafeRawPointer, count: Int, lines: [String]) -> String {
    let skipped = count > lines.count ? "\n\t... \(count - lines.count) objects skipped." : ""
    let place = "0x" + String(UInt(bitPattern: address), radix: 16)
    return "\(name) <\(place)> (\n\(lines.joined(separator: ",\n"))\(skipped)\n)"
}

func printedElement(_ value: Any?, within limits: DescriptionLimits) -> String {
    indented(printedValue(value, within: limits.inside))
}
