// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Logging
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Ingested records in the table. Each test has its own database.
    @Suite(.timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresIngestTests {
        private let database: PostgresDatabase
        private let connection: PostgresConnection
        private let stores: PostgresStores
        private let frames: PostgresFrames
        private let feed: IngestFeed

        init() throws {
            database = try PostgresCluster.shared().makePreparedDatabase()
            connection = try PostgresConnection(try database.settings())
            stores = try PostgresStores(try database.settings())
            frames = try stores.postgresFrames(app: "a", name: nil)
            feed = IngestFeed(try frames.ingested())
        }

        private func record(
            _ sequence: UInt64, _ className: Text = "C", time: UInt64 = 7, size: Int = 3
        ) -> IngestRecord {
            let document = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: size)
            return IngestRecord(
                sequence: sequence, time: time, className: className, file: 2, user: "u\0\(sequence)",
                document: document)
        }

        private func add(_ records: [IngestRecord]) throws {
            _ = try frames.lock(after: 0)
            try frames.commit([[7]], ingesting: records)
            feed.source.publish(records.last?.sequence ?? 0)
        }

        private func all(_ limit: Int, of className: Text? = nil) throws -> [IngestRecord] {
            var (records, cursor): ([IngestRecord], UInt64) = ([], 0)
            while true {
                let page = try feed.page(after: cursor, limit: limit, of: className)
                #expect(page.records.count <= limit)
                if page.cursor == cursor { return records }
                records += page.records
                cursor = page.cursor
            }
        }

        @Test func recordsOfAnySizeAndNameAreRead() throws {
            let names: [Text] = ["C", "ü", "with\0zero"]
            let records = (1...UInt64(60)).map { number in
                // Some documents exceed a page.
                record(number, names[Int(number) % 3], size: number.isMultiple(of: 7) ? 1_200_000 : Int(number) * 4000)
            }
            try add(Array(records.prefix(20)))
            try add(Array(records.dropFirst(20)))
            for limit in [1, 7, 1000] { #expect(try all(limit) == records) }
            for name in names {
                #expect(try all(1000, of: name) == records.filter { $0.className == name })
                #expect(try all(2, of: name) == records.filter { $0.className == name })
            }
            #expect(try all(1000, of: "none").isEmpty)
        }

        @Test func manyRecordsAreInsertedAndRemoved() throws {
            let count: UInt64 = 25_000
            try add((1...count).map { record($0, $0.isMultiple(of: 5000) ? "Rare" : "C") })
            #expect(try all(10_000).map(\.sequence) == Array(1...count))
            // A page examines a limited number of records.
            #expect(try feed.page(after: 0, limit: 10, of: "Rare").cursor == 10_000)
            #expect(try all(10, of: "Rare").map(\.sequence) == [5000, 10_000, 15_000, 20_000, 25_000])
            #expect(try feed.remove(through: 22_000) == 22_001)
            #expect(throws: IngestFeed.Refusal.removed(oldest: 22_001)) { try feed.page(after: 1, limit: 1) }
            #expect(try all(10_000).map(\.sequence) == Array(22_001...count))
            #expect(try connection.query("SELECT count(*) FROM regnum.ingested").rows[0].integer(0) == 3000)
            #expect(try feed.remove(through: .max) == count + 1)
            #expect(try all(10).isEmpty && feed.backlog == 0)
            try add([record(count + 1)])
            #expect(try all(10).map(\.sequence) == [count + 1])
        }

        @Test func largeRecordsAreRemovedInSeveralTransactions() throws {
            for number in 1...UInt64(5) { try add([record(number, size: 15 << 20)]) }
            #expect(try feed.remove(through: 4) == 5)
            #expect(try connection.query("SELECT sequence FROM regnum.ingested").rows.map { try $0.integer(0) } == [5])
            #expect(try feed.remove(through: .max) == 6)
        }

        @Test func recordsWithAGapAreNotInserted() throws {
            try add([record(1), record(2)])
            _ = try frames.lock(after: 0)
            #expect(throws: PostgresError.self) { try frames.commit([[7]], ingesting: [record(2)]) }
            #expect(try frames.load().content.end == 1)
            try connection.execute("DELETE FROM regnum.ingested WHERE sequence = 1")
            #expect(throws: SharedLogError.self) { try feed.page(after: 0, limit: 10) }
            try connection.execute("DELETE FROM regnum.ingested")
            #expect(throws: SharedLogError.self) { try feed.page(after: 1, limit: 10) }
        }

        @Test func ageAndSizeLimitTheRetainedRecords() throws {
            try add((1...UInt64(100)).map { record($0, time: 1000 + $0, size: 976) })
            try feed.source.expire(before: 1011, maximumSize: nil)
            #expect(feed.oldestSequence == 11)
            let size = try feed.page(after: 0, limit: 1).records[0].size
            try feed.source.expire(before: 0, maximumSize: 50 * size)
            #expect(50...52 ~= feed.oldestSequence)
            #expect(try feed.source.beginDelivery() == 0)
            try feed.source.didDeliver(through: 60)
            try feed.source.expire(before: .max >> 1, maximumSize: 0)
            #expect(feed.oldestSequence == 61 && feed.backlog == 40)
            // The progress of a hook that hasn't run for a day doesn't count.
            try connection.execute("UPDATE regnum.ingest_progress SET lease = now() - interval '2 days'")
            try feed.source.expire(before: .max >> 1, maximumSize: nil)
            #expect(feed.oldestSequence == 101)
            #expect(try feed.source.beginDelivery() == 60)
        }

        @Test func manyRecordsExpireInPartsOfLimitedSize() throws {
            let count: UInt64 = 25_000
            try add((1...count).map { record($0, time: 1000 + $0) })
            try feed.source.expire(before: 1000 + 9000, maximumSize: nil)
            #expect(feed.oldestSequence == 9000)
            try feed.source.expire(before: 1000 + 24_001, maximumSize: nil)
            #expect(feed.oldestSequence == 24_001)
            #expect(try all(10_000).map(\.sequence) == Array(24_001...count))
        }

        @Test func aNodeThatDoesNotRenewItsLeaseLosesIt() async throws {
            let other = IngestFeed(try PostgresIngest(stores, frames.store))
            // On a busy machine the lease would end between two statements.
            func setLease(_ time: String) throws {
                try connection.execute("UPDATE regnum.ingest_progress SET lease = now() + interval '\(time)'")
            }
            #expect(try feed.source.beginDelivery() == 0)
            try setLease("1 hour")
            #expect(try other.source.beginDelivery() == nil)
            try setLease("-1 second")
            #expect(try other.source.beginDelivery() == 0)
            try setLease("1 hour")
            #expect(throws: IngestFeed.Refusal.leaseLost) { try feed.source.didDeliver(through: 1) }
            // The hook of the earlier node is cancelled.
            await #expect(throws: (any Error).self) {
                try await feed.renewingDelivery { try await Task.sleep(for: .seconds(3600)) }
            }
            #expect(try feed.source.beginDelivery() == nil)
        }

        @Test func aFeedFollowsTheNotificationsAndThePoll() async throws {
            try stores.follow({ _ in }, { _ in })
            defer { stores.stop() }
            let writer = try PostgresStores(try database.settings())
            let other = try writer.postgresFrames(app: "a", name: nil)
            _ = try other.lock(after: 0)
            try other.commit([[7]], ingesting: [record(1)])
            await feed.wait(after: 0, seconds: 3600)
            #expect(feed.newestSequence == 1)
            // Without a notification.
            try connection.execute("UPDATE regnum.stores SET ingested = 2")
            await feed.wait(after: 1, seconds: 3600)
            #expect(feed.newestSequence == 2)
        }
    }
#endif
