// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension Realm {
    /// A version of the file that a holder in this process or another one retains: a Realm that hasn't advanced yet, a
    /// frozen object, or a query in progress. The space of data that only this version needs can't be reused meanwhile.
    ///
    /// Not part of Realm's API.
    public struct Pin: Equatable, Sendable {
        /// The process that retains the version.
        public let processIdentifier: Int
        /// The number of the version; it grows by one with each commit.
        public let version: UInt64
        /// The time since which the version is retained.
        public let since: Date
        /// The kinds of holders in the process, each once.
        public let label: String
        /// The number of holders. The number for another process may be off by a factor of two.
        public let holders: Int
        /// The number of bytes of the file that can't be reused because of this version. Bytes that an older version
        /// needs too are attributed to that one, until it is released.
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

    /// Returns the retained versions of the file and their holders, in all processes, oldest version first. If the file
    /// keeps growing, the first version is the cause. The holder of the write lock has the label `writer`; all other
    /// writes wait for it.
    ///
    /// Not part of Realm's API. `realm pins FILE` prints these versions.
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
