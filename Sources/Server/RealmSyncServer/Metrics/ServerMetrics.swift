// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import CoreMetrics
    import Metrics

    struct ServerMetrics: Sendable {
        let connections: Gauge
        let partitions: Gauge
        let sessions: Gauge
        /// The number of versions that the slowest connected client file lacks.
        let lag: Gauge
        let received: Counter
        let receivedBytes: Counter
        let sent: Counter
        let sentBytes: Counter
        /// Connections closed because the client violated the protocol, or for other reasons that are logged.
        let violations: Counter
        /// The time in which received data became durable.
        let flush: CoreMetrics.Timer

        init(_ factory: any MetricsFactory) {
            func counter(_ name: String) -> Counter { Counter(label: "realm_server_" + name, factory: factory) }
            func gauge(_ name: String) -> Gauge { Gauge(label: "realm_server_" + name, factory: factory) }
            connections = gauge("connections")
            partitions = gauge("open_partitions")
            sessions = gauge("sessions")
            lag = gauge("largest_lag_versions")
            received = counter("received_messages_total")
            receivedBytes = counter("received_bytes_total")
            sent = counter("sent_messages_total")
            sentBytes = counter("sent_bytes_total")
            violations = counter("violations_total")
            flush = CoreMetrics.Timer(label: "realm_server_flush_seconds", factory: factory)
        }
    }

    /// The metrics of the stores in PostgreSQL.
    struct PostgresMetrics: Sendable {
        /// The time in which the append lock of a store was acquired, or failed to be.
        let lock: CoreMetrics.Timer
        /// The time in which PostgreSQL has committed the changes of a store, or failed to.
        let commit: CoreMetrics.Timer
        /// The connections for stores in use.
        let connections: Meter
        /// 1 while the server receives the notifications of PostgreSQL, and 0 otherwise.
        let isReachable: Gauge

        init(_ factory: any MetricsFactory) {
            func name(_ suffix: String) -> String { "realm_server_postgres_" + suffix }
            lock = CoreMetrics.Timer(label: name("lock_seconds"), factory: factory)
            commit = CoreMetrics.Timer(label: name("commit_seconds"), factory: factory)
            connections = Meter(label: name("connections"), factory: factory)
            isReachable = Gauge(label: name("reachable"), factory: factory)
        }
    }
#endif
