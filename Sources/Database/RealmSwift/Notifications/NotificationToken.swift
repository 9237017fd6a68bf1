// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Keeps an observation alive, and ends it.
public typealias NotificationToken = RLMNotificationToken

/// Keeps an observation alive: while the token lives, its block is called. Letting go of it ends the observation too.
///
/// May be invalidated and let go on any thread.
public final class RLMNotificationToken: Sendable {
    private let observation: Locked<(any Observation)?>

    init(_ observation: any Observation) { self.observation = Locked(observation) }

    /// Makes a token of nothing: a value for properties that get the token of an observation later.
    public convenience init() { self.init(PendingObservation()) }

    deinit { end() }

    /// Ends the observation. Called where the block is called, no call of it begins after this one returns.
    ///
    /// Returns false if it was ended before.
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

    /// What the token keeps alive; nil once it was invalidated.
    var current: (any Observation)? { observation.withLock { $0 } }
}

/// Tokens are equal if they are the same one, so that a `Set` keeps many.
extension RLMNotificationToken: Hashable {
    public static func == (lhs: RLMNotificationToken, rhs: RLMNotificationToken) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What a token keeps alive: the observer of a Realm or that of something in one.
protocol Observation: AnyObject, Sendable {
    /// Ends it, from whatever thread.
    func stop()

    /// Whether the observation is one of this instance's.
    func isIn(_ instance: RealmInstance) -> Bool
}
