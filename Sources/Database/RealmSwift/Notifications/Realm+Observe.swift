// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What is called when a Realm has changed.
public typealias NotificationBlock = Realm.NotificationBlock

extension Realm {
    /// What a Realm tells its observers.
    @frozen public enum Notification: String {
        /// The Realm shows another version: it moved, or a write was committed here.
        case didChange = "RLMRealmDidChangeNotification"

        /// There is a newer version, and `autorefresh` is off.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// What is called when the Realm has changed.
    public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

    /// Calls `block` whenever the Realm shows another version: within `refresh()`, `commitWrite()` and a
    /// `beginWrite()` that moved on, and when it moves by itself; not for writes that were cancelled. With
    /// `autorefresh` off, also when there is a newer version.
    ///
    /// Ends when the token is invalidated or deallocated.
    ///
    /// - Precondition: The Realm is neither frozen nor read-only, and blocks can be called on this thread.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        instance.delivery.verifyCanDeliver()
        let observer = RealmObserver(instance, block)
        instance.delivery.observers.add(observer)
        return NotificationToken(observer)
    }

    /// Runs `block` in a write transaction and commits it, as `write(_:)`, but does not call the observers of these
    /// tokens for it: they are notified of later changes only. Of earlier ones, all observers are notified before.
    ///
    /// - Precondition: The tokens are those of observers that are called here.
    /// - Throws: What the block throws, and `Realm.Error`, as `write(_:)`.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
    ) throws -> Result {
        try instance.throwing { try instance.writes.enter() }
        // What came before is no part of what they are not notified.
        if !tokens.isEmpty { instance.delivery.deliver() }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    /// Commits the write like `commitWrite()`, but does not call the observers of these tokens for it: they are
    /// notified of later changes only. Where one of them was not notified of something earlier yet, it is notified of
    /// both; with `write(withoutNotifying:_:)` that cannot be.
    ///
    /// - Precondition: A write is in progress, and the tokens are those of observers that are called here.
    /// - Throws: `Realm.Error`, as `commitWrite()`.
    public func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
        instance.verifyThread()
        let skipped = tokens.compactMap(\.current).map { observation -> any Observation in
            if !observation.isIn(instance) {
                throwRealmException(
                    "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
            }
            return (observation as? PendingObservation)?.observer ?? observation
        }
        try instance.writes.commit(withoutNotifying: skipped)
    }
}
