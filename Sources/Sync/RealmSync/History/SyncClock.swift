// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The clock of changesets, in milliseconds since 2015.
package enum SyncClock {
    /// 2015-01-01 in seconds since 1970.
    package static let epoch: Int64 = 1_420_070_400

    @Sendable package static func now() -> UInt64 {
        UInt64(max(1, CurrentProcess.time / 1_000_000 - epoch * 1000))
    }

    /// The current time in a column of dates.
    @Sendable package static func timestamp() -> Timestamp {
        let (seconds, rest) = CurrentProcess.time.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Timestamp(seconds: seconds, nanoseconds: Int32(rest))
    }
}
