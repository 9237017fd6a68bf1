// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An opening that writes to a synchronised file has to go on with its history (container 7.3), or no server would take
/// the file any more. What goes on with it records transactions: see `RecordedHistory`.
package protocol SynchronisedHistory: Sendable {
    /// The schemas of a history of type `syncClient` that it can go on with.
    var schemaVersions: ClosedRange<UInt64> { get }
}
