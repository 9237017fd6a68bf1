// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// This process and its clock.
package enum CurrentProcess {
    package static var identifier: Int { Int(getpid()) }

    /// Nanoseconds since 1970.
    package static var time: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether the environment has a variable of this name.
    package static func hasVariable(_ name: String) -> Bool { unsafe getenv(name) != nil }

    /// Lets others run for about as long.
    package static func pause(microseconds: UInt32) { usleep(microseconds) }
}
