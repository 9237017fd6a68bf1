// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum CurrentProcess {
    package static var identifier: Int { Int(getpid()) }

    /// The name of the program; "" if the system doesn't provide it.
    package static let name: String = {
        #if canImport(Darwin)
            return unsafe String(cString: getprogname())
        #else
            var path = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/exe", &path, path.count)
            let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
            return String(decoding: bytes.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
        #endif
    }()

    /// Returns 16 bytes that no other call in a living process returns: the process's identifier, and a number.
    static func uniqueBytes() -> [UInt8] {
        [UInt64(identifier), UniqueNumber.next()].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }

    /// Nanoseconds since 1970.
    package static var time: Int64 { nanoseconds(CLOCK_REALTIME) }

    package static func nanoseconds(since start: Int64) -> Int64 { nanoseconds(from: start, to: time) }

    /// Returns the nanoseconds between two times; 0 if the second isn't later.
    package static func nanoseconds(from start: Int64, to end: Int64) -> Int64 {
        let (length, isBeyond) = end.subtractingReportingOverflow(start)
        return end <= start ? 0 : isBeyond ? .max : length
    }

    /// Nanoseconds since an arbitrary time. Setting the clock doesn't change them.
    package static var uptime: Int64 { nanoseconds(CLOCK_MONOTONIC) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return nanoseconds(seconds: Int64(time.tv_sec), Int64(time.tv_nsec))
    }

    /// Saturates, for a clock set to a year after 2262 or before 1677.
    static func nanoseconds(seconds: Int64, _ rest: Int64) -> Int64 {
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = whole.addingReportingOverflow(rest)
        return overflow || isBeyond ? (seconds < 0 ? .min : .max) : sum
    }

    package static func hasVariable(_ name: String) -> Bool { unsafe getenv(name) != nil }

    package static func pause(microseconds: UInt32) { usleep(microseconds) }
}
