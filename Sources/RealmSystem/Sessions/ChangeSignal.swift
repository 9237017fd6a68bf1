// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Calls a handler soon after a process wrote to a file, without polling.
///
/// One thread sleeps in the kernel until the file is written to (inotify, or kqueue on Apple platforms) or this object
/// is let go. Several writes may give one call; a write before `init` returned gives none.
package final class ChangeSignal: Sendable {
    private let watcher: FileWatcher
    private let thread: SystemThread
    private let owner = CurrentProcess.identifier

    /// Watches the file at `path`. The handler runs on the signal's own thread.
    package init(path: String, handler: @escaping @Sendable () -> Void) throws {
        let watcher = try FileWatcher(path: path)
        self.watcher = watcher
        thread = try SystemThread(path: path) {
            while watcher.wait() { handler() }
        }
    }

    /// No call begins after this returns, unless it is the handler itself that let go of the signal.
    /// After `fork` only the process that made the signal has the thread.
    deinit {
        guard owner == CurrentProcess.identifier else { return }
        watcher.stop()
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }
}
