// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Keeps an observation alive, and ends it.
public typealias NotificationToken = RLMNotificationToken

/// Keeps an observation alive: its block is called until the token is invalidated or deallocated.
///
/// May be invalidated and released on any thread.
public final class RLMNotificationToken: Sendable {
    private let observation: Locked<(any Observation)?>

    init(_ observation: any Observation) { self.observation = Locked(observation) }

    /// Creates a token without an observation: an initial value for properties that are assigned a token later.
    public convenience init() { self.init(PendingObservation()) }

    deinit { end() }

    /// Ends the observation. If called where the block is called, no call of the block begins after this returns.
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

/// The observation kept alive by a token: the observer of a Realm, or of a value in one.
protocol Observation: AnyObject, Sendable {
    /// Ends the observation, from any thread.
    func stop()

    /// Whether the observation belongs to this instance.
    func isIn(_ instance: RealmInstance) -> Bool
}
