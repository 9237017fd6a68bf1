// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import RealmSystem

    /// Hashes passwords on dedicated threads, with limited concurrency, so that a flood of log-ins doesn't slow the
    /// rest of the server.
    final class PasswordHasher: Sendable {
        let cost: AccountsConfiguration.PasswordCost
        private let queues: [DispatchQueue]
        private let state = HashLimit()
        /// Verified instead if the user doesn't exist, so that the response takes the same time.
        private let unmatched: PasswordHash
        private static let maxWaiting = 200

        /// Too many passwords are waiting.
        struct Busy: Error {}

        init(_ cost: AccountsConfiguration.PasswordCost) {
            self.cost = cost
            queues = (0..<cost.atOnce).map { DispatchQueue(label: "RealmAccounts.passwords.\($0)") }
            unmatched = PasswordHash(unmatched: cost)
        }

        func hash(_ password: String) async throws -> String {
            try await run { [cost] in try PasswordHash(password, cost).text }
        }

        /// Without a hash, returns false after the same time.
        func verify(_ password: String, _ hash: String?) async throws -> Bool {
            let known = hash.flatMap { PasswordHash($0) }
            return try await run { [unmatched] in try (known ?? unmatched).fits(password) && known != nil }
        }

        func isOutdated(_ hash: String) -> Bool { PasswordHash(hash).map { !$0.costs(cost) } ?? true }

        private func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
            guard let place = state.enter(limit: PasswordHasher.maxWaiting) else { throw Busy() }
            defer { state.leave() }
            return try await withCheckedThrowingContinuation { continuation in
                queues[place % queues.count].async {
                    do { continuation.resume(returning: try work()) } catch { continuation.resume(throwing: error) }
                }
            }
        }
    }

    /// Guarded by its lock.
    private final class HashLimit: @unchecked Sendable {
        private let lock = Lock()
        private var count = 0
        private var next = 0

        /// Returns the number of the job, or `nil` if too many are waiting.
        func enter(limit: Int) -> Int? {
            lock.locked {
                guard count < limit else { return nil }
                count += 1
                next += 1
                return next
            }
        }

        func leave() { lock.locked { count -= 1 } }
    }
#endif
