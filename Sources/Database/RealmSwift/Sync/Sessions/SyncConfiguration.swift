// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// The settings of a synchronised Realm: its user, its partition, and the behavior when the server requires a client
/// reset.
///
/// Create it with `User.configuration(partitionValue:)`.
@frozen public struct SyncConfiguration: Sendable {
    /// The user.
    public let user: User
    /// The value that selects the data.
    public let partitionValue: AnyBSON?
    /// The behavior when the server can't continue from the state of the file.
    public let clientResetMode: ClientResetMode
    /// A Boolean value that indicates whether `Realm.asyncOpen` fails on connection errors, which are otherwise
    /// retried.
    public let cancelAsyncOpenOnNonFatalErrors: Bool

    init(
        user: User, partitionValue: AnyBSON?, clientResetMode: ClientResetMode, cancelAsyncOpenOnNonFatalErrors: Bool
    ) {
        self.user = user
        self.partitionValue = partitionValue
        self.clientResetMode = clientResetMode
        self.cancelAsyncOpenOnNonFatalErrors = cancelAsyncOpenOnNonFatalErrors
    }
}

/// The behavior when the server can't continue from the state of a synchronised file because the server's history was
/// trimmed or restored from a backup.
///
/// The blocks receive the Realm as it was before the reset, frozen, and as it is afterwards.
@frozen public enum ClientResetMode: Sendable {
    /// Another name of `discardUnsyncedChanges`.
    @available(*, deprecated, message: "Use discardUnsyncedChanges")
    @preconcurrency case discardLocal(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Replaces the file's contents by the server's state. Changes that weren't uploaded are lost.
    @preconcurrency case discardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Replaces the file's contents by the server's state, and reapplies the changes that weren't uploaded. If that is
    /// impossible, the error handler is called.
    @preconcurrency case recoverUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Behaves as `recoverUnsyncedChanges`; if that is impossible, as `discardUnsyncedChanges`.
    @preconcurrency case recoverOrDiscardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// Passes the error to the given error handler, or to the app's error handler if it is `nil`, with the path of the
    /// file's copy: ``SyncError/clientResetInfo()``.
    @preconcurrency case manual(errorHandler: ErrorReportingBlock? = nil)
}

/// Receives a synchronisation error and the session that it concerns. Called on any thread.
public typealias ErrorReportingBlock = @Sendable (Error, SyncSession?) -> Void

extension User {
    /// Returns a configuration that opens the user's Realm with the data of a partition.
    ///
    /// ```swift
    /// var configuration = user.configuration(partitionValue: "team-1")
    /// configuration.objectTypes = [Task.self]
    /// ```
    ///
    /// The Realm opens immediately, with the data on this device; the server's data arrives later as changes made by
    /// others. To wait for it, open the Realm with ``Realm/asyncOpen(configuration:callbackQueue:callback:)``.
    ///
    /// Each class needs a primary key named `_id`. The partition value isn't a property of the objects.
    ///
    /// - Precondition: The value is a string, an integer, an `ObjectId`, a `UUID` or null, and the user was not
    ///   removed.
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
    /// - Precondition: The value is a string, an integer, an `ObjectId`, a `UUID` or null, and the user was not
    ///   removed.
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
    /// The partition value as it is sent to the server (§2.5).
    var partition: String { SyncConfiguration.partition(of: partitionValue) }

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
