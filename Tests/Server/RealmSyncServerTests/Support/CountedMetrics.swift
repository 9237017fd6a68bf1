// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Metrics
    import NIOConcurrencyHelpers

    /// A metrics factory that sums its counters, and discards its other metrics.
    final class CountedMetrics: MetricsFactory {
        private let counts = NIOLockedValueBox<[String: Int64]>([:])

        func count(_ label: String) -> Int64 { counts.withLockedValue { $0[label] ?? 0 } }

        private final class Counter: CounterHandler {
            let label: String
            let counts: NIOLockedValueBox<[String: Int64]>

            init(_ label: String, _ counts: NIOLockedValueBox<[String: Int64]>) {
                (self.label, self.counts) = (label, counts)
            }

            func increment(by amount: Int64) { counts.withLockedValue { $0[label, default: 0] += amount } }
            func reset() {}
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            Counter(label, counts)
        }

        func makeRecorder(
            label: String, dimensions: [(String, String)], aggregate: Bool
        ) -> any RecorderHandler { NOOPMetricsHandler.instance }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            NOOPMetricsHandler.instance
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }
#endif
