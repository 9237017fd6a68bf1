// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// Whose data a synchronised Realm holds, which of them, and what is done when the server has to reset the file.
///
/// Made by `User.configuration(partitionValue:)`.
@frozen public struct SyncConfiguration: Sendable {
    /// The user.
    public let user: User
    /// What selects the data.
    public let partitionValue: AnyBSON?
    /// What is done when the server cannot go on from what the file holds.
    public let clientResetMode: ClientResetMode
    /// Whether `Realm.asyncOpen` fails at errors of the connection, which are tried again otherwise.
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

/// What is done with a synchronised file when the server cannot go on from what it holds: its history was trimmed, or
/// restored from a backup.
///
/// The blocks are given the Realm as it was before, frozen, and as it is afterwards.
@frozen public enum ClientResetMode: Sendable {
    /// Another name of `discardUnsyncedChanges`.
    @available(*, deprecated, message: "Use discardUnsyncedChanges")
    @preconcurrency case discardLocal(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// The file gets the server's state. What was not uploaded is lost.
    @preconcurrency case discardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// The file gets the server's state, and what was not uploaded is done again on that. Where that is impossible the
    /// error handler is told.
    @preconcurrency case recoverUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// As `recoverUnsyncedChanges`; where that is impossible, as `discardUnsyncedChanges`.
    @preconcurrency case recoverOrDiscardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// The error handler, that of the app if there is none here, is told where the copy of the file will be:
    /// ``SyncError/clientResetInfo()``.
    @preconcurrency case manual(errorHandler: ErrorReportingBlock? = nil)
}

/// Receives an error of synchronisation, and the session that it is about. Called on any thread.
public typealias ErrorReportingBlock = @Sendable (Error, SyncSession?) -> Void

extension User {
    /// How to open the user's Realm with the data of a partition.
    ///
    /// ```swift
    /// var configuration = user.configuration(partitionValue: "team-1")
    /// configuration.objectTypes = [Task.self]
    /// ```
    ///
    /// The Realm opens at once, with what is on this device; what the server has comes as changes by others do. To wait
    /// for that, open it by ``Realm/asyncOpen(configuration:callbackQueue:callback:)``.
    ///
    /// Each class has a primary key named `_id`, and the value of the partition is no property of the objects.
    ///
    /// - Precondition: The value is a text, an integer, an `ObjectId`, a `UUID` or null, and the user was not removed.
    @preconcurrency public func configuration<T: BSON>(
        partitionValue: T,
        clientResetMode: ClientResetMode = .recoverUnsyncedChanges(beforeReset: nil, afterReset: nil),
        cancelAsyncOpenOnNonFatalErrors: Bool = false
    ) -> Realm.Configuration {
        configuration(
            partitionValue: AnyBSON(partitionValue), clientResetMode: clientResetMode,
            cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors)
    }

    /// How to open the user's Realm with the data of a partition.
    ///
    /// - Precondition: The value is a text, an integer, an `ObjectId`, a `UUID` or null, and the user was not removed.
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
    /// What the server is told (§2.5).
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
