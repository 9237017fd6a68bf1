// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
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

        init(_ stores: PostgresStores, _ store: UInt64) {
            (self.stores, self.store) = (stores, store)
            stores.open(store)
        }

        deinit {
            abandon()
            stores.close(store)
        }

        // MARK: Reading

        func load() throws -> SharedContent {
            try PostgresStores.translated {
                try stores.reads.transaction(.snapshot) { connection in
                    var content = try state(connection)
                    content.parts = try connection.query(
                        "SELECT bytes FROM regnum.snapshots WHERE store = $1 AND through = $2 ORDER BY part",
                        [.integer(Int64(store)), .integer(Int64(content.snapshot))]
                    ).rows.map { try $0.bytes(0) }
                    try addFrames(after: content.snapshot, connection, &content)
                    return content
                }
            }
        }

        func frames(after number: UInt64) throws -> SharedContent {
            try PostgresStores.translated {
                try stores.reads.use { connection in
                    var content = try state(connection)
                    if content.end > number { try addFrames(after: number, connection, &content) }
                    return content
                }
            }
        }

        /// - Parameter suffix: The row lock. It is compatible with those of foreign keys.
        private func state(_ connection: PostgresConnection, _ suffix: String = "") throws -> SharedContent {
            let rows = try connection.query(
                """
                SELECT last_frame, snapshot, frame_bytes, snapshot_bytes FROM regnum.stores WHERE id = $1 \(suffix)
                """, [.integer(Int64(store))]
            ).rows
            guard let row = rows.first else { throw SharedLogError("the store \(store) was deleted") }
            var content = SharedContent()
            (content.end, content.snapshot) = (UInt64(try row.integer(0)), UInt64(try row.integer(1)))
            (content.size, content.snapshotSize) = (Int(try row.integer(2)), Int(try row.integer(3)))
            return content
        }

        private func addFrames(
            after number: UInt64, _ connection: PostgresConnection, _ content: inout SharedContent
        ) throws {
            let rows = try connection.query(
                "SELECT number, bytes FROM regnum.frames WHERE store = $1 AND number > $2 ORDER BY number",
                [.integer(Int64(store)), .integer(Int64(number))]
            ).rows
            var next = number + 1
            // Without the lock, frames can be committed or removed since the state was read.
            for row in rows where UInt64(try row.integer(0)) == next {
                content.frames.append(try row.bytes(1))
                next += 1
            }
            stores.note(store, through: next - 1)
        }

        // MARK: Appending

        func lock(after number: UInt64) throws -> SharedContent {
            var attempt = 1
            while true {
                do { return try lockOnce(after: number) } catch let error as PostgresError where error.kind == .timeout
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
                var content = try state(connection, "FOR NO KEY UPDATE")
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

        func commit(_ frames: [[UInt8]]) throws {
            guard let held = release() else { throw SharedLogError("the append lock isn't held") }
            try PostgresStores.translated {
                try held.end { transaction in
                    let connection = try transaction.connection
                    for frame in frames {
                        last += 1
                        try connection.query(
                            """
                            WITH frame AS (INSERT INTO regnum.frames (store, number, bytes) VALUES ($1, $2, $3)), \
                            store AS (UPDATE regnum.stores SET last_frame = $2, frame_bytes = frame_bytes + length($3) \
                            WHERE id = $1) SELECT pg_notify('\(PostgresStores.channel)', $1::text || ' ' || $2::text)
                            """, [.integer(Int64(store)), .integer(Int64(last)), .bytes(frame)])
                    }
                    try transaction.commit()
                }
            }
            stores.note(store, through: last)
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

        /// Returns false if the snapshot of another node is newer.
        private func adopt(
            _ parts: [[UInt8]], through number: UInt64, _ connection: PostgresConnection
        ) throws -> Bool {
            let through = PostgresValue.integer(Int64(number))
            let store = PostgresValue.integer(Int64(self.store))
            for (index, part) in parts.enumerated() {
                try connection.query(
                    "INSERT INTO regnum.snapshots (store, through, part, bytes) VALUES ($1, $2, $3, $4)",
                    [store, through, .integer(Int64(index)), .bytes(part)])
            }
            let previous = try state(connection, "FOR NO KEY UPDATE").snapshot
            guard previous < number else { return false }
            try connection.query(
                "DELETE FROM regnum.frames WHERE store = $1 AND number <= $2", [store, .integer(Int64(previous))])
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
