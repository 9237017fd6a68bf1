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
#endif
