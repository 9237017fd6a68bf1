// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension Realm {
    /// Opens a Realm on a background thread, migrating and compacting it there if necessary, and passes the Realm or
    /// the error to `callback`.
    ///
    /// A synchronised Realm then contains all data that the server has at that time. Without a network connection,
    /// opening waits unless `cancelAsyncOpenOnNonFatalErrors` is set. The function can be called from any thread.
    ///
    /// - Parameters:
    ///   - configuration: The file and the settings of the Realm.
    ///   - callbackQueue: The serial queue on which `callback` is called, and to which the Realm is confined.
    ///   - callback: Called once, even if the task is cancelled.
    /// - Precondition: The settings of the configuration don't contradict each other.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        configuration.verifyConsistent()
        // Called once, on the queue passed by the caller.
        nonisolated(unsafe) let callback = callback
        let pending = PendingOpen(configuration.registryName) {
            callbackQueue.async { unsafe callback(.failure(PendingOpen.cancellationError)) }
        }
        pending.open(configuration) { opened in
            callbackQueue.async {
                // The coordinator is retained only until the Realm retains it: after the callback, only references made
                // by the callback retain it, however long this block or the enclosing one lives (row S12).
                let result = Result { () throws -> Realm in
                    let coordinator = try opened.withLock { $0.take() }?.get()
                    return try withExtendedLifetime(coordinator) {
                        try Realm(configuration: configuration, queue: callbackQueue)
                    }
                }
                if pending.finish() { unsafe callback(result) }
            }
        }
        return AsyncOpenTask(pending: pending)
    }

    /// The opening of a Realm in progress, started by `Realm.asyncOpen`.
    public struct AsyncOpenTask: Sendable {
        let pending: PendingOpen

        /// Cancels the opening, and all others of the same Realm. Their callbacks receive the POSIX error `ECANCELED`,
        /// unless they were already called. Call it from any thread.
        public func cancel() { pending.cancel() }

        /// Calls `block` on `queue` with the progress of the download until it is complete. Local Realms report no
        /// progress.
        public func addProgressNotification(
            queue: DispatchQueue = .main, block: @escaping (SyncSession.Progress) -> Void
        ) {
            // Called on the queue passed by the caller.
            nonisolated(unsafe) let block = block
            pending.observeProgress { progress in queue.async { unsafe block(progress) } }
        }
    }
}

/// An opening in progress. `all` is guarded by its lock, and the observers by their own lock.
final class PendingOpen: @unchecked Sendable {
    private static let all = Locked<[ByteText: [PendingOpen]]>([:])
    private let name: ByteText
    private let didCancel: @Sendable () -> Void
    private let download = Cancellation()
    private let observers = Locked(Observers())

    private struct Observers {
        var file: SynchronisedFile?
        var functions: [@Sendable (SyncSession.Progress) -> Void] = []
        var tokens: [SyncSession.ProgressNotificationToken?] = []
    }

    /// Registers an opening of the Realm with this name in the registry.
    ///
    /// - Parameter didCancel: Called if the opening is cancelled before it finishes.
    init(_ name: String, _ didCancel: @escaping @Sendable () -> Void) {
        self.name = ByteText(name)
        self.didCancel = didCancel
        PendingOpen.all.withLock { $0[self.name, default: []].append(self) }
    }

    /// The opened coordinator, until it is taken. This is the only reference to it.
    typealias Outcome = Locked<Result<RealmCoordinator, any Error>?>

    /// A function, so that no reference outlives the call.
    private static func file(of opened: Outcome) -> SynchronisedFile? {
        opened.withLock { try? $0?.get().synchronisedFile }
    }

    /// A synchronised Realm is opened only after the server's data has been downloaded.
    func open(
        _ configuration: Realm.Configuration,
        _ completion: @escaping @Sendable (Outcome) -> Void
    ) {
        DispatchQueue.global().async { [self] in
            let opened = Outcome(Result { try RealmRegistry.coordinator(configuration.downloading) })
            guard let file = PendingOpen.file(of: opened) else { return completion(opened) }
            let functions = observers.withLock { observers in
                observers.file = file
                return observers.functions
            }
            for function in functions { observe(file, function) }
            let end = file.waitForDownload { [self] error in
                observers.withLock { $0 = Observers() }
                if let error { opened.withLock { $0 = .failure(error) } }
                completion(opened)
            }
            download.hold { end(PendingOpen.cancellationError) }
        }
    }

    func observeProgress(_ function: @escaping @Sendable (SyncSession.Progress) -> Void) {
        let file = observers.withLock { observers in
            observers.functions.append(function)
            return observers.file
        }
        if let file { observe(file, function) }
    }

    private func observe(_ file: SynchronisedFile, _ function: @escaping @Sendable (SyncSession.Progress) -> Void) {
        let token = file.addProgressNotification(.download, .forCurrentlyOutstandingWork, function)
        observers.withLock { $0.tokens.append(token) }
    }

    static var cancellationError: NSError {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(ECANCELED),
            userInfo: [NSLocalizedDescriptionKey: "Operation canceled"])
    }

    func finish() -> Bool {
        PendingOpen.all.withLock { all in
            guard let index = all[name]?.firstIndex(where: { $0 === self }) else { return false }
            all[name]?.remove(at: index)
            if all[name]?.isEmpty == true { all[name] = nil }
            return true
        }
    }

    func cancel() {
        let ended = PendingOpen.all.withLock { all -> [PendingOpen] in
            guard let openings = all[name], openings.contains(where: { $0 === self }) else { return [] }
            all[name] = nil
            return openings
        }
        for opening in ended {
            opening.didCancel()
            opening.download.call()
        }
    }
}
