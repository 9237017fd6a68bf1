// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Mutual exclusion for a few instructions. Never held across a system call that can block.
///
/// The `pthread` mutex is initialised once and never moved (it's behind a pointer), which makes this lock `Sendable`.
@safe @usableFromInline
package final class Lock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Inlined, because a generic function of another module takes longer than the lock.
    @inlinable
    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        acquire()
        defer { release() }
        return try body()
    }

    @usableFromInline func acquire() { unsafe pthread_mutex_lock(mutex) }

    @usableFromInline func release() { unsafe pthread_mutex_unlock(mutex) }
}
