// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A frozen object, collection or Realm in a `Sendable` wrapper.
///
/// ```swift
/// let dogs = Frozen(realm.objects(Dog.self))
/// Task.detached { print(dogs.count, dogs.value.sum(of: \.age)) }
/// ```
///
/// Objects aren't `Sendable`, because a live one is confined to its thread, queue or actor. This wrapper freezes the
/// value passed to it, and a frozen value can be sent. Properties that aren't stored in the Realm are still ordinary
/// variables; don't change those of an object that was sent.
///
/// The contained value can't be replaced and is read without locks by all threads, hence `@unchecked`. An addition to
/// Realm's API.
@dynamicMemberLookup
public struct Frozen<Value>: @unchecked Sendable {
    /// The frozen value.
    public let value: Value

    /// Freezes a managed value, if it isn't frozen already.
    public init(_ value: Value) where Value: ThreadConfined { self.value = value.freeze() }

    /// Freezes a Realm, if it isn't frozen already.
    public init(_ realm: Realm) where Value == Realm { value = realm.freeze() }

    /// A property of the frozen value.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member { value[keyPath: keyPath] }
}
