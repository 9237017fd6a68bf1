// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import RealmSyncCore
    import RealmSystem

    extension IngestFeed {
        /// Reads files or a database, which must not block the threads of tasks. Fewer threads than connections of a
        /// pool, so that stores can be loaded meanwhile.
        private static let work = BackgroundWork(maximumThreadCount: 6)

        /// Changes the right to deliver, which must not wait for long reads and removals.
        private static let leases = BackgroundWork(maximumThreadCount: 1)

        func readPage(after cursor: UInt64, limit: Int, of className: Text? = nil) async throws -> Page {
            try await IngestFeed.work.result { try self.page(after: cursor, limit: limit, of: className) }
        }

        func removeRecords(through sequence: UInt64) async throws -> UInt64 {
            try await IngestFeed.work.result { try self.remove(through: sequence) }
        }

        /// Removes old records later, on a thread that may block.
        func expireLater(
            _ options: IngestLog.Options, now: UInt64, didFail: @escaping @Sendable (any Error) -> Void
        ) {
            IngestFeed.work.run { do { try self.expire(options, now: now) } catch { didFail(error) } }
        }

        /// Returns when a record after `sequence` exists, after the time limit, or if the task is cancelled.
        func wait(after sequence: UInt64, seconds: Int) async {
            let observer = Observer(self)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    observer.begin(observe(after: sequence) { continuation.resume() })
                    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { observer.cancel() }
                }
            } onCancel: {
                observer.cancel()
            }
        }

        // MARK: Delivery to the hook

        /// Acquires or renews the right to deliver. Returns the last record that a hook has processed, or `nil` if
        /// another node delivers.
        func beginDelivery() async throws -> UInt64? {
            try await IngestFeed.leases.result { try self.source.beginDelivery() }
        }

        func recordDelivery(through sequence: UInt64) async throws {
            try await IngestFeed.leases.result { try self.source.didDeliver(through: sequence) }
        }

        func endDelivery() async throws {
            try await IngestFeed.leases.result { try self.source.endDelivery() }
        }

        /// Calls `body`, and renews the right to deliver until its end. When the right is lost, `body` is cancelled.
        ///
        /// - Throws: The error of `body`, or `Refusal.leaseLost`.
        func renewingDelivery(_ body: @escaping @Sendable () async throws -> Void) async throws {
            guard let lease = source.lease else { return try await body() }
            // The read of the batch may have taken long.
            guard let end = lease.end, end - .now > IngestLease.duration / 2 else { throw Refusal.leaseLost }
            // The stop of a node cancels this task. The last batch still needs the lease, so that no other node repeats
            // it.
            let renewal = Task.detached { try await self.holdLease() }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer {
                    renewal.cancel()
                    group.cancelAll()
                }
                group.addTask {
                    try await body()
                    return true
                }
                group.addTask {
                    try await renewal.value
                    return false
                }
                while let isDone = try await group.next(), !isDone {}
            }
        }

        /// Returns if the task is cancelled. Then the result of a finished body still counts.
        private func holdLease() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await self.renewDelivery() }
                group.addTask { try await self.waitForEndOfLease() }
                _ = try await group.next()
            }
        }

        /// Returns if the task is cancelled.
        private func renewDelivery() async throws {
            while (try? await Task.sleep(for: IngestLease.interval)) != nil {
                // After an error, the lease ends by itself.
                _ = try? await beginDelivery()
                if source.lease?.end == nil { throw Refusal.leaseLost }
            }
        }

        /// Returns if the task is cancelled.
        private func waitForEndOfLease() async throws {
            while let end = source.lease?.end, end > .now {
                guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
            }
            throw Refusal.leaseLost
        }
    }

    /// An observer that can be cancelled before it begins.
    ///
    /// Unchecked `Sendable`: `lock` guards the state.
    private final class Observer: @unchecked Sendable {
        private weak var feed: IngestFeed?
        private let lock = Lock()
        private var number: UInt64?
        private var isCancelled = false

        init(_ feed: IngestFeed) { self.feed = feed }

        func begin(_ number: UInt64) {
            let isLate = lock.locked {
                self.number = number
                return isCancelled
            }
            if isLate { feed?.cancel(number) }
        }

        func cancel() {
            let number = lock.locked {
                isCancelled = true
                return self.number
            }
            if let number { feed?.cancel(number) }
        }
    }
#endif
