// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension StoredPartition {
    /// The size in bytes at which the changes of a command become durable.
    static let partSize = 4 << 20

    /// Adds the classes and properties that the partition lacks.
    ///
    /// - Throws: `StateError` if they contradict those that exist.
    func add(_ definitions: [Instruction]) throws {
        let known = schema
        let missing = definitions.filter { instruction in
            switch instruction {
            case .addTable(let table): known.tables[table.name] != table
            case .addColumn(let column): known.columns[column.column.table]?[column.column.name] != column
            default: true
            }
        }
        if !missing.isEmpty { try append(Changeset(missing)) }
    }

    /// Appends changes of a command. Large ones to a shared partition become durable, so that other nodes get the
    /// append lock. A partition in files keeps the changes until `flush`, as one frame.
    func appendPart(_ changesets: [Changeset]) throws {
        for changeset in changesets { try append(changeset) }
        guard isShared, pendingByteCount >= StoredPartition.partSize else { return }
        try flush()
        try lock()
    }
}
