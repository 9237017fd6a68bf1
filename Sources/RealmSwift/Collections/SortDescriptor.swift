// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One criterion of a sort order: a property, or one of linked objects, and a direction.
///
/// ```swift
/// dogs.sorted(by: ["toy.name", SortDescriptor(keyPath: "age", ascending: false)])
/// ```
public struct SortDescriptor {
    /// The names of the links to follow and of the property, with dots between them.
    public let keyPath: String
    public let ascending: Bool

    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
        self.init(keyPath: PropertyProbe.name(of: keyPath), ascending: ascending)
    }

    /// The opposite direction.
    public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }
}

extension SortDescriptor: Equatable, CustomStringConvertible, ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(keyPath: value) }

    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}
