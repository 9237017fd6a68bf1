// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension Realm {
    /// Opens a Realm on a background thread, migrating and compacting it there if that is due, and hands it, or the
    /// error, to `callback` on `callbackQueue`, a serial queue, to which the Realm is confined.
    ///
    /// Usable from any thread.
    ///
    /// - Precondition: The settings of the configuration do not contradict each other.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        configuration.verifyConsistent()
        let pending = PendingOpen(configuration.registryName)
        // Called once, on the queue that the caller chose for it.
        nonisolated(unsafe) let callback = callback
        DispatchQueue.global().async {
            let opened = Locked<Result<RealmCoordinator, any Swift.Error>?>(
                Result { try RealmRegistry.coordinator(configuration) })
            callbackQueue.async {
                // What was opened stays open until the Realm has it, and no longer: after the callback nothing but the
                // callback's doing keeps it, however long this block or the one around it lives on (row S12).
                let result = Result { () throws -> Realm in
                    let coordinator = try opened.withLock { $0.take() }?.get()
                    return try withExtendedLifetime(coordinator) {
                        try Realm(configuration: configuration, queue: callbackQueue)
                    }
                }
                switch pending.finish() {
                case .waiting: unsafe callback(result)
                case .cancelled: break
                case .abandoned: unsafe callback(.failure(PendingOpen.cancellationError))
                }
            }
        }
        return AsyncOpenTask(pending: pending)
    }

    /// What `asyncOpen` has begun.
    public struct AsyncOpenTask: Sendable {
        let pending: PendingOpen

        /// Keeps the callback from being called, unless it was. Other openings of the same Realm that are under way
        /// fail with the POSIX error `ECANCELED`. From any thread.
        public func cancel() { pending.cancel() }
    }
}

/// An opening that is under way. Its state is guarded by the lock of `all`.
final class PendingOpen: @unchecked Sendable {
    enum State {
        case waiting
        /// The callback must not be called any more.
        case cancelled
        /// Another opening of the same Realm was cancelled.
        case abandoned
    }

    private static let all = Locked<[String: [PendingOpen]]>([:])
    private let name: String
    private var state = State.waiting

    /// Begins the opening of the Realm with this name in the registry.
    init(_ name: String) {
        self.name = name
        PendingOpen.all.withLock { $0[name, default: []].append(self) }
    }

    static var cancellationError: NSError {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(ECANCELED),
            userInfo: [NSLocalizedDescriptionKey: "Operation canceled"])
    }

    /// Ends the opening, and returns what has become of it.
    func finish() -> State {
        PendingOpen.all.withLock { all in
            all[name]?.removeAll { $0 === self }
            if all[name]?.isEmpty == true { all[name] = nil }
            return state
        }
    }

    func cancel() {
        PendingOpen.all.withLock { all in
            guard let others = all[name], others.contains(where: { $0 === self }), state == .waiting else { return }
            for other in others where other.state == .waiting { other.state = .abandoned }
            state = .cancelled
        }
    }
}
