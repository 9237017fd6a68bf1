// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import RealmSyncCore
    import RealmSystem

    extension IngestFeed {
        /// Reads files, which must not block the threads of tasks.
        private static let queue = DispatchQueue(label: "realm-server.ingest", attributes: .concurrent)

        private static func blocking<Result: Sendable>(
            _ body: @escaping @Sendable () throws -> Result
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try body() }) }
            }
        }

        func readPage(after cursor: UInt64, limit: Int, of className: Text? = nil) async throws -> Page {
            try await IngestFeed.blocking { try self.page(after: cursor, limit: limit, of: className) }
        }

        func recordDelivery(through sequence: UInt64) async throws {
            try await IngestFeed.blocking { try self.didDeliver(through: sequence) }
        }

        func removeRecords(through sequence: UInt64) async throws -> UInt64 {
            try await IngestFeed.blocking { try self.remove(through: sequence) }
        }

        /// Returns when a record after `sequence` exists, after the time limit, or if the task is cancelled.
        func wait(after sequence: UInt64, seconds: Int) async {
            let observer = Observer(self)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    observer.begin(observe(after: sequence) { continuation.resume() })
                    IngestFeed.queue.asyncAfter(deadline: .now() + .seconds(seconds)) { observer.cancel() }
                }
            } onCancel: {
                observer.cancel()
            }
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
