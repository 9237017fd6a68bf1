// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value that belongs to a Realm and is confined to the same thread, queue or actor.
public protocol ThreadConfined {
    /// The Realm that manages the value; nil when unmanaged.
    var realm: Realm? { get }

    /// A Boolean value that indicates whether the managed value was deleted, or its Realm was invalidated.
    var isInvalidated: Bool { get }

    /// A Boolean value that indicates whether the value belongs to a frozen Realm: it's immutable, and usable on any
    /// thread.
    var isFrozen: Bool { get }

    /// Returns the value, frozen at the version that its Realm reads.
    ///
    /// - Precondition: The value is managed.
    func freeze() -> Self

    /// Returns the value in the live Realm of the caller's thread, or nil if it was deleted there. Returns the value
    /// itself if it is live.
    ///
    /// A function that isn't `async` can't determine its actor. Within an actor, this therefore returns the value in
    /// the Realm of the current thread instead of the actor's; on the main actor both are the same. In other actors
    /// pass the value to the actor, or look it up in the actor's Realm:
    ///
    /// ```swift
    /// let realm = try await Realm.open()          // of this actor
    /// let dog = realm.object(ofType: Dog.self, forPrimaryKey: frozen._id)
    /// ```
    func thaw() -> Self?
}

extension ObjectBase {
    /// The Realm that manages the object; nil when unmanaged. Usable on any thread.
    public var realm: Realm? { _rlmRow.realm.map(Realm.init) }
}

extension ObjectBase: ThreadConfined {}
