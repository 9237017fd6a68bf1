// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A block called when a Realm has changed.
public typealias NotificationBlock = Realm.NotificationBlock

extension Realm {
    /// The events that a Realm notifies its observers of.
    @frozen public enum Notification: String {
        /// The Realm advanced to another version, or committed a write.
        case didChange = "RLMRealmDidChangeNotification"

        /// A newer version exists, and `autorefresh` is off.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// A block called when the Realm has changed.
    public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

    /// Calls `block` whenever the Realm advances to another version: within `refresh()`, `commitWrite()` and a
    /// `beginWrite()` that advances, and when the Realm advances automatically. Cancelled writes aren't reported. If
    /// `autorefresh` is off, the block is also called when a newer version exists.
    ///
    /// The observation ends when the token is invalidated or deallocated.
    ///
    /// - Precondition: The Realm is neither frozen nor read-only, and the current thread has a run loop, a serial queue
    ///   or an actor that can call the block.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        instance.delivery.verifyCanDeliver()
        let observer = VersionObserver(instance) { [instance] event in
            switch event {
            case .moved: block(.didChange, Realm(instance))
            case .newerExists: block(.refreshRequired, Realm(instance))
            }
        }
        instance.delivery.observers.add(observer)
        return NotificationToken(observer)
    }

    /// Runs `block` in a write transaction and commits it, like `write(_:)`, but doesn't notify the observers of these
    /// tokens of the write. All observers are notified of earlier changes before the write begins.
    ///
    /// - Precondition: The tokens belong to observers that are called on this Realm's thread, queue or actor.
    /// - Throws: Any error thrown by the block, and `Realm.Error`, like `write(_:)`.
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

    /// Commits the write like `commitWrite()`, but doesn't notify the observers of these tokens of the write. An
    /// observer that hasn't been notified of an earlier change yet is notified of both; use
    /// `write(withoutNotifying:_:)` to prevent this.
    ///
    /// - Precondition: A write is in progress, and the tokens belong to observers that are called on this Realm's
    ///   thread, queue or actor.
    /// - Throws: `Realm.Error`, like `commitWrite()`.
    public func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
        instance.verifyThread()
        let skipped = tokens.compactMap(\.current).map { observation -> any Observation in
            if !observation.isIn(instance) {
                throwRealmException(
                    "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
            }
            return (observation as? PendingObservation)?.observer ?? observation
        }
        try instance.throwing { try instance.commit(withoutNotifying: skipped) }
    }
}
