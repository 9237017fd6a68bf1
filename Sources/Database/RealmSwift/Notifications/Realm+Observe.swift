// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A block called when a Realm has changed.
public typealias NotificationBlock = Realm.NotificationBlock

extension Realm {
    /// The notifications of a Realm to its observers.
    @frozen public enum Notification: String {
        /// The Realm reads another version: it advanced, or committed a write.
        case didChange = "RLMRealmDidChangeNotification"

        /// A newer version exists, and `autorefresh` is off.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// A block called when the Realm has changed.
    public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

    /// Calls `block` whenever the Realm reads another version: within `refresh()`, `commitWrite()` and a `beginWrite()`
    /// that advanced, and when it advances automatically; not for writes that were cancelled. With `autorefresh` off,
    /// also when a newer version exists.
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

    /// Runs `block` in a write transaction and commits it, as `write(_:)`, but doesn't call the observers of these
    /// tokens for it: they are notified only of later changes. All observers are notified of earlier changes before the
    /// write.
    ///
    /// - Precondition: The tokens belong to observers that are called here.
    /// - Throws: Any error thrown by the block, and `Realm.Error`, as `write(_:)`.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
    ) throws -> Result {
        try instance.throwing { try instance.writes.enter() }
        // Earlier changes must not be excluded from notification.
        if !tokens.isEmpty { instance.delivery.deliver() }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    /// Commits the write like `commitWrite()`, but doesn't call the observers of these tokens for it: they are notified
    /// only of later changes. An observer that wasn't yet notified of an earlier change is notified of both; with
    /// `write(withoutNotifying:_:)` this can't happen.
    ///
    /// - Precondition: A write is in progress, and the tokens belong to observers that are called here.
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
