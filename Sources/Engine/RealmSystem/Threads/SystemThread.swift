// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A system thread that runs one closure. Its creator calls `join` or `detach`, once.
///
/// The handle is set in `init` and never changed, hence the unchecked `Sendable`.
@safe
package struct SystemThread: @unchecked Sendable {
    private let thread: pthread_t

    package init(path: String, _ body: @escaping @Sendable () -> Void) throws {
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Glibc)
            var created = pthread_t()
        #else
            var created: pthread_t!
        #endif
        let failure = unsafe pthread_create(&created, nil, runWork, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            throw SystemError("pthread_create", path: path, number: failure)
        }
        #if canImport(Glibc)
            thread = created
        #else
            unsafe thread = created
        #endif
    }

    /// Runs `body` on a detached thread. Returns false, without running it, if the thread can't be created.
    package static func runApart(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = try? SystemThread(path: "", body) else { return false }
        thread.detach()
        return true
    }

    #if canImport(Glibc)
        var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

        func join() { pthread_join(thread, nil) }

        func detach() { pthread_detach(thread) }
    #else
        // The handle is a pointer.
        var isCurrent: Bool { unsafe pthread_equal(thread, pthread_self()) != 0 }
        func join() { unsafe pthread_join(thread, nil) }
        func detach() { unsafe pthread_detach(thread) }
    #endif
}

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
