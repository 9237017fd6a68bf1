// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A readable state of the database: a snapshot, or a write transaction's view of its own changes.
package protocol TableSource: AnyObject {
    var space: NodeSpace { get }
    func tableKeys() throws -> [TableKey]
    func table(_ key: TableKey) throws -> Table?
    /// Doesn't retain the table, which lives as long as this source and doesn't change.
    func unretainedTable(_ key: TableKey) throws -> Unmanaged<Table>?
    func table(named name: String) throws -> Table?
}

extension TableSource {
    /// Returns the tables in the order of their keys.
    package func allTables() throws -> [Table] { try tableKeys().sorted().compactMap { try table($0) } }
}
