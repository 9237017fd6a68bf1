// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

extension Realm {
    /// A version of the file that is retained by a holder in this process or another one: a Realm that hasn't advanced
    /// yet, a frozen object, or a query in progress. While it is retained, the space of data that only this version
    /// needs can't be reused.
    ///
    /// An addition to Realm's API.
    public struct Pin: Equatable, Sendable {
        /// The purpose for which a version is pinned.
        public enum Role: Sendable, Hashable {
            /// The holders read the version.
            case reader
            /// A holder has the write lock, for which all other writes wait.
            case writer
        }

        /// The process that retains the version.
        public let processIdentifier: Int
        /// The number of the version; it grows by one with each commit.
        public let version: UInt64
        /// The time at which the holder began to retain the version.
        public let since: Date
        /// The purpose for which the version is pinned.
        public let role: Role
        /// The kinds of holders in the process, such as `Realm` or `frozen`, or labels of `Realm.snapshot(label:)`,
        /// each listed once.
        public let label: String
        /// The number of holders; nil for another process, because it isn't known.
        public let holders: Int?
        /// The number of bytes of the file that can't be reused because of this version. Bytes that an older version
        /// also needs are attributed to the older version.
        public let heldByteCount: Int

        init(_ pin: PinInfo) {
            processIdentifier = pin.processIdentifier
            version = pin.version
            since = Date(timeIntervalSince1970: Double(pin.since) / 1_000_000_000)
            role = pin.isWriter ? .writer : .reader
            label = pin.label
            holders = pin.processIdentifier == CurrentProcess.identifier ? pin.holders : nil
            heldByteCount = pin.heldByteCount
        }
    }

    /// Returns the retained versions of the file and their holders in all processes, oldest version first. If the file
    /// keeps growing, the first version is the cause.
    ///
    /// `realm pins FILE` prints the same versions. An addition to Realm's API.
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
