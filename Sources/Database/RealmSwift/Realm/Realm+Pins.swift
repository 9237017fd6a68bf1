// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension Realm {
    /// A version of the file that is kept, in this process or another, by a Realm that has not advanced yet, a frozen
    /// object, a query in progress. What the newest version does not need of it cannot be used again meanwhile.
    ///
    /// Not part of Realm's API.
    public struct Pin: Equatable, Sendable {
        /// The process that keeps it.
        public let processIdentifier: Int
        /// The number of the version; it grows by one with each commit.
        public let version: UInt64
        /// Since when.
        public let since: Date
        /// The holders in the process that keep it, each kind once.
        public let label: String
        /// How many holders there are. Of another process the number may be off by a factor of two.
        public let holders: Int
        /// Bytes of the file that cannot be used again because of this version. Where an older version needs them too,
        /// they become its own when this one is let go.
        public let heldByteCount: Int

        init(_ pin: PinInfo) {
            processIdentifier = pin.processIdentifier
            version = pin.version
            since = Date(timeIntervalSince1970: Double(pin.since) / 1_000_000_000)
            label = pin.label
            holders = pin.holders
            heldByteCount = pin.heldByteCount
        }
    }

    /// The versions of the file that are kept, and their holders, in all processes, oldest version first. If the file
    /// grows and grows, the first of them is why. The holder of the write lock has the label `writer`; all other writes
    /// wait for it.
    ///
    /// Not part of Realm's API. `realm pins FILE` prints the same.
    ///
    /// - Throws: `Realm.Error` if another process's pins cannot be read.
    public func pins() throws -> [Pin] {
        do {
            return try instance.coordinator.database.pins().map(Pin.init)
        } catch {
            throw Realm.Error(error)
        }
    }
}
