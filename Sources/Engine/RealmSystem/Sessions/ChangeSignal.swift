// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Calls a handler soon after a process wrote to a file.
///
/// One thread sleeps until the process's `FileWatcher` wakes it, or this object is deallocated. If the system has no
/// free watch, because other programs of the user hold them, the thread polls the file twice a second instead. Several
/// writes may cause one call; a write before `init` returned causes none.
package final class ChangeSignal: Sendable {
    private let watcher: FileWatcher
    private let watch: FileWatcher.Watch?
    private let alarm: Alarm
    private let thread: SystemThread
    private let owner = CurrentProcess.identifier
    /// The error of the system's because of which the file is polled; nil if it is watched.
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

    /// No call begins after this returns, unless it is the handler itself that released the signal.
    /// After `fork` only the process that made the signal has the thread.
    deinit {
        guard owner == CurrentProcess.identifier else { return }
        if let watch { watcher.remove(watch) }
        alarm.stop()
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    // MARK: Polling

    private static let interval: Int64 = 500_000_000

    private static func poll(_ path: String, _ alarm: Alarm, _ handler: () -> Void) {
        var known = FileTime(path)
        // The clock of file times is coarse: a write in the same tick as one that was noticed is found by the next
        // look.
        var isRecent = true
        while alarm.wait(nanoseconds: interval) == .timeout {
            let time = FileTime(path)
            if time != known || isRecent { handler() }
            isRecent = time != known
            known = time
        }
    }
}
