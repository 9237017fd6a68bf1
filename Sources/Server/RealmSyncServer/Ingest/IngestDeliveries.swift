// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import NIOConcurrencyHelpers
    import RealmSyncCore

    /// Passes ingested objects to a hook, with one task for each app.
    final class IngestDeliveries: Sendable {
        private let hook: IngestHook?
        private let logger: Logger
        private let tasks = NIOLockedValueBox<[Task<Void, Never>]>([])
        /// In objects.
        static let batchSize = 1000

        init(_ hook: IngestHook?, logger: Logger) { (self.hook, self.logger) = (hook, logger) }

        func start(_ app: String, _ feed: IngestFeed) {
            guard let hook else { return }
            let task = Task { await deliver(app, feed, hook) }
            tasks.withLockedValue { $0.append(task) }
        }

        /// Waits until the current batches are processed.
        func stop() async {
            let tasks = tasks.withLockedValue { $0 }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }

        private func deliver(_ app: String, _ feed: IngestFeed, _ hook: IngestHook) async {
            var backOff = BackOff(first: 1000, greatest: 60_000)
            var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                do {
                    if try await deliverBatch(app, feed, hook) { backOff.reset() }
                } catch {
                    guard !Task.isCancelled else { return }
                    let delay = backOff.delay(&random)
                    logger.warning(
                        "ingested objects are not processed; they will be passed to the hook again",
                        metadata: ["app": "\(app)", "milliseconds": "\(delay)", "error": "\(error)"])
                    try? await Task.sleep(for: .milliseconds(delay))
                }
            }
        }

        private static let longestWait = 3600

        private func nextPage(_ app: String, _ feed: IngestFeed) async throws -> IngestFeed.Page {
            let (cursor, limit) = (feed.deliveredSequence, IngestDeliveries.batchSize)
            do { return try await feed.readPage(after: cursor, limit: limit) } catch IngestFeed.Refusal.removed(
                let oldest)
            {
                logger.error(
                    "ingested objects were removed while the server ran without a hook, which never gets them",
                    metadata: ["app": "\(app)", "first": "\(cursor + 1)", "last": "\(oldest - 1)"])
                return try await feed.readPage(after: oldest - 1, limit: limit)
            }
        }

        /// Returns whether there was a batch.
        private func deliverBatch(_ app: String, _ feed: IngestFeed, _ hook: IngestHook) async throws -> Bool {
            let page = try await nextPage(app, feed)
            guard !page.records.isEmpty else {
                await feed.wait(after: page.cursor, seconds: IngestDeliveries.longestWait)
                return false
            }
            try await hook(IngestBatch(app: app, objects: try page.records.map { try IngestedObject($0) }))
            try await feed.recordDelivery(through: page.cursor)
            return true
        }
    }
#endif
