// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A state of the database that can be read: a snapshot, or a write transaction's view of its own changes.
package protocol TableSource: AnyObject {
    var space: NodeSpace { get }
    /// The keys of all tables, by slot.
    func tableKeys() throws -> [TableKey]
    /// Returns the table with this key, or nil if it was removed.
    func table(_ key: TableKey) throws -> Table?
    /// Returns the table of `table(_:)` without retaining it: it lives as long as this source, and doesn't change.
    func unretainedTable(_ key: TableKey) throws -> Unmanaged<Table>?
    func table(named name: String) throws -> Table?
}
