// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import RealmSystem

    /// Hashes passwords on threads of its own, a few at once: a flood of log-ins leaves the rest of the server alone.
    final class PasswordHasher: Sendable {
        let cost: AccountsConfiguration.PasswordCost
        private let queues: [DispatchQueue]
        private let state = HashLimit()
        /// Compared with where there is no user, so that it takes as long as where there is one.
        private let unmatched: PasswordHash
        /// More than these do not wait.
        private static let mostWaiting = 200

        /// Too many passwords wait to be hashed.
        struct Busy: Error {}

        init(_ cost: AccountsConfiguration.PasswordCost) throws {
            self.cost = cost
            queues = (0..<cost.atOnce).map { DispatchQueue(label: "RealmAccounts.passwords.\($0)") }
            unmatched = try PasswordHash(RandomText.secret(), cost)
        }

        func hash(_ password: String) async throws -> String {
            try await run { [cost] in try PasswordHash(password, cost).text }
        }

        /// Whether the password fits the hash; where there is no hash, false after as long a time.
        func verify(_ password: String, _ hash: String?) async throws -> Bool {
            let known = hash.flatMap { PasswordHash($0) }
            return try await run { [unmatched] in try (known ?? unmatched).fits(password) && known != nil }
        }

        /// Whether the password is to be hashed anew, because its hash costs less or more than it would today.
        func isOutdated(_ hash: String) -> Bool { PasswordHash(hash).map { !$0.costs(cost) } ?? true }

        private func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
            guard let place = state.enter(limit: PasswordHasher.mostWaiting) else { throw Busy() }
            defer { state.leave() }
            return try await withCheckedThrowingContinuation { continuation in
                queues[place % queues.count].async {
                    do { continuation.resume(returning: try work()) } catch { continuation.resume(throwing: error) }
                }
            }
        }
    }

    /// How many wait or are hashed. Guarded by its lock.
    private final class HashLimit: @unchecked Sendable {
        private let lock = Lock()
        private var count = 0
        private var next = 0

        /// The number of the work; nil if there is too much of it.
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
