// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import CoreMetrics
    import NIOConcurrencyHelpers

    /// A backend of swift-metrics that keeps metrics in memory and exports them as text for Prometheus.
    public final class PrometheusMetrics: MetricsFactory, Sendable {
        private struct Key: Hashable {
            let name: String
            let labels: String
        }

        private let values = NIOLockedValueBox<[Key: Value]>([:])

        /// Creates a backend without metrics.
        public init() {}

        /// The metrics in Prometheus' text format, version 0.0.4.
        public var text: String {
            let values = values.withLockedValue { $0 }
            var lines: [String] = []
            var last = ""
            for (key, value) in values.sorted(by: { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }) {
                if key.name != last { lines.append("# TYPE \(key.name) \(value.kind)") }
                last = key.name
                lines += value.lines(key.name, key.labels)
            }
            return lines.joined(separator: "\n") + "\n"
        }

        private func value(_ label: String, _ dimensions: [(String, String)], _ kind: Value.Kind) -> Value {
            let key = Key(name: PrometheusMetrics.name(label), labels: PrometheusMetrics.labels(dimensions))
            return values.withLockedValue { values in
                if let value = values[key] { return value }
                let value = Value(kind)
                values[key] = value
                return value
            }
        }

        private static func name(_ text: String) -> String {
            let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
            return name.first?.isNumber == true ? "_" + name : name
        }

        private static func labels(_ dimensions: [(String, String)]) -> String {
            if dimensions.isEmpty { return "" }
            let pairs = dimensions.map { name, value in
                let escaped = value.map { character in
                    switch character {
                    case "\\": "\\\\"
                    case "\"": "\\\""
                    case "\n": "\\n"
                    default: String(character)
                    }
                }
                return "\(self.name(name))=\"\(escaped.joined())\""
            }
            return "{" + pairs.joined(separator: ",") + "}"
        }

        // MARK: MetricsFactory

        public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            value(label, dimensions, .counter)
        }

        public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            value(label, dimensions, .gauge)
        }

        public func makeRecorder(
            label: String, dimensions: [(String, String)], aggregate: Bool
        ) -> any RecorderHandler {
            value(label, dimensions, aggregate ? .summary : .gauge)
        }

        public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            value(label, dimensions, .seconds)
        }

        public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
        public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
        public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
        public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

        private func remove(_ handler: AnyObject) {
            values.withLockedValue { values in values = values.filter { $0.value !== handler } }
        }

        private final class Value: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
            enum Kind { case counter, gauge, summary, seconds }

            private let content: NIOLockedValueBox<(value: Double, count: Int)> = NIOLockedValueBox((0, 0))
            private let form: Kind

            init(_ form: Kind) { self.form = form }

            var kind: String {
                switch form {
                case .counter: "counter"
                case .gauge: "gauge"
                case .summary, .seconds: "summary"
                }
            }

            func lines(_ name: String, _ labels: String) -> [String] {
                let (value, count) = content.withLockedValue { $0 }
                let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
                switch form {
                case .counter, .gauge: return ["\(name)\(labels) \(number)"]
                case .summary, .seconds: return ["\(name)_sum\(labels) \(number)", "\(name)_count\(labels) \(count)"]
                }
            }

            private func add(_ amount: Double) { content.withLockedValue { $0 = ($0.value + amount, $0.count + 1) } }

            func increment(by amount: Int64) { add(Double(amount)) }
            func increment(by amount: Double) { add(amount) }
            func decrement(by amount: Double) { add(-amount) }
            func reset() { content.withLockedValue { $0 = (0, 0) } }
            func set(_ value: Int64) { set(Double(value)) }
            func set(_ value: Double) { content.withLockedValue { $0 = (value, $0.count + 1) } }
            func record(_ value: Int64) { record(Double(value)) }
            func record(_ value: Double) { form == .gauge ? set(value) : add(value) }
            func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
        }
    }
#endif
