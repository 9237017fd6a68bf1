// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

final class ObjectIdGenerator: Sendable {
    static let shared = ObjectIdGenerator()

    /// Five random bytes that identify this process.
    private let process = UInt64.random(in: 0..<1 << 40)
    /// The random initial value makes identifiers of two processes with equal random bytes differ.
    private let counter = Locked(UInt32.random(in: 0..<1 << 24))

    /// Returns the low four bytes of the seconds, five bytes of identity (by default those of the process), and the
    /// counter.
    func next(_ date: Date, identity: UInt64? = nil) -> ObjectIdBytes {
        let seconds = UInt32(truncatingIfNeeded: Timestamp(date).seconds)
        let identity = identity ?? process
        let low = UInt32(truncatingIfNeeded: identity & 0xFF) << 24 | nextCount()
        return ObjectIdBytes(high: UInt64(seconds) << 32 | identity >> 8, low: low)
    }

    private func nextCount() -> UInt32 {
        counter.withLock { counter in
            counter = (counter + 1) & 0xFF_FFFF
            return counter
        }
    }
}
