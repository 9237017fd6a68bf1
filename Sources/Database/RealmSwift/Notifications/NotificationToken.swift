// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A token that keeps an observation active until it is invalidated or deallocated.
public typealias NotificationToken = RLMNotificationToken

/// A token that keeps an observation active until it is invalidated or deallocated; use it as `NotificationToken`.
///
/// It can be invalidated and released on any thread.
public final class RLMNotificationToken: Sendable {
    private let observation: Locked<(any Observation)?>

    init(_ observation: any Observation) { self.observation = Locked(observation) }

    /// Creates a token without an observation, as the initial value of a property that is assigned a token later.
    public convenience init() { self.init(PendingObservation()) }

    deinit { end() }

    /// Ends the observation. If you call this on the thread, queue or actor on which the block is called, the block
    /// isn't called again.
    ///
    /// Returns false if the observation had already ended.
    @discardableResult
    public func invalidate() -> Bool { end() }

    @discardableResult
    private func end() -> Bool {
        let ended = observation.withLock { observation in
            defer { observation = nil }
            return observation
        }
        ended?.stop()
        return ended != nil
    }

    /// The observation that the token keeps alive; nil once it was invalidated.
    var current: (any Observation)? { observation.withLock { $0 } }
}

/// Tokens are equal only if they are the same instance, so that a `Set` can contain many.
extension RLMNotificationToken: Hashable {
    public static func == (lhs: RLMNotificationToken, rhs: RLMNotificationToken) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
