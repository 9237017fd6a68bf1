// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A version that observers were notified of, or the next one for which they will be notified. Pinned while
/// an observer retains it.
///
/// Immutable; the reader is a frozen one, which all threads may use, hence `@unchecked`.
package final class ObservedVersion: @unchecked Sendable {
    package static let label = "observer"

    package let reader: VersionReader
    package let snapshot: Snapshot

    /// `reader` is another reader of the same database.
    package init(_ snapshot: Snapshot, like reader: VersionReader) {
        self.snapshot = snapshot
        self.reader = VersionReader(reader.host, reader.settings, frozen: snapshot)
    }

    package var number: UInt64 { snapshot.version }
}
