// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// The number of seconds between 1970 and 2001, the reference date of `Date`.
private let referenceDate: Int64 = 978_307_200

extension Timestamp {
    /// Creates the stored form of a date (content 11.5), truncated to whole nanoseconds.
    ///
    /// NaN is converted to the beginning of 1970, and a date out of range to the first or the last timestamp.
    package init(_ date: Date) {
        let time = date.timeIntervalSinceReferenceDate
        if time.isNaN {
            self.init(seconds: 0, nanoseconds: 0)
            return
        }
        let whole = time.rounded(.towardZero)
        guard let sinceReference = Int64(exactly: whole) else {
            self = time < 0 ? .first : .last
            return
        }
        let (seconds, overflow) = sinceReference.addingReportingOverflow(referenceDate)
        if overflow {
            self = .last
            return
        }
        let nanoseconds = Int32(((time - whole) * 1e9).rounded(.towardZero))
        if nanoseconds < 0 && seconds > 0 {
            self.init(seconds: seconds - 1, nanoseconds: nanoseconds + 1_000_000_000)
        } else {
            self.init(seconds: seconds, nanoseconds: nanoseconds)
        }
    }

    private static var first: Timestamp { Timestamp(seconds: .min, nanoseconds: -999_999_999) }
    private static var last: Timestamp { Timestamp(seconds: .max, nanoseconds: 999_999_999) }
}

extension Date {
    /// Creates the date nearest to a timestamp. Present-day dates have a precision of about 50 nanoseconds.
    package init(_ timestamp: Timestamp) {
        let (seconds, overflow) = timestamp.seconds.subtractingReportingOverflow(referenceDate)
        let whole = overflow ? Double(timestamp.seconds) - Double(referenceDate) : Double(seconds)
        // Most dates have no fractional seconds, and a division takes as long as the rest of a read.
        let fraction = timestamp.nanoseconds == 0 ? 0 : Double(timestamp.nanoseconds) / 1e9
        self.init(timeIntervalSinceReferenceDate: whole + fraction)
    }
}

extension UUIDBytes {
    package init(_ uuid: UUID) {
        self = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe UUIDBytes(bytes: $0) }
    }
}

extension UUID {
    package init(_ bytes: UUIDBytes) {
        let b = bytes.bytes
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
