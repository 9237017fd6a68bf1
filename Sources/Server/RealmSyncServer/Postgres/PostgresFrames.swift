// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import CoreMetrics
    import Dispatch
    import RealmPostgres

    /// The frames of a store in PostgreSQL.
    ///
    /// The append lock is the row lock of the store, in a transaction that ends with the commit of the new frames. So a
    /// node whose session has ended commits nothing.
    final class PostgresFrames: SharedFrames {
        private let stores: PostgresStores
        let store: UInt64
        private var held: HeldTransaction?
        /// The number of the last frame, while the append lock is held.
        private var last: UInt64 = 0

        /// The attempts to acquire the append lock, each of which ends with `lock_timeout`.
        private static let maxAttempts = 6
        /// The SQLSTATE of `lock_timeout`.
        static let lockTimeout = "55P03"
        /// The size of the parts of a frame. A value in PostgreSQL has less than 1 GiB.
        private let partSize: Int

        init(_ stores: PostgresStores, _ store: UInt64, partSize: Int = 16 << 20) {
            (self.stores, self.store, self.partSize) = (stores, store, partSize)
            stores.open(store)
        }

        deinit {
            abandon()
            stores.close(store)
        }

        func ingested() throws -> any IngestSource { try PostgresIngest(stores, store) }

        // MARK: Reading

        func load(_ body: (SharedPiece) throws -> Void) throws -> SharedContent {
            try PostgresStores.translated {
                try stores.reads.transaction(.snapshot) { connection in
                    // `body` can take long.
                    try connection.execute("SET LOCAL idle_in_transaction_session_timeout = '10min'")
                    let snapshot = try state(after: 0, connection).snapshot
                    var content = try state(after: snapshot, connection)
                    try PostgresPages(connection: connection, store: store).forEach(.snapshot, after: snapshot, -1) {
                        try body(.part(try $0.bytes(3)))
                    }
                    content.lastID = try forEachFrame(after: snapshot, connection) { try body(.frame($0, $1)) }
                    return content
                }
            }
        }

        func frames(after number: UInt64) throws -> SharedContent {
            try PostgresStores.translated {
                // Between two pages of a transaction, no parts of frames are removed.
                try stores.reads.transaction(.snapshot) { connection in
                    var content = try state(after: number, connection)
                    if content.end > number { try addFrames(after: number, connection, &content) }
                    return content
                }
            }
        }

        /// - Parameters:
        ///   - use: The right to change the store, which is required if it's present.
        ///   - suffix: The row lock. It is compatible with those of foreign keys.
        private func state(
            after number: UInt64, _ connection: PostgresConnection, _ use: StoresUse? = nil, _ suffix: String = ""
        ) throws -> SharedContent {
            let rows = try connection.query(
                """
                SELECT last_frame, snapshot, frame_bytes, snapshot_bytes, (SELECT frames.id FROM regnum.frames \
                WHERE frames.store = $1 AND frames.number = $2 AND frames.part = 0), \(use?.condition ?? "true") \
                FROM regnum.stores WHERE stores.id = $1 \(suffix)
                """, [.integer(try Int64(of: store)), .integer(try Int64(of: number))]
            ).rows
            guard let row = rows.first else { throw SharedLogError("the store \(store) was deleted") }
            try use?.require(try row.bool(5), stores.settings)
            var content = SharedContent()
            (content.end, content.snapshot) = (try row.number(0), try row.number(1))
            (content.size, content.snapshotSize) = (Int(try row.number(2)), Int(try row.number(3)))
            content.previousID = row.isNull(4) ? nil : try row.integer(4)
            return content
        }

        private func addFrames(
            after number: UInt64, _ connection: PostgresConnection, _ content: inout SharedContent
        ) throws {
            content.lastID = try forEachFrame(after: number, connection) { content.frames.append($1) }
        }

        /// Passes the frames with consecutive numbers. Returns the random id of the last one.
        private func forEachFrame(
            after number: UInt64, _ connection: PostgresConnection, _ body: (UInt64, [UInt8]) throws -> Void
        ) throws -> Int64? {
            var (last, id, frame): (UInt64, Int64?, [UInt8]) = (number, nil, [])
            try PostgresPages(connection: connection, store: store).forEach(.frames, after: number, .max) { row in
                if try row.number(0) == last, id != nil {
                    frame += try row.bytes(3)
                } else if try row.number(0) == last + 1, try row.integer(1) == 0 {
                    if id != nil { try body(last, frame) }
                    (frame, id) = (try row.bytes(3), try row.integer(2))
                    last += 1
                }
            }
            if id != nil { try body(last, frame) }
            stores.note(store, through: last)
            return id
        }

        // MARK: Appending

        func lock(after number: UInt64) throws -> SharedContent {
            try measured(.lock, stores.metrics?.lock) { try lockPatiently(after: number) }
        }

        private func measured<Result>(
            _ span: ServerSpan, _ timer: CoreMetrics.Timer?, _ body: () throws -> Result
        ) throws -> Result {
            let start = DispatchTime.now().uptimeNanoseconds
            defer { timer?.recordNanoseconds(DispatchTime.now().uptimeNanoseconds - start) }
            return try span.run(body)
        }

        private func lockPatiently(after number: UInt64) throws -> SharedContent {
            var attempt = 1
            while true {
                do { return try lockOnce(after: number) } catch let error as PostgresError
                    where error.sqlState == PostgresFrames.lockTimeout
                {
                    guard attempt < PostgresFrames.maxAttempts else {
                        return try PostgresStores.translated { throw error }
                    }
                    attempt += 1
                } catch {
                    return try PostgresStores.translated { throw error }
                }
            }
        }

        private func lockOnce(after number: UInt64) throws -> SharedContent {
            let transaction = try stores.locks.begin()
            do {
                let connection = try transaction.connection
                var content = try state(after: number, connection, stores.use, "FOR NO KEY UPDATE")
                if content.end > number { try addFrames(after: number, connection, &content) }
                last = content.end
                let held = HeldTransaction(transaction)
                self.held = held
                stores.hold(held)
                return content
            } catch {
                transaction.rollback()
                throw error
            }
        }

        private func release() -> HeldTransaction? {
            guard let held else { return nil }
            self.held = nil
            stores.release(held)
            return held
        }

        @discardableResult
        func commit(_ frames: [[UInt8]], ingesting records: [IngestRecord]) throws -> Int64? {
            try measured(.commit, stores.metrics?.commit) { try append(frames, ingesting: records) }
        }

        private func append(_ frames: [[UInt8]], ingesting records: [IngestRecord]) throws -> Int64? {
            try ending { connection in
                var id: Int64?
                for frame in frames { id = try append(frame, connection) }
                try PostgresIngest.insert(records, store, connection)
                return id
            }
        }

        /// Calls `body` in the transaction that holds the append lock, and commits it.
        private func ending(_ body: (PostgresConnection) throws -> Int64?) throws -> Int64? {
            guard let held = release() else { throw SharedLogError("the append lock isn't held") }
            var id: Int64?
            try PostgresStores.translated {
                try stores.suspectingOthers {
                    try held.end { transaction in
                        id = try body(try transaction.connection)
                        try transaction.commit()
                    }
                }
            }
            stores.note(store, through: last)
            return id
        }

        /// Appends a frame that becomes durable with `commit`.
        func append(_ frame: [UInt8]) throws { try whileLocked { _ = try append(frame, $0) } }

        /// Returns the random id of the frame.
        private func append(_ frame: [UInt8], _ connection: PostgresConnection) throws -> Int64 {
            last += 1
            let id = Int64.random(in: .min ... .max)
            for (part, start) in stride(from: 0, to: max(frame.count, 1), by: partSize).enumerated() {
                let rows = try connection.query(
                    """
                    WITH frame AS (INSERT INTO regnum.frames (store, number, part, id, bytes) \
                    VALUES ($1, $2, $3, $4, $5)), \
                    store AS (UPDATE regnum.stores SET last_frame = $2, frame_bytes = frame_bytes + length($5) \
                    WHERE id = $1) SELECT \(StoresUse.exclusions), \
                    pg_notify('\(PostgresStores.channel)', $1::text || ' ' || $2::text)
                    """,
                    [
                        .integer(try Int64(of: store)), .integer(try Int64(of: last)), .integer(Int64(part)),
                        .integer(id), .bytes(Array(frame[start..<min(start + partSize, frame.count)])),
                    ]
                ).rows
                // A later statement than that which shares the advisory lock until the commit.
                try stores.use.require(exclusions: try rows[0].number(0), stores.settings)
            }
            return id
        }

        /// Calls `body` in the transaction that holds the append lock.
        func whileLocked(_ body: (PostgresConnection) throws -> Void) throws {
            guard let held else { throw SharedLogError("the append lock isn't held") }
            try PostgresStores.translated { try held.use(body) }
        }

        func abandon() { try? release()?.end { _ in } }

        // MARK: Snapshots

        func adopt(_ parts: [[UInt8]], through number: UInt64) throws {
            do {
                try PostgresStores.translated {
                    try stores.reads.use { connection in
                        try connection.begin()
                        // Without a commit, the pool rolls the transaction back.
                        if try adopt(parts, through: number, connection) { try connection.commit() }
                    }
                }
            } catch let error as PostgresError where error.kind == .uniqueViolation {
                // Another node adopts the same snapshot.
            }
        }

        func replace(_ parts: [[UInt8]]) throws -> Int64? {
            try ending { connection in
                let id = try append([], connection)
                _ = try adopt(parts, through: last, connection)
                try connection.query(
                    "DELETE FROM regnum.frames WHERE store = $1 AND number < $2",
                    [.integer(try Int64(of: store)), .integer(try Int64(of: last))])
                return id
            }
        }

        /// Returns false if the snapshot of another node is newer.
        private func adopt(
            _ parts: [[UInt8]], through number: UInt64, _ connection: PostgresConnection
        ) throws -> Bool {
            let through = PostgresValue.integer(try Int64(of: number))
            let store = PostgresValue.integer(try Int64(of: self.store))
            for (index, part) in parts.enumerated() {
                try connection.query(
                    "INSERT INTO regnum.snapshots (store, through, part, bytes) VALUES ($1, $2, $3, $4)",
                    [store, through, .integer(Int64(index)), .bytes(part)])
            }
            let previous = try state(after: 0, connection, stores.use, "FOR NO KEY UPDATE").snapshot
            guard previous < number else { return false }
            try connection.query(
                "DELETE FROM regnum.frames WHERE store = $1 AND number < $2",
                [store, .integer(try Int64(of: previous))])
            try connection.query("DELETE FROM regnum.snapshots WHERE store = $1 AND through < $2", [store, through])
            try connection.query(
                """
                UPDATE regnum.stores SET snapshot = $2, snapshot_bytes = $3, frame_bytes = (SELECT \
                coalesce(sum(length(bytes)), 0)::int8 FROM regnum.frames WHERE store = $1 AND number > $2) WHERE id = $1
                """,
                [store, through, .integer(Int64(parts.reduce(0) { $0 + $1.count }))])
            return true
        }
    }
#endif
