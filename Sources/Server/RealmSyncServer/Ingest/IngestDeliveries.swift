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
            let task = Task {
                await deliver(app, feed, hook)
                // Another node needn't wait for the end of the lease.
                try? await feed.endDelivery()
            }
            tasks.withLockedValue { $0.append(task) }
        }

        /// Waits until the current batches are processed.
        func stop() async {
            let tasks = tasks.withLockedValue { $0 }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }

        /// An error of the hook without its description, which can quote objects.
        private struct HookFailure: Error, CustomStringConvertible {
            let description: String

            init(_ error: any Error) { description = "the hook has thrown \(type(of: error))" }
        }

        private func deliver(_ app: String, _ feed: IngestFeed, _ hook: @escaping IngestHook) async {
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

        /// The time after which a task looks for records again, although none was published.
        private static let longestWait = Duration.seconds(3600)

        private func nextPage(
            _ app: String, _ feed: IngestFeed, after cursor: UInt64
        ) async throws -> IngestFeed.Page {
            let limit = IngestDeliveries.batchSize
            do { return try await feed.readPage(after: cursor, limit: limit) } catch IngestFeed.Refusal.removed(
                let oldest)
            {
                logger.error(
                    "ingested objects were removed while the server ran without a hook, which never gets them",
                    metadata: ["app": "\(app)", "first": "\(cursor + 1)", "last": "\(oldest - 1)"])
                try await feed.recordDelivery(through: oldest - 1)
                return try await feed.readPage(after: oldest - 1, limit: limit)
            }
        }

        /// Returns whether there was a batch.
        private func deliverBatch(_ app: String, _ feed: IngestFeed, _ hook: @escaping IngestHook) async throws -> Bool
        {
            guard let cursor = try await feed.beginDelivery() else {
                try await Task.sleep(for: IngestLease.interval)
                return false
            }
            let page = try await nextPage(app, feed, after: cursor)
            guard !page.records.isEmpty else {
                // After a failover that lost records, the known number of the newest one may be too large.
                if feed.newestSequence > page.cursor { try await Task.sleep(for: IngestLease.interval) }
                // A node renews its lease while it waits.
                let limit = feed.source.lease == nil ? IngestDeliveries.longestWait : IngestLease.interval
                await feed.wait(after: page.cursor, seconds: Int(limit.components.seconds))
                return false
            }
            let batch = IngestBatch(app: app, objects: try page.records.map { try IngestedObject($0) })
            try await feed.renewingDelivery {
                do { try await hook(batch) } catch { throw HookFailure(error) }
            }
            try await feed.recordDelivery(through: page.cursor)
            return true
        }
    }
#endif
