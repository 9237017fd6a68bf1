// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The history of a synchronised file. An opening that writes to such a file must continue its history (container 7.3);
/// otherwise no server would accept the file any more. See `RecordedHistory` for the recording of transactions.
package protocol SynchronisedHistory: Sendable {
    /// The schema versions of a history of type `syncClient` that this history can continue.
    var schemaVersions: ClosedRange<UInt64> { get }
}
