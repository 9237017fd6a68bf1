// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The schema version stored in the file (content 11.2).
package enum SchemaVersion {
    private static let column = "version"

    package static func read(_ source: any TableSource) throws -> UInt64? {
        guard let table = try source.table(named: FileFormat.metadataTable), let column = table.column(named: column),
            try table.count() > 0
        else { return nil }
        guard case .int(let value) = try table.value(column, at: try table.clusters.position(at: 0)), value != -1 else {
            return nil
        }
        return UInt64(bitPattern: value)
    }

    package static func write(_ version: UInt64, _ transaction: WriteTransaction) throws {
        let key =
            try transaction.table(named: FileFormat.metadataTable)?.key
            ?? transaction.schema.addTable(FileFormat.metadataTable)
        let table = try transaction.require(key)
        let column = try table.column(named: column)?.key ?? transaction.schema.addColumn(column, .int, to: key)
        if try table.count() == 0 { _ = try transaction.createObject(in: key) }
        let position = try table.clusters.position(at: 0)
        let object = position.leaf.key(at: position.row)
        try transaction.set(.int(Int64(bitPattern: version)), column, of: object, in: key)
    }
}
