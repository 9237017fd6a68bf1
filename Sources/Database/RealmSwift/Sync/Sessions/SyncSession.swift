// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage

/// The synchronisation of one file with its server; see ``Realm/syncSession``. It can be used from any thread.
///
/// The session runs while a Realm of the file is open, and afterwards until the server has all committed changes.
/// Writes never wait for it. If several processes have the file open, one of them communicates with the server for all
/// of them; when it ends, another process takes over within two seconds.
public final class SyncSession: Sendable {
    /// The state of a session.
    public enum State: UInt, Sendable {
        /// The session is running, or waiting for the network.
        case active
        /// The session is suspended, its user is logged out, it ended with an error, or its file is closed.
        case inactive
        /// The session has ended because its user was removed.
        case invalid
    }

    /// The state of a session's connection.
    public enum ConnectionState: UInt, Sendable {
        /// The session isn't connected.
        case disconnected
        /// The session is connecting.
        case connecting
        /// The session is connected.
        case connected
    }

    /// The direction of a transfer.
    public enum ProgressDirection: Sendable {
        /// From this device to the server.
        case upload
        /// From the server to this device.
        case download
    }

    /// The duration of a progress observation.
    public enum ProgressMode: Sendable {
        /// Until the token is invalidated.
        case reportIndefinitely
        /// Until all data that was outstanding at the beginning has been transferred.
        case forCurrentlyOutstandingWork
    }

    /// The progress of a transfer.
    public struct Progress: Sendable {
        private let transferred: Int
        private let transferrable: Int
        /// The fraction of the data that has been transferred, from 0 to 1.
        public let progressEstimate: Double

        package init(transferred: Int, transferrable: Int, estimate: Double) {
            self.transferred = transferred
            self.transferrable = transferrable
            progressEstimate = estimate
        }

        /// The number of bytes that have been transferred.
        @available(*, deprecated, message: "Use progressEstimate")
        public var transferredBytes: Int { transferred }
        /// The total number of bytes to transfer, including those already transferred.
        @available(*, deprecated, message: "Use progressEstimate")
        public var transferrableBytes: Int { transferrable }
        /// The fraction of the data that has been transferred, equal to `progressEstimate`.
        @available(*, deprecated, message: "Use progressEstimate", renamed: "progressEstimate")
        public var fractionTransferred: Double { progressEstimate }
        /// A Boolean value that indicates whether all data has been transferred.
        public var isTransferComplete: Bool { progressEstimate >= 1 }
    }

    /// A token that keeps an observation of progress active until it is invalidated or deallocated.
    public final class ProgressNotificationToken: Sendable {
        private let end: Locked<Ending?>

        private struct Ending {
            var call: @Sendable () -> Void
        }

        package init(_ end: @escaping @Sendable () -> Void) { self.end = Locked(Ending(call: end)) }

        deinit { invalidate() }

        /// Ends the observation. You can call it from any thread, any number of times.
        public func invalidate() { end.withLock { $0.take() }?.call() }
    }

    private let work: any SyncSessionWork

    package init(_ work: any SyncSessionWork) { self.work = work }

    /// The state of the session.
    public var state: State { work.state }
    /// The state of the session's connection.
    public var connectionState: ConnectionState { work.connectionState }
    /// Calls `function` after each change of `connectionState`, on any thread, until the returned function is called.
    package func observeConnectionState(
        _ function: @escaping @Sendable (ConnectionState) -> Void
    ) -> @Sendable () -> Void {
        work.observeConnectionState(function)
    }

    /// Returns the user of the session; `nil` if `state` is `invalid`.
    public func parentUser() -> User? { work.user }
    /// Returns the synchronisation settings of the session; `nil` if `state` is `invalid`.
    public func configuration() -> SyncConfiguration? { work.configuration }
    /// Suspends transfers until `resume()`. Local changes are stored in the file in the meantime.
    public func suspend() { work.suspend() }
    /// Resumes transfers after `suspend()`.
    public func resume() { work.resume() }
    /// Connects immediately if the session is waiting after a failure.
    public func reconnect() { work.reconnect() }

    /// Calls `block` with the current progress, and again whenever it changes, on any thread.
    ///
    /// - Returns: The token of the observation; nil if the file is closed.
    @preconcurrency public func addProgressNotification(
        for direction: ProgressDirection, mode: ProgressMode, block: @Sendable @escaping (Progress) -> Void
    ) -> ProgressNotificationToken? {
        work.addProgressNotification(direction, mode, block)
    }

    /// Calls `block`, on `queue` or on any thread, after all data that is now outstanding has been transferred, or with
    /// the error that prevented it.
    public func wait(
        for direction: ProgressDirection, queue: DispatchQueue? = nil, block: @Sendable @escaping (Error?) -> Void
    ) {
        work.wait(direction) { error in
            guard let queue else { return block(error) }
            queue.async { block(error) }
        }
    }

    /// Returns after all data that is now outstanding has been transferred.
    ///
    /// - Throws: The error that prevents the transfer, such as `SyncError` with `.clientUserError` if the user is
    ///   logged out, or `CancellationError` as soon as the task is cancelled.
    public func wait(for direction: ProgressDirection) async throws { try await work.wait(direction) }

    /// Runs the action of an error immediately instead of at the next start: see ``SyncError/clientResetInfo()``.
    /// Release all Realms of the file first.
    public static func immediatelyHandleError(_ token: SyncError.ActionToken) { token.act() }

    /// Runs the action like `immediatelyHandleError(_:)`. The manager is ignored.
    public static func immediatelyHandleError(_ token: SyncError.ActionToken, syncManager: SyncManager) { token.act() }
}

/// The implementation of a session.
package protocol SyncSessionWork: Sendable {
    var state: SyncSession.State { get }
    var connectionState: SyncSession.ConnectionState { get }
    var user: User? { get }
    var configuration: SyncConfiguration? { get }
    func observeConnectionState(
        _ function: @escaping @Sendable (SyncSession.ConnectionState) -> Void
    ) -> @Sendable () -> Void
    func suspend()
    func resume()
    func reconnect()
    func addProgressNotification(
        _ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode,
        _ block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) -> SyncSession.ProgressNotificationToken?
    /// `block` is called once, at the end of the wait.
    ///
    /// - Returns: A function that ends the wait immediately, with the error passed to it.
    @discardableResult
    func wait(
        _ direction: SyncSession.ProgressDirection, _ block: @escaping @Sendable ((any Error)?) -> Void
    ) -> @Sendable (any Error) -> Void
}

extension SyncSessionWork {
    /// Returns after all data that is now outstanding has been transferred, or throws the error that prevents it.
    /// Throws `CancellationError` as soon as the task is cancelled.
    func wait(_ direction: SyncSession.ProgressDirection) async throws {
        try await Cancellation.wait { wait(direction, $0) }
    }
}

extension Realm {
    /// The session that synchronises the Realm; nil for a local or frozen Realm.
    public var syncSession: SyncSession? {
        instance.isFrozen ? nil : instance.coordinator.synchronisedFile?.syncSession
    }
}

extension User {
    /// The sessions of the user's files that are open or still have changes to upload.
    public var allSessions: [SyncSession] { SynchronisedFiles.all(of: self).map(\.syncSession) }

    /// Returns the session of the user's Realm with the data of a partition, if that Realm is open.
    public func session(forPartitionValue value: some BSON) -> SyncSession? {
        let partition = SyncConfiguration.partition(of: AnyBSON(value))
        return SynchronisedFiles.all(of: self).first { $0.partition.isIdentical(to: partition) }?.syncSession
    }
}
