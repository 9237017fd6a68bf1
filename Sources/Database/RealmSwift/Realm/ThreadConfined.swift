// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A managed value, such as an object, a list, or a query result, that is confined to the thread, queue or actor of its
/// Realm.
public protocol ThreadConfined {
    /// The Realm that manages the value; nil when unmanaged.
    var realm: Realm? { get }

    /// A Boolean value that indicates whether the managed value was deleted, or its Realm was invalidated.
    var isInvalidated: Bool { get }

    /// A Boolean value that indicates whether the value belongs to a frozen Realm: it is immutable, and can be used on
    /// any thread.
    var isFrozen: Bool { get }

    /// Returns an immutable snapshot of the value at the version that its Realm reads.
    ///
    /// - Precondition: The value is managed.
    func freeze() -> Self

    /// Returns the live counterpart of the value for the caller's thread, or nil if it was deleted. Returns the value
    /// itself if it is live.
    ///
    /// A function that isn't `async` can't determine its actor. Within an actor, it therefore returns a value of the
    /// current thread's Realm instead of the actor's; on the main actor both are the same. In other actors, pass the
    /// value to the actor, or look it up in the actor's Realm:
    ///
    /// ```swift
    /// let realm = try await Realm.open()          // of this actor
    /// let dog = realm.object(ofType: Dog.self, forPrimaryKey: frozen._id)
    /// ```
    func thaw() -> Self?
}

extension ObjectBase {
    /// The Realm that manages the object; nil when unmanaged. It can be read on any thread.
    public var realm: Realm? { _rlmRow.realm.map(Realm.init) }
}

extension ObjectBase: ThreadConfined {}
