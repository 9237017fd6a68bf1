// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common ancestor of the collections that properties hold.
public class RLMSwiftCollectionBase: Equatable, CustomStringConvertible {
    /// Makes an empty collection that no Realm manages.
    public init() {}

    public var description: String { description(maximumDepth: ObjectBase.maximumDescriptionDepth) }

    /// Makes the collection the live value of a managed object's property.
    func attach(to owner: ObjectBase, _ key: PropertyKey) {}

    /// The elements as the engine takes them, in order.
    var contents: [_StoredContent] { [] }

    func description(maximumDepth depth: Int) -> String { "" }

    func isEqual(to other: RLMSwiftCollectionBase) -> Bool { self === other }

    /// Whether both are the same managed collection, or both are unmanaged and have equal elements.
    public static func == (lhs: RLMSwiftCollectionBase, rhs: RLMSwiftCollectionBase) -> Bool {
        lhs === rhs || lhs.isEqual(to: rhs)
    }
}

/// The text of an ordered collection: its elements, at most a hundred, one per line.
func collectionDescription(
    _ name: String, at address: UnsafeRawPointer, count: Int, maximumDepth depth: Int, element: (Int) -> Any?
) -> String {
    let printed = (0..<min(count, 100)).map { index in
        let text = printedValue(element(index), maximumDepth: depth - 1)
        return "\t[\(index)] " + text.replacing("\n", with: "\n\t")
    }
    let skipped = count > 100 ? "\n\t... \(count - 100) objects skipped." : ""
    let place = "0x" + String(UInt(bitPattern: address), radix: 16)
    return "\(name) <\(place)> (\n\(printed.joined(separator: ",\n"))\(skipped)\n)"
}
