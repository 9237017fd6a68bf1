// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages
import PageTestSupport

/// The frames of a page, and the main thread's computing time for each, by Chromium's tracing.
///
/// A frame may be late because the machine is busy. The clock of the thread measures the page's own work: if that takes
/// longer than an interval of the screen, the page makes the frame late.
struct FrameTrace {
    /// The times between frames in milliseconds, ascending.
    private(set) var gaps: [Double] = []
    /// The main thread's computing times for each frame in milliseconds, ascending.
    private(set) var computed: [Double] = []
    /// The main thread's total computing time by kind of work.
    private(set) var parts: [(name: String, time: Double)] = []

    static let interval = 1000.0 / 60

    private static let categories = [
        "devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame",
        "disabled-by-default-devtools.timeline.frame",
    ]
    private static let names = [
        "script": ["FunctionCall"], "style and layout": ["UpdateLayoutTree", "Layout"],
        "painting": ["PrePaint", "Paint", "Layerize", "Commit"],
    ]

    init(_ tab: Tab, _ body: () async throws -> Void) async throws {
        let before = tab.events("Tracing.dataCollected").count
        let ends = tab.events("Tracing.tracingComplete").count
        let categories = JSONValue.list(FrameTrace.categories.map { .text($0) })
        try await tab.order(
            "Tracing.start",
            ["transferMode": .text("ReportEvents"), "traceConfig": .object(["includedCategories": categories])])
        try await body()
        try await tab.order("Tracing.end")
        while tab.events("Tracing.tracingComplete").count == ends { try await Task.sleep(for: .milliseconds(50)) }
        read(tab.events("Tracing.dataCollected").dropFirst(before).flatMap { $0["params"]?["value"]?.items ?? [] })
    }

    private struct Thread: Hashable {
        let process: Int
        let thread: Int

        init?(_ event: JSONValue) {
            guard let process = event["pid"]?.int, let thread = event["tid"]?.int else { return nil }
            (self.process, self.thread) = (process, thread)
        }
    }

    private mutating func read(_ events: [JSONValue]) {
        // There are several main threads. The page's has the most events.
        let mains = Set(
            events.filter { $0["name"] == .text("thread_name") && $0["args"]?["name"] == .text("CrRendererMain") }
                .compactMap { Thread($0) })
        let all = Dictionary(grouping: events) { Thread($0) }
        guard let main = mains.max(by: { (all[$0]?.count ?? 0) < (all[$1]?.count ?? 0) }), let own = all[main] else {
            return
        }
        let frames = events.filter { $0["name"] == .text("DrawFrame") && $0["pid"]?.int == main.process }
            .compactMap { FrameTrace.milliseconds($0, "ts") }.sorted()
        gaps = zip(frames.dropFirst(), frames).map { $0 - $1 }.sorted()
        let tasks = own.filter { $0["name"] == .text("RunTask") }.compactMap { event in
            FrameTrace.milliseconds(event, "ts").map { ($0, FrameTrace.milliseconds(event, "tdur") ?? 0) }
        }.sorted { $0.0 < $1.0 }
        computed = FrameTrace.sums(tasks, between: frames).sorted()
        parts = FrameTrace.names.map { name, kinds in
            let events = own.filter { event in kinds.contains { event["name"] == .text($0) } }
            return (name, events.reduce(0) { $0 + (FrameTrace.milliseconds($1, "tdur") ?? 0) })
        }.sorted { $0.time > $1.time }
    }

    private static func milliseconds(_ event: JSONValue, _ name: String) -> Double? {
        if case .number(let microseconds)? = event[name] { microseconds / 1000 } else { nil }
    }

    /// Returns the total time of the tasks between consecutive frames.
    private static func sums(_ tasks: [(start: Double, time: Double)], between frames: [Double]) -> [Double] {
        var sums = [Double](repeating: 0, count: max(0, frames.count - 1))
        var frame = 0
        for task in tasks {
            while frame < sums.count, frames[frame + 1] <= task.start { frame += 1 }
            guard frame < sums.count else { break }
            if task.start >= frames[frame] { sums[frame] += task.time }
        }
        return sums
    }

    var description: String {
        guard let longest = gaps.last, let most = computed.last else { return "no frames" }
        let late = computed.count { $0 > FrameTrace.interval }
        let missed = gaps.reduce(0) { $0 + max(0, Int(($1 / FrameTrace.interval).rounded()) - 1) }
        let text = { (number: Double) in "\((number * 10).rounded() / 10)" }
        let shares = parts.map { "\($0.name) \(text($0.time / Double(computed.count)))" }
        return """
            \(text(Double(gaps.count) * 1000 / gaps.reduce(0, +))) frames a second (goal 60), half of them after \
            \(text(gaps[gaps.count / 2])) ms, 99 % after \(text(gaps[gaps.count * 99 / 100])), all after \(text(longest)); \
            the page computed for a frame \(text(computed.reduce(0, +) / Double(computed.count))) ms (\(shares.joined(
            separator: ", "))), for 99 % at most \(text(computed[computed.count * 99 / 100])), for all \(text(most)); late \
            because of the page: \(late) of \(computed.count), missed because of the machine: \(max(0, missed - late))
            """
    }
}
