// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The subscriptions of a Realm that is opened for the first time.
public struct InitialSubscriptionsConfiguration: Sendable {
    /// The function that adds the subscriptions. It's called within an update of the set.
    public let callback: @Sendable (SyncSubscriptionSet) -> Void
    /// A Boolean value that indicates whether the function is called each time the process opens the file, not only the
    /// first time.
    public let rerunOnOpen: Bool

    /// Creates a configuration.
    public init(callback: @escaping @Sendable (SyncSubscriptionSet) -> Void, rerunOnOpen: Bool = false) {
        self.callback = callback
        self.rerunOnOpen = rerunOnOpen
    }
}

/// The name of ``InitialSubscriptionsConfiguration`` in the Objective-C half of Realm's SDK.
public typealias RLMInitialSubscriptionsConfiguration = InitialSubscriptionsConfiguration

extension User {
    /// Returns a configuration that opens the user's Realm with the objects of its subscriptions.
    ///
    /// The Realm opens immediately, with the data on this device. ``Realm/subscriptions`` determines the objects that
    /// the server sends.
    ///
    /// - Parameters:
    ///   - clientResetMode: The handling of client resets.
    ///   - cancelAsyncOpenOnNonFatalErrors: Whether `Realm.asyncOpen` fails on connection errors. If false, it waits
    ///     for a connection.
    /// - Precondition: The user wasn't removed.
    public func flexibleSyncConfiguration(
        clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), cancelAsyncOpenOnNonFatalErrors: Bool = false
    ) -> Realm.Configuration {
        flexible(clientResetMode, cancelAsyncOpenOnNonFatalErrors, nil)
    }

    /// Returns a configuration that opens the user's Realm with the objects of its subscriptions, and adds the first
    /// subscriptions.
    ///
    /// - Parameters:
    ///   - clientResetMode: The handling of client resets.
    ///   - cancelAsyncOpenOnNonFatalErrors: Whether `Realm.asyncOpen` fails on connection errors. If false, it waits
    ///     for a connection.
    ///   - initialSubscriptions: Adds subscriptions to a new Realm, before `Realm.asyncOpen` downloads their objects.
    ///   - rerunOnOpen: Whether the function is called each time the process opens the file.
    /// - Precondition: The user wasn't removed.
    @preconcurrency public func flexibleSyncConfiguration(
        clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), cancelAsyncOpenOnNonFatalErrors: Bool = false,
        initialSubscriptions: @escaping @Sendable (SyncSubscriptionSet) -> Void, rerunOnOpen: Bool = false
    ) -> Realm.Configuration {
        flexible(
            clientResetMode, cancelAsyncOpenOnNonFatalErrors,
            InitialSubscriptionsConfiguration(callback: initialSubscriptions, rerunOnOpen: rerunOnOpen))
    }

    private func flexible(
        _ mode: ClientResetMode, _ isImpatient: Bool, _ initial: InitialSubscriptionsConfiguration?
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: nil,
            syncConfiguration: SyncConfiguration(
                user: self, partitionValue: nil, clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: isImpatient,
                initialSubscriptions: initial, isFlexible: true))
    }
}
