// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage

/// The synchronisation of one file: see ``Realm/syncSession``. Usable from any thread.
///
/// It works while a Realm of the file is open, and after that until the server has what was committed. Writes never
/// wait for it. Of several processes that have a file open one talks to the server, for all; when it ends another one
/// takes over within a second or two.
public final class SyncSession: Sendable {
    /// Whether a session works.
    public enum State: UInt, Sendable {
        /// It works, or is waiting for the network.
        case active
        /// It is suspended, or no Realm of its file is open.
        case inactive
        /// It has ended: after an error that it cannot go on from, or because its user was logged out.
        case invalid
    }

    /// Whether a session has a connection.
    public enum ConnectionState: UInt, Sendable {
        /// It has none.
        case disconnected
        /// One is being made.
        case connecting
        /// It has one.
        case connected
    }

    /// What is to be waited for, or observed.
    public enum ProgressDirection: Sendable {
        /// From this device to the server.
        case upload
        /// From the server to this device.
        case download
    }

    /// How long progress is observed.
    public enum ProgressMode: Sendable {
        /// Until the token is invalidated.
        case reportIndefinitely
        /// Until what there is to be transferred at the beginning has been.
        case forCurrentlyOutstandingWork
    }

    /// How much has been transferred.
    public struct Progress: Sendable {
        private let transferred: Int
        private let transferrable: Int
        /// How much of what there is to be transferred has been, from 0 to 1.
        public let progressEstimate: Double

        package init(transferred: Int, transferrable: Int, estimate: Double) {
            self.transferred = transferred
            self.transferrable = transferrable
            progressEstimate = estimate
        }

        /// How many bytes have been transferred.
        @available(*, deprecated, message: "Use progressEstimate")
        public var transferredBytes: Int { transferred }
        /// How many bytes there are to be transferred, with those that have been.
        @available(*, deprecated, message: "Use progressEstimate")
        public var transferrableBytes: Int { transferrable }
        /// The same as `progressEstimate`.
        @available(*, deprecated, message: "Use progressEstimate", renamed: "progressEstimate")
        public var fractionTransferred: Double { progressEstimate }
        /// Whether all has been transferred.
        public var isTransferComplete: Bool { progressEstimate >= 1 }
    }

    /// Ends an observation of progress when it is invalidated, or let go of.
    public final class ProgressNotificationToken: Sendable {
        private let end: Locked<Ending?>

        private struct Ending {
            var call: @Sendable () -> Void
        }

        package init(_ end: @escaping @Sendable () -> Void) { self.end = Locked(Ending(call: end)) }

        deinit { invalidate() }

        /// Ends the observation. From any thread, any number of times.
        public func invalidate() { end.withLock { $0.take() }?.call() }
    }

    private let work: any SyncSessionWork

    package init(_ work: any SyncSessionWork) { self.work = work }

    /// Whether the session works.
    public var state: State { work.state }
    /// Whether the session has a connection.
    public var connectionState: ConnectionState { work.connectionState }
    /// Calls `function` after each change of `connectionState`, on any thread, until the returned function is called.
    package func observeConnectionState(
        _ function: @escaping @Sendable (ConnectionState) -> Void
    ) -> @Sendable () -> Void {
        work.observeConnectionState(function)
    }

    /// The user; nil if the session has ended.
    public func parentUser() -> User? { work.user }
    /// What is synchronised; nil if the session has ended.
    public func configuration() -> SyncConfiguration? { work.configuration }
    /// Stops the transfer until `resume()`. Changes are kept meanwhile.
    public func suspend() { work.suspend() }
    /// Goes on after `suspend()`.
    public func resume() { work.resume() }
    /// Tries to connect at once, if the session is waiting after a failure.
    public func reconnect() { work.reconnect() }

    /// Calls `block` with how much has been transferred: now, and whenever that changes.
    ///
    /// - Returns: The token of the observation; nil if there is nothing to observe.
    @preconcurrency public func addProgressNotification(
        for direction: ProgressDirection, mode: ProgressMode, block: @Sendable @escaping (Progress) -> Void
    ) -> ProgressNotificationToken? {
        work.addProgressNotification(direction, mode, block)
    }

    /// Calls `block`, on `queue` or on any thread, once what there is at present has been transferred, or with the
    /// error that keeps it from being.
    public func wait(
        for direction: ProgressDirection, queue: DispatchQueue? = nil, block: @Sendable @escaping (Error?) -> Void
    ) {
        work.wait(direction) { error in
            guard let queue else { return block(error) }
            queue.async { block(error) }
        }
    }

    /// Returns once what there is at present has been transferred.
    ///
    /// - Throws: The error that keeps it from being: of a user who is logged out `SyncError` with `.clientUserError`,
    ///   and `CancellationError` as soon as the task is cancelled.
    public func wait(for direction: ProgressDirection) async throws { try await work.wait(direction) }

    /// Does now what an error asks for at the next start: see ``SyncError/clientResetInfo()``. All Realms of the file
    /// have to be let go of before.
    public static func immediatelyHandleError(_ token: SyncError.ActionToken) { token.act() }

    /// Does what `immediatelyHandleError(_:)` does; the manager is that of the app.
    public static func immediatelyHandleError(_ token: SyncError.ActionToken, syncManager: SyncManager) { token.act() }
}

/// What synchronises a file: the seam between a session, which users have, and what does its work.
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
    /// Calls `block` once, at the end of the wait.
    ///
    /// - Returns: A function that ends the wait at once, with the error it's given.
    @discardableResult
    func wait(
        _ direction: SyncSession.ProgressDirection, _ block: @escaping @Sendable ((any Error)?) -> Void
    ) -> @Sendable (any Error) -> Void
}

extension SyncSessionWork {
    /// Returns once what there is at present has been transferred, or throws what keeps it from being; at once
    /// `CancellationError` if the task is cancelled.
    func wait(_ direction: SyncSession.ProgressDirection) async throws {
        let cancellation = Cancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let end = wait(direction) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
                cancellation.hold { end(CancellationError()) }
            }
        } onCancel: {
            cancellation.call()
        }
    }
}

extension Realm {
    /// The session that synchronises the Realm; nil for local and for frozen ones.
    public var syncSession: SyncSession? {
        instance.isFrozen ? nil : instance.coordinator.synchronisedFile?.syncSession
    }
}

extension User {
    /// The sessions of the user's files that are open, or have still to upload.
    public var allSessions: [SyncSession] { SynchronisedFiles.all(of: self).map(\.syncSession) }

    /// The session of the user's Realm with the data of a partition, if that is open.
    public func session(forPartitionValue value: some BSON) -> SyncSession? {
        let partition = SyncConfiguration.partition(of: AnyBSON(value))
        return SynchronisedFiles.all(of: self).first { $0.partition.isIdentical(to: partition) }?.syncSession
    }
}
