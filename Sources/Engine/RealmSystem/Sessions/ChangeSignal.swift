// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Calls a handler soon after a process wrote to a file.
///
/// One thread sleeps until the process's `FileWatcher` wakes it, or this object is deallocated. If other programs of
/// the user occupy all of the system's watches, the thread polls the file twice a second instead. Several writes may
/// cause one call. A write before `init` returned causes none.
package final class ChangeSignal: Sendable {
    private let watcher: FileWatcher
    private let watch: FileWatcher.Watch?
    private let alarm: Alarm
    private let thread: SystemThread
    private let owner = CurrentProcess.identifier
    package let pollingReason: String?

    /// Watches the file at `path`. The handler runs on the signal's own thread.
    package convenience init(path: String, handler: @escaping @Sendable () -> Void) throws {
        try self.init(path: path, watcher: .shared, handler: handler)
    }

    init(path: String, watcher: FileWatcher, handler: @escaping @Sendable () -> Void) throws {
        let alarm = Alarm()
        let watch: FileWatcher.Watch?
        do {
            watch = try watcher.add(alarm, path: path)
            pollingReason = nil
        } catch {
            guard FileStatus(path) != nil else { throw error }
            watch = nil
            pollingReason = (error as? SystemError).map { "\($0.call): \($0.reason)" } ?? "\(error)"
        }
        (self.watcher, self.watch, self.alarm) = (watcher, watch, alarm)
        let isPolled = watch == nil
        do {
            thread = try SystemThread(path: path) {
                if isPolled {
                    ChangeSignal.poll(path, alarm, handler)
                } else {
                    while alarm.wait() == .rung { handler() }
                }
            }
        } catch {
            if let watch { watcher.remove(watch) }
            throw error
        }
    }

    /// No call begins after this returns, unless the handler itself released the signal. After `fork` only the process
    /// that created the signal has the thread.
    deinit {
        guard owner == CurrentProcess.identifier else { return }
        if let watch { watcher.remove(watch) }
        alarm.stop()
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    private static let interval: Int64 = 500_000_000

    private static func poll(_ path: String, _ alarm: Alarm, _ handler: () -> Void) {
        var known = FileTime(path)
        // The clock of file times is coarse. The next poll finds a write in the same tick as a detected one.
        var isRecent = true
        while alarm.wait(nanoseconds: interval) == .timeout {
            let time = FileTime(path)
            if time != known || isRecent { handler() }
            isRecent = time != known
            known = time
        }
    }
}
