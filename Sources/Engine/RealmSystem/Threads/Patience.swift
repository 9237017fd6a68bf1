// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The time limit of an opening or a write that waits for the write lock, and the handler of long waits.
package struct Patience: Sendable {
    /// Nanoseconds until the wait fails; nil for no limit.
    package var limit: Int64?
    /// Called once during a wait, after `reportTime`, with a description of the wait.
    package var report: (@Sendable (String) -> Void)?
    /// Nanoseconds.
    package var reportTime: Int64 = 5_000_000_000

    package init(limit: Int64? = nil, report: (@Sendable (String) -> Void)? = nil) {
        self.limit = limit
        self.report = report
    }
}

package struct WriteTimeout: Error, Sendable {
    package let message: String
}

package struct Waiting {
    private let patience: Patience
    private let start = CurrentProcess.uptime
    private var isReported = false

    package init(_ patience: Patience = Patience()) { self.patience = patience }

    var hasLimit: Bool { patience.limit != nil }

    /// Nanoseconds until `look` has to be called; nil if it needn't be.
    var pause: Int64? {
        let report = patience.report == nil || isReported ? nil : patience.reportTime
        guard let end = [patience.limit, report].compactMap(\.self).min() else { return nil }
        return max(0, end - (CurrentProcess.uptime - start))
    }

    /// Reports the wait if it is long, and throws `WriteTimeout` if it exceeds the limit.
    mutating func look(_ holder: () -> WriteHolder?) throws {
        let time = CurrentProcess.uptime - start
        let isEnded = patience.limit.map { time >= $0 } ?? false
        guard isEnded || !isReported && time >= patience.reportTime else { return }
        let message = Waiting.message(since: start, holder())
        if isEnded { throw WriteTimeout(message: message) }
        isReported = true
        patience.report?(message)
    }

    /// Runs `wait`, which blocks in the system. Another thread reports it if it's long.
    mutating func reported(_ holder: @escaping @Sendable () -> WriteHolder?, _ wait: () throws -> Void) throws {
        guard !isReported, let report = patience.report else { return try wait() }
        let due = start + patience.reportTime
        let watched = WaitWatch.shared.begin(due: due) { [start] in report(Waiting.message(since: start, holder())) }
        defer { isReported = WaitWatch.shared.end(watched) }
        try wait()
    }

    private static func message(since start: Int64, _ holder: WriteHolder?) -> String {
        let cause = holder.map(\.description) ?? "other processes, of which nothing is known"
        return "a write has waited \(seconds(CurrentProcess.uptime - start)) s for \(cause)"
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
