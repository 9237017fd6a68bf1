// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Dispatch
    import Logging
    import RealmPostgres
    import RealmSystem

    /// Reports the events of accounts that other servers of the database have changed.
    ///
    /// The events are rows, written in the transactions of the changes. Notifications only end the wait for them, so
    /// an event isn't lost with a connection. One thread reads them. `lock` guards the state.
    final class PostgresAccountEvents: @unchecked Sendable {
        static let channel = "regnum_accounts"
        /// The time in milliseconds after which the rows are read even without a notification.
        private static let interval = 5000
        /// The time between two messages about a database that can't be reached.
        private static let messageInterval = Duration.seconds(60)
        /// Events are removed after a week: a server that was cut off for longer has closed its connections.
        private static let retention: Int64 = 7 * 24 * 3600

        private let settings: PostgresSettings
        /// Distinguishes the events of this server.
        private let node: String
        private let observers: EventObservers<AccountChange>
        private let log: Logger
        private let ended = DispatchSemaphore(value: 0)
        private let lock = Lock()
        // Guarded by `lock`, like the property below.
        private var isStopped = false
        private var listener: PostgresListener?

        /// - Throws: `PostgresError` if the newest event can't be read.
        init(
            _ settings: PostgresSettings, node: String, _ observers: EventObservers<AccountChange>, log: Logger
        ) throws {
            (self.settings, self.node, self.log, self.observers) = (settings, node, log, observers)
            let listener = try PostgresListener(settings, channels: [PostgresAccountEvents.channel])
            let newest = try listener.query("SELECT coalesce(max(id), 0) FROM regnum.account_events").rows[0].integer(0)
            guard SystemThread.runApart({ [self] in run(listener, newest) }) else {
                throw PostgresError(.other, "the thread that reads changes of accounts can't be created")
            }
        }

        func stop() {
            let listener = lock.locked {
                isStopped = true
                return self.listener
            }
            listener?.wake()
            ended.signal()
        }

        /// Sets the listener that `stop` wakes. Returns false after `stop`.
        private func use(_ listener: PostgresListener?) -> Bool {
            lock.locked {
                self.listener = listener
                return !isStopped
            }
        }

        private func run(_ first: PostgresListener, _ newest: Int64) {
            var (next, last) = (Optional(first), newest)
            var reported: ContinuousClock.Instant?
            while true {
                do {
                    let listener = try next ?? PostgresListener(settings, channels: [PostgresAccountEvents.channel])
                    next = nil
                    while use(listener) {
                        try read(listener, &last)
                        if reported != nil { log.notice("changes of accounts by other servers are read again") }
                        reported = nil
                        _ = try listener.next(milliseconds: PostgresAccountEvents.interval)
                    }
                    return
                } catch {
                    if reported.map({ ContinuousClock.now - $0 > PostgresAccountEvents.messageInterval }) ?? true {
                        log.warning("changes of accounts by other servers can't be read: \(error)")
                        reported = .now
                    }
                }
                guard use(nil), ended.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
            }
        }

        /// Publishes the events after the last one that was read. Writers hold a lock, so the numbers are in the order
        /// of the commits, and no event is skipped.
        private func read(_ listener: PostgresListener, _ last: inout Int64) throws {
            let rows = try listener.query(
                """
                SELECT id, app, user_id, session, is_revocation, node FROM regnum.account_events WHERE id > $1
                ORDER BY id
                """, [.integer(last)]
            ).rows
            for row in rows {
                last = try row.integer(0)
                if try row.text(5) == node { continue }
                let id = AccountID(app: try row.text(1), user: try row.text(2))
                let session = row.isNull(3) ? nil : try row.text(3)
                let event = try row.bool(4) ? AccountEvent.revocation(session: session) : .userChange
                observers.publish(AccountChange(account: id, event: event))
            }
        }

        /// Adds events in the transaction of a change, which holds the lock of writers.
        static func add(
            _ events: [AccountEvent], of account: AccountID, node: String, _ connection: PostgresConnection
        ) throws {
            if events.isEmpty { return }
            for event in events {
                let (session, isRevocation): (PostgresValue, Bool) =
                    switch event {
                    case .revocation(let session): (session.map { .text($0) } ?? .null, true)
                    case .userChange: (.null, false)
                    }
                try connection.query(
                    """
                    INSERT INTO regnum.account_events (node, time, app, user_id, session, is_revocation)
                    VALUES ($1, extract(epoch FROM now())::int8, $2, $3, $4::text, $5)
                    """, [.text(node), .text(account.app), .text(account.user), session, .bool(isRevocation)])
            }
            try connection.query(
                """
                DELETE FROM regnum.account_events WHERE time < extract(epoch FROM now())::int8 - $1
                AND id IN (SELECT id FROM regnum.account_events ORDER BY id LIMIT 100)
                """, [.integer(retention)])
            try connection.execute("NOTIFY \(channel)")
        }
    }
#endif
