// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Metrics
    import RealmSyncServer
    import Testing

    @Suite struct PrometheusMetricsTests {
        @Test func theTextHasTheFormatOfPrometheus() {
            let metrics = PrometheusMetrics()
            let counter = Counter(label: "a.count", dimensions: [("path", "x\"\\\ny")], factory: metrics)
            counter.increment()
            counter.increment(by: 4)
            Gauge(label: "b", factory: metrics).record(2.5)
            let recorder = Recorder(label: "c", dimensions: [], aggregate: true, factory: metrics)
            recorder.record(3)
            recorder.record(4)
            Metrics.Timer(label: "d_seconds", factory: metrics).recordNanoseconds(1_500_000_000)
            #expect(
                metrics.text == """
                    # TYPE a_count counter
                    a_count{path="x\\"\\\\\\ny"} 5
                    # TYPE b gauge
                    b 2.5
                    # TYPE c summary
                    c_sum 7
                    c_count 2
                    # TYPE d_seconds summary
                    d_seconds_sum 1.5
                    d_seconds_count 1

                    """)
        }
    }
#endif
