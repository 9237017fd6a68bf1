// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// The settings of a synchronised Realm: its user, its partition or its subscriptions, and its handling of client
/// resets.
///
/// Create it with `User.configuration(partitionValue:)` or `User.flexibleSyncConfiguration()`.
@frozen public struct SyncConfiguration: Sendable {
    /// The user whose data the Realm contains.
    public let user: User
    /// The value that selects the partition: the part of the server's data that the Realm contains. `nil` for a Realm
    /// with subscriptions.
    public let partitionValue: AnyBSON?
    /// The handling of client resets.
    public let clientResetMode: ClientResetMode
    /// A Boolean value that indicates whether `Realm.asyncOpen` fails on connection errors. If false, it waits for a
    /// connection.
    public let cancelAsyncOpenOnNonFatalErrors: Bool
    /// The subscriptions of a new file; `nil` for a partition, and for a Realm that starts without subscriptions.
    public let initialSubscriptions: InitialSubscriptionsConfiguration?
    let isFlexible: Bool

    init(
        user: User, partitionValue: AnyBSON?, clientResetMode: ClientResetMode, cancelAsyncOpenOnNonFatalErrors: Bool,
        initialSubscriptions: InitialSubscriptionsConfiguration? = nil, isFlexible: Bool = false
    ) {
        self.initialSubscriptions = initialSubscriptions
        self.isFlexible = isFlexible
        self.user = user
        self.partitionValue = partitionValue
        self.clientResetMode = clientResetMode
        self.cancelAsyncOpenOnNonFatalErrors = cancelAsyncOpenOnNonFatalErrors
    }
}

/// The handling of client resets. The server requires a client reset if it can't continue from the state of the file,
/// because its history was trimmed or restored from a backup.
///
/// The blocks receive a frozen Realm of the state before the reset, and a Realm of the state after it.
@frozen public enum ClientResetMode: Sendable {
    /// Another name for `discardUnsyncedChanges`.
    @available(*, deprecated, message: "Use discardUnsyncedChanges")
    @preconcurrency case discardLocal(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Replaces the file's contents with the server's state. Changes that weren't uploaded are lost.
    @preconcurrency case discardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Replaces the file's contents with the server's state, and reapplies the changes that weren't uploaded. If that
    /// is impossible, the error handler is called.
    @preconcurrency case recoverUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Behaves like `recoverUnsyncedChanges` or, if that is impossible, like `discardUnsyncedChanges`.
    @preconcurrency case recoverOrDiscardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Ends the session, and passes a `SyncError` to the given error handler, or to that of the app if it is `nil`. At
    /// the next start, the file is moved to the path that ``SyncError/clientResetInfo()`` returns.
    @preconcurrency case manual(errorHandler: ErrorReportingBlock? = nil)
}

/// A function that receives a synchronisation error and the session in which it occurred. It is called on any thread.
public typealias ErrorReportingBlock = @Sendable (Error, SyncSession?) -> Void

extension User {
    /// Returns a configuration that opens the user's Realm with the data of a partition.
    ///
    /// ```swift
    /// var configuration = user.configuration(partitionValue: "team-1")
    /// configuration.objectTypes = [Task.self]
    /// ```
    ///
    /// The Realm opens immediately, with the data on this device. The server's data is downloaded later, and observers
    /// are notified as for other writers' changes. To wait for it, open the Realm with
    /// ``Realm/asyncOpen(configuration:callbackQueue:callback:)``.
    ///
    /// Each class needs a primary key named `_id`. The partition value isn't a property of the objects.
    ///
    /// - Precondition: The value is a string, an integer, an `ObjectId`, a `UUID` or null, and the user wasn't removed.
    @preconcurrency public func configuration<T: BSON>(
        partitionValue: T,
        clientResetMode: ClientResetMode = .recoverUnsyncedChanges(beforeReset: nil, afterReset: nil),
        cancelAsyncOpenOnNonFatalErrors: Bool = false
    ) -> Realm.Configuration {
        configuration(
            partitionValue: AnyBSON(partitionValue), clientResetMode: clientResetMode,
            cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors)
    }

    /// Returns a configuration that opens the user's Realm with the data of a partition.
    ///
    /// - Precondition: The value is a string, an integer, an `ObjectId`, a `UUID` or null, and the user wasn't removed.
    @preconcurrency public func configuration(
        partitionValue: AnyBSON,
        clientResetMode: ClientResetMode = .recoverUnsyncedChanges(beforeReset: nil, afterReset: nil),
        cancelAsyncOpenOnNonFatalErrors: Bool = false
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: nil,
            syncConfiguration: SyncConfiguration(
                user: self, partitionValue: partitionValue, clientResetMode: clientResetMode,
                cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors))
    }
}

extension SyncConfiguration {
    /// The partition value, or the purpose of the session, as it is sent to the server (§2.5).
    var partition: String {
        isFlexible ? SessionPurpose.ordinary.path() : SyncConfiguration.partition(of: partitionValue)
    }

    var mode: SyncMode { isFlexible ? .flexible : .partition }

    static func partition(of partitionValue: AnyBSON?) -> String {
        let value: RealmSyncCore.PartitionValue =
            switch partitionValue {
            case .string(let text): .string(Text(text))
            case .int32(let number): .int32(number)
            case .int64(let number): .int64(number)
            case .objectId(let id): .objectId(id.bits)
            case .uuid(let id): .uuid(UUIDBytes(id))
            default: .null
            }
        return value.path
    }
}
