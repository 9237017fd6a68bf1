// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What belongs to a Realm and may be used only where that Realm may.
public protocol ThreadConfined {
    /// The Realm that manages the value; nil when unmanaged.
    var realm: Realm? { get }

    /// Whether the value was managed and is gone, or its Realm was invalidated.
    var isInvalidated: Bool { get }

    /// Whether the value is one of a frozen Realm: unchanging, and to be used on any thread.
    var isFrozen: Bool { get }

    /// The value as it is in the version that its Realm reads, unchanging.
    ///
    /// - Precondition: The value is managed.
    func freeze() -> Self

    /// The value in the live Realm of the caller's thread; nil if it is gone there. Itself, if it is live.
    ///
    /// A function that is not `async` cannot know its actor. So within an actor this is the Realm of the thread that
    /// happens to run it, and not the actor's; on the main actor both are one. In other actors hand the value over, or
    /// ask the actor's Realm for it:
    ///
    /// ```swift
    /// let realm = try await Realm.open()          // of this actor
    /// let dog = realm.object(ofType: Dog.self, forPrimaryKey: frozen._id)
    /// ```
    func thaw() -> Self?
}

extension ObjectBase {
    /// The Realm that manages the object; nil when unmanaged. May be asked on any thread.
    public var realm: Realm? { _rlmRow.realm.map(Realm.init) }
}

extension ObjectBase: ThreadConfined {}
