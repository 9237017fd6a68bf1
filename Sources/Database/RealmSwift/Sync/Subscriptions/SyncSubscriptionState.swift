// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The state of a set of subscriptions.
@frozen public enum SyncSubscriptionState: Equatable {
    /// The data of the subscriptions is in the Realm.
    case complete
    /// The server rejected the subscriptions.
    case error(Error)
    /// The server hasn't sent all data yet.
    case pending
    /// A newer set of subscriptions is complete.
    case superseded

    /// Returns whether both states are of the same kind. Errors are compared by their descriptions.
    public static func == (lhs: SyncSubscriptionState, rhs: SyncSubscriptionState) -> Bool {
        switch (lhs, rhs) {
        case (.complete, .complete), (.pending, .pending), (.superseded, .superseded): true
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        default: false
        }
    }
}
