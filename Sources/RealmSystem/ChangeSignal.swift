// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Calls a handler soon after anyone wrote to a file, without asking again and again.
///
/// One thread sleeps in the kernel until the file is written to (inotify, or kqueue on Apple platforms) or this object
/// is let go. Several writes may give one call; a write before `init` returned gives none. The descriptors and the
/// thread are set in `init` and never changed, hence the unchecked `Sendable`.
@safe
package final class ChangeSignal: @unchecked Sendable {
    private let watcher: FileWatcher
    private let thread: pthread_t

    /// Watches the file at `path`. The handler runs on the signal's own thread.
    package init(path: String, handler: @escaping @Sendable () -> Void) throws {
        let watcher = try FileWatcher(path: path)
        self.watcher = watcher
        let work = unsafe Unmanaged.passRetained(
            Work {
                while watcher.wait() { handler() }
            })
        #if canImport(Glibc)
            var created = pthread_t()
        #else
            var created: pthread_t?
        #endif
        let failure = unsafe pthread_create(&created, nil, runWork, work.toOpaque())
        let started: pthread_t? = created
        guard failure == 0, let started else {
            unsafe work.release()
            throw SystemError("pthread_create", path: path, number: failure)
        }
        thread = started
    }

    /// No call begins after this returns, unless it is the handler itself that let go of the signal.
    deinit {
        watcher.stop()
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}

/// What a thread is handed; it is the thread's from then on.
private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
    private func runWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
#else
    private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument = unsafe argument { unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
    }
#endif
