// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Mutual exclusion for a few instructions; never held across a system call that can block.
///
/// The `pthread` mutex is initialised once and never moved (it lives behind a pointer), which is what makes the
/// class `Sendable`.
@safe
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

    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// The right to write: one holder at a time, granted in the order of asking, and given back from any thread.
///
/// `next` and `served` are guarded by `mutex`; `turn` is signalled whenever `served` changes.
@safe
package final class TurnGate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let turn: UnsafeMutablePointer<pthread_cond_t>
    private var next: UInt64 = 0
    private var served: UInt64 = 0

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe turn = .allocate(capacity: 1)
        unsafe turn.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(turn, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(turn)
        unsafe turn.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Returns when it is this caller's turn.
    package func enter() {
        unsafe pthread_mutex_lock(mutex)
        let ticket = next
        next += 1
        while served != ticket { unsafe pthread_cond_wait(turn, mutex) }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// How many have asked, the one whose turn it is included.
    package var callerCount: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return Int(next - served)
    }

    package func leave() {
        unsafe pthread_mutex_lock(mutex)
        served += 1
        unsafe pthread_cond_broadcast(turn)
        unsafe pthread_mutex_unlock(mutex)
    }
}
