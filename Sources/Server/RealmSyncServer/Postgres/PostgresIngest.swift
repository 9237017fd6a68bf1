// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore

    /// The ingested records of a store in PostgreSQL.
    final class PostgresIngest: IngestSource {
        private struct State {
            var bounds = IngestBounds()
            var leaseEnd: ContinuousClock.Instant?
            var didChange: @Sendable () -> Void = {}
        }

        private let stores: PostgresStores
        let store: UInt64
        /// Identifies the holder of the lease.
        private let node = Int64.random(in: .min ... .max)
        private let state = NIOLockedValueBox(State())

        init(_ stores: PostgresStores, _ store: UInt64) throws {
            (self.stores, self.store) = (stores, store)
            let bounds = try access { try PostgresIngest.bounds(of: store, $0) }
            state.withLockedValue { $0.bounds = bounds }
            stores.add(self)
        }

        deinit { stores.remove(self) }

        var bounds: IngestBounds { state.withLockedValue { $0.bounds } }

        var lease: IngestLease? { IngestLease(end: state.withLockedValue { $0.leaseEnd }) }

        func observe(_ didChange: @escaping @Sendable () -> Void) {
            state.withLockedValue { $0.didChange = didChange }
        }

        func publish(_ newest: UInt64) {
            let didChange = state.withLockedValue { state in
                state.bounds.newest = max(state.bounds.newest, newest)
                return state.didChange
            }
            didChange()
        }

        /// - Parameter isCurrent: Whether the bounds are newer than all earlier ones, so that a database which has lost
        ///   records replaces them. Results of concurrent reads arrive in any order.
        func update(_ bounds: IngestBounds, isCurrent: Bool = false) {
            let didChange = state.withLockedValue { state in
                let old = state.bounds
                state.bounds = bounds
                if !isCurrent {
                    state.bounds.newest = max(old.newest, bounds.newest)
                    state.bounds.oldest = max(old.oldest, bounds.oldest)
                }
                return state.didChange
            }
            didChange()
        }

        private func access<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
            do { return try PostgresStores.translated { try stores.reads.use(body) } } catch let error
                as SharedStoresUnavailable
            {
                throw IngestFeed.Refusal.unavailable(error.description)
            }
        }

        // MARK: Bounds

        /// The columns of `IngestBounds`. Without a hook for a day, its progress doesn't count.
        static let boundsColumns = """
            stores.ingested, coalesce(progress.removed, 0), \
            CASE WHEN progress.lease > now() - interval '1 day' THEN progress.delivered END
            """
        /// The tables with these columns.
        static let boundsTables = """
            regnum.stores LEFT JOIN regnum.ingest_progress AS progress ON progress.store = stores.id
            """

        private static func bounds(of store: UInt64, _ connection: PostgresConnection) throws -> IngestBounds {
            let rows = try connection.query(
                "SELECT \(boundsColumns) FROM \(boundsTables) WHERE stores.id = $1", [.integer(try Int64(of: store))]
            ).rows
            guard let row = rows.first else { throw SharedLogError("the store \(store) was deleted") }
            return try IngestBounds(row, 0)
        }

        // MARK: Writing

        /// The limits of a statement, which can exceed the second one by one record.
        private static let (maxRows, maxBytes) = (10_000, 4 << 20)

        /// Inserts the next records, in a transaction that holds the append lock of the store.
        static func insert(_ records: [IngestRecord], _ store: UInt64, _ connection: PostgresConnection) throws {
            var rest = records[...]
            while !rest.isEmpty {
                var size = 0
                let part = rest.prefix(maxRows).prefix { record in
                    defer { size += record.size }
                    return size < maxBytes
                }
                try insertPart(part, store, connection)
                rest = rest.dropFirst(part.count)
            }
        }

        private static func insertPart(
            _ records: ArraySlice<IngestRecord>, _ store: UInt64, _ connection: PostgresConnection
        ) throws {
            var (size, sizes) = (Int64(0), [Int64]())
            for record in records {
                size += Int64(record.size)
                sizes.append(size)
            }
            try connection.query(
                """
                WITH store AS (UPDATE regnum.stores SET ingested = $2, ingested_bytes = ingested_bytes + $3 \
                WHERE id = $1 RETURNING ingested_bytes - $3 AS base), \
                inserted AS (INSERT INTO regnum.ingested \
                (store, sequence, bytes_through, time, class, file, user_id, document) \
                SELECT $1, new.sequence, store.base + new.size, new.time, new.class, new.file, new.user_id, \
                new.document FROM store, unnest($4, $5, $6, $7, $8, $9, $10) \
                AS new (sequence, size, time, class, file, user_id, document)) \
                SELECT pg_notify('\(PostgresStores.ingestChannel)', $1::text || ' ' || $2::text)
                """,
                [
                    .integer(try Int64(of: store)), .integer(try Int64(of: records.last?.sequence ?? 0)),
                    .integer(size), .integers(try records.map { try Int64(of: $0.sequence) }), .integers(sizes),
                    .integers(try records.map { try Int64(of: $0.time) }),
                    .byteArrays(records.map { Array($0.className.string.utf8) }),
                    .integers(try records.map { try Int64(of: $0.file) }),
                    .byteArrays(records.map { Array($0.user.utf8) }), .byteArrays(records.map(\.document)),
                ])
        }

        /// Records the bounds of a copied store, in the transaction that has inserted its records.
        static func place(_ bounds: IngestBounds, _ store: UInt64, _ connection: PostgresConnection) throws {
            let store = PostgresValue.integer(try Int64(of: store))
            try connection.query(
                "UPDATE regnum.stores SET ingested = $2 WHERE id = $1", [store, .integer(try Int64(of: bounds.newest))])
            try connection.query(
                "INSERT INTO regnum.ingest_progress (store, removed, delivered, lease) VALUES ($1, $2, $3, now())",
                [
                    store, .integer(try Int64(of: bounds.oldest - 1)),
                    try bounds.delivered.map { .integer(try Int64(of: $0)) } ?? .null,
                ])
        }

        /// Returns the last record that a hook has processed, however long ago.
        func lastDelivered() throws -> UInt64? {
            let rows = try access {
                try $0.query(
                    "SELECT delivered FROM regnum.ingest_progress WHERE store = $1", [.integer(try Int64(of: store))]
                ).rows
            }
            guard let row = rows.first, !row.isNull(0) else { return nil }
            return try row.number(0)
        }

        // MARK: Reading

        /// The number of records that a page of one class examines.
        private static let examinedCount = 10_000

        func page(after cursor: UInt64, limit: Int, of className: Text?) throws -> IngestFeed.Page {
            try access { connection in
                try connection.transaction(.snapshot) {
                    let bounds = try PostgresIngest.bounds(of: store, connection)
                    update(bounds)
                    var page = IngestFeed.Page(cursor: try bounds.start(after: cursor))
                    let rows = try rows(after: page.cursor, limit, className, connection)
                    guard !rows.isEmpty || page.cursor >= bounds.newest else { throw missing(page.cursor + 1) }
                    for row in rows where page.records.count < limit {
                        guard try row.number(0) == page.cursor + 1 else { throw missing(page.cursor + 1) }
                        page.cursor += 1
                        if !row.isNull(5) { page.records.append(try IngestRecord(row)) }
                    }
                    return page
                }
            }
        }

        private func rows(
            after cursor: UInt64, _ limit: Int, _ className: Text?, _ connection: PostgresConnection
        ) throws -> [PostgresRow] {
            let count = className == nil ? limit : max(limit, PostgresIngest.examinedCount)
            let classBytes = className.map { PostgresValue.bytes(Array($0.string.utf8)) } ?? .null
            return try connection.query(
                """
                SELECT sequence, time, class, file, user_id, document FROM (
                    SELECT *, sum(coalesce(length(document), 0)) OVER (ORDER BY sequence)
                        - coalesce(length(document), 0) AS before
                    FROM (
                        SELECT sequence, time, class, file, user_id,
                            CASE WHEN class = coalesce($4::bytea, class) THEN document END AS document
                        FROM regnum.ingested WHERE store = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                    ) AS found
                ) AS sized WHERE before < \(IngestFeed.pageSize) ORDER BY sequence
                """,
                [
                    .integer(try Int64(of: store)), .integer(try Int64(of: cursor)), .integer(Int64(count)), classBytes,
                ]
            ).rows
        }

        private func missing(_ sequence: UInt64) -> SharedLogError {
            SharedLogError("the ingested object \(sequence) of the store \(store) is missing in the database")
        }

        // MARK: Removal

        /// The number of records that a transaction removes, and their size in bytes, without the first.
        private static let (removedCount, removedBytes) = (10_000, Int64(32 << 20))

        func remove(through sequence: UInt64) throws { while try removeSome(through: sequence) {} }

        /// Removes the oldest records. Returns whether others remain to be removed.
        private func removeSome(through sequence: UInt64) throws -> Bool {
            let id = PostgresValue.integer(try Int64(of: store))
            return try access { connection in
                let (bounds, remains) = try connection.transaction {
                    try connection.query(
                        "INSERT INTO regnum.ingest_progress (store) VALUES ($1) ON CONFLICT DO NOTHING", [id])
                    try connection.query("SELECT FROM regnum.ingest_progress WHERE store = $1 FOR UPDATE", [id])
                    var bounds = try PostgresIngest.bounds(of: store, connection)
                    let last = bounds.removable(through: sequence)
                    guard last >= bounds.oldest else { return (bounds, false) }
                    let end = try removalEnd(bounds.oldest, through: last, connection)
                    try connection.query(
                        "DELETE FROM regnum.ingested WHERE store = $1 AND sequence BETWEEN $2 AND $3",
                        [id, .integer(try Int64(of: bounds.oldest)), .integer(try Int64(of: end))])
                    try connection.query(
                        "UPDATE regnum.ingest_progress SET removed = $2 WHERE store = $1",
                        [id, .integer(try Int64(of: end))])
                    bounds.oldest = end + 1
                    return (bounds, end < last)
                }
                update(bounds)
                return remains
            }
        }

        /// Returns the last record of a removing transaction, during which the lease can't be renewed.
        private func removalEnd(
            _ first: UInt64, through last: UInt64, _ connection: PostgresConnection
        ) throws -> UInt64 {
            let rows = try connection.query(
                """
                SELECT coalesce(max(sequence), $2) FROM regnum.ingested \
                WHERE store = $1 AND sequence BETWEEN $2 AND $3 AND bytes_through <= $4 + \
                (SELECT bytes_through FROM regnum.ingested WHERE store = $1 AND sequence = $2)
                """,
                [
                    .integer(try Int64(of: store)), .integer(try Int64(of: first)),
                    .integer(try Int64(of: min(last, first - 1 + UInt64(PostgresIngest.removedCount)))),
                    .integer(PostgresIngest.removedBytes),
                ]
            ).rows
            return try rows.first.map { try $0.number(0) } ?? first
        }

        func expire(before time: UInt64, maximumSize: Int?) throws {
            while let last = try expired(before: time, maximumSize) { try remove(through: last) }
        }

        /// Returns the last of some expired records, or `nil` if none are. A statement examines as many as a
        /// transaction removes.
        private func expired(before time: UInt64, _ maximumSize: Int?) throws -> UInt64? {
            try access { connection in
                let bounds = try PostgresIngest.bounds(of: store, connection)
                update(bounds)
                let end = bounds.oldest - 1 + UInt64(PostgresIngest.removedCount)
                let last = min(bounds.removable(through: bounds.newest), end)
                guard last >= bounds.oldest else { return nil }
                // The times and the sizes increase, so the first record to keep ends the scan.
                let kept = try connection.query(
                    """
                    SELECT sequence FROM regnum.ingested WHERE store = $1 AND sequence BETWEEN $2 AND $3 \
                    AND time >= $4 AND bytes_through > (SELECT ingested_bytes - $5 FROM regnum.stores WHERE id = $1) \
                    ORDER BY sequence LIMIT 1
                    """,
                    [
                        .integer(try Int64(of: store)), .integer(try Int64(of: bounds.oldest)),
                        .integer(try Int64(of: last)), .integer(try Int64(of: time)),
                        .integer(Int64(maximumSize ?? .max)),
                    ]
                ).rows
                let removed = try kept.first.map { try $0.number(0) - 1 } ?? last
                return removed >= bounds.oldest ? removed : nil
            }
        }

        // MARK: Delivery to the hook

        private static let leaseSeconds = IngestLease.duration.components.seconds

        func beginDelivery() throws -> UInt64? {
            // The database's lease ends later.
            let end = ContinuousClock.now + IngestLease.duration
            let rows = try access {
                try $0.query(
                    """
                    INSERT INTO regnum.ingest_progress AS progress (store, delivered, node, lease)
                    VALUES ($1, 0, $2, now() + interval '\(PostgresIngest.leaseSeconds) s')
                    ON CONFLICT (store) DO UPDATE SET delivered = coalesce(progress.delivered, 0),
                        node = excluded.node, lease = excluded.lease
                    WHERE progress.node IS NULL OR progress.node = excluded.node OR progress.lease < now()
                    RETURNING progress.delivered
                    """, [.integer(try Int64(of: store)), .integer(node)]
                ).rows
            }
            // After a long wait for a connection, the lease can be over.
            let cursor = try end > .now ? rows.first.map { try $0.number(0) } : nil
            state.withLockedValue { state in
                state.leaseEnd = cursor == nil ? nil : end
                if let cursor { state.bounds.delivered = cursor }
            }
            return cursor
        }

        func didDeliver(through sequence: UInt64) throws {
            let count = try access {
                try $0.query(
                    "UPDATE regnum.ingest_progress SET delivered = $3 WHERE store = $1 AND node = $2",
                    [.integer(try Int64(of: store)), .integer(node), .integer(try Int64(of: sequence))]
                ).affected
            }
            guard count == 1 else { throw IngestFeed.Refusal.leaseLost }
            state.withLockedValue { $0.bounds.delivered = sequence }
        }

        func endDelivery() throws {
            guard state.withLockedValue({ $0.leaseEnd }) != nil else { return }
            _ = try access {
                try $0.query(
                    "UPDATE regnum.ingest_progress SET node = NULL WHERE store = $1 AND node = $2",
                    [.integer(try Int64(of: store)), .integer(node)])
            }
            state.withLockedValue { $0.leaseEnd = nil }
        }
    }

    extension IngestBounds {
        /// - Parameter column: The first of `PostgresIngest.boundsColumns`.
        init(_ row: PostgresRow, _ column: Int) throws {
            self.init(
                oldest: try row.number(column + 1) + 1, newest: try row.number(column),
                delivered: row.isNull(column + 2) ? nil : try row.number(column + 2))
        }
    }

    extension IngestRecord {
        fileprivate init(_ row: PostgresRow) throws {
            self.init(
                sequence: try row.number(0), time: try row.number(1),
                className: Text(String(decoding: try row.bytes(2), as: UTF8.self)), file: try row.number(3),
                user: String(decoding: try row.bytes(4), as: UTF8.self), document: try row.bytes(5))
        }
    }
#endif
