// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A mutex with a condition variable, which guards the state of its users.
///
/// The `pthread` objects are initialised once and never moved (they're behind pointers), which makes the class
/// `Sendable`.
@safe
final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits until another thread signals. It may also return spuriously, so call it in a loop, within `locked`.
    func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Waits for `nanoseconds` at most; without a limit for nil.
    func wait(nanoseconds: Int64?) {
        guard let nanoseconds else { return wait() }
        // The clock may be set meanwhile: the caller's loop checks again at least every minute.
        let length = min(nanoseconds, 60_000_000_000)
        #if canImport(Darwin)
            var time = timespec(tv_sec: Int(length / 1_000_000_000), tv_nsec: Int(length % 1_000_000_000))
            unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            // Not from `CurrentProcess.time`, which ends in the year 2262.
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            let rest = time.tv_nsec + Int(length % 1_000_000_000)
            time.tv_sec &+= Int(length / 1_000_000_000) + rest / 1_000_000_000
            time.tv_nsec = rest % 1_000_000_000
            unsafe pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }

    /// Wakes all waiting threads. Call it within `locked`.
    func signal() { unsafe pthread_cond_broadcast(condition) }
}
