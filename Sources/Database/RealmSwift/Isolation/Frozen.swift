// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A frozen object, collection or Realm as a value that the compiler lets go to other threads and actors.
///
/// ```swift
/// let dogs = realm.objects(Dog.self).frozen()
/// Task.detached { print(dogs.count, dogs.value.sum(of: \.age)) }
/// ```
///
/// Objects are not `Sendable`, because a live one must not leave its place. This holds nothing but frozen ones, which
/// may: whatever it is made of is frozen first. Properties of an object that are not stored in the Realm are still
/// ordinary variables, and those of an object that came with it are not to be changed.
///
/// What it holds cannot be exchanged and is read without locks by all threads, hence `@unchecked`. An addition to
/// Realm's API.
@dynamicMemberLookup
public struct Frozen<Value>: @unchecked Sendable {
    /// The frozen value.
    public let value: Value

    /// Freezes a managed value, if it is not frozen already.
    public init(_ value: Value) where Value: ThreadConfined { self.value = value.freeze() }

    /// Freezes a Realm, if it is not frozen already.
    public init(_ realm: Realm) where Value == Realm { value = realm.freeze() }

    /// A property of the frozen value.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member { value[keyPath: keyPath] }
}

extension ThreadConfined {
    /// The value, frozen, as one that may go to other threads and actors. An addition to Realm's API.
    public func frozen() -> Frozen<Self> { Frozen(self) }
}

extension Realm {
    /// The Realm, frozen, as one that may go to other threads and actors. An addition to Realm's API.
    public func frozen() -> Frozen<Realm> { Frozen(self) }
}
