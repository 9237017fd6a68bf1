// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A criterion of a sort order: a property, which may belong to a linked object, and a direction.
///
/// ```swift
/// dogs.sorted(by: ["toy.name", SortDescriptor(keyPath: "age", ascending: false)])
/// ```
public struct SortDescriptor {
    /// The names of the links to follow and of the property, separated by dots.
    public let keyPath: String
    /// A Boolean value that indicates whether the order is ascending.
    public let ascending: Bool
    /// The order of strings. An addition to Realm's API.
    public let order: TextOrder

    /// Creates a descriptor for a property, or for a property of a linked object.
    public init(keyPath: String, ascending: Bool = true) {
        self.init(keyPath: keyPath, ascending: ascending, order: .binary)
    }

    /// Creates a descriptor for a property, or for a property of a linked object.
    public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
        self.init(keyPath: keyPath, ascending: ascending, order: .binary)
    }

    /// Creates a descriptor for a string property, with an order of strings. An addition to Realm's API.
    public init(keyPath: String, ascending: Bool = true, order: TextOrder) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.order = order
    }

    /// Creates a descriptor for a string property, with an order of strings. An addition to Realm's API.
    public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true, order: TextOrder) {
        self.init(keyPath: PropertyProbe.name(of: keyPath), ascending: ascending, order: order)
    }

    /// Returns a descriptor with the opposite direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending, order: order)
    }
}

extension SortDescriptor: Equatable, CustomStringConvertible, ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(keyPath: value) }

    public var description: String {
        let direction = "direction: " + (ascending ? "ascending" : "descending")
        return "SortDescriptor(keyPath: \(keyPath), \(direction)\(order == .binary ? "" : ", order: \(order)"))"
    }
}
