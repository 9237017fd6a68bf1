// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes tables and columns (content 2, 4.6, 12.7).
package struct SchemaWriter: TransactionWriter {
    let transaction: WriteTransaction

    /// Creates a table in the lowest vacant slot. Names are unique and at most 63 bytes long.
    package func addTable(_ name: String, kind: TableKind = .topLevel) throws -> TableKey {
        try validateTableName(name)
        let slot = transaction.directory.elements.firstIndex { Tagged.isTagged($0) } ?? transaction.directory.count
        guard slot < FileFormat.maximumTableCount else { throw StorageError(.limitExceeded, "too many tables") }
        var tag: UInt32 = 0
        if slot < transaction.directory.count {
            tag = UInt32(truncatingIfNeeded: Tagged.decode(transaction.directory.elements[slot]))
            transaction.directory.names[slot] = name
            // Marks the slot as occupied, also for the next table of this transaction.
            transaction.directory.elements[slot] = 0
        } else {
            transaction.directory.names.append(name)
            transaction.directory.elements.append(0)
        }
        let table = Table(space: space, key: TableKey(slot: slot, tag: tag), name: name, kind: kind)
        table.clusterRoot = try ClusterTreeEditor(store).create(table.layout)
        transaction.install(table)
        changed(table, .contents)
        try record(.createTable(table))
        return table.key
    }

    /// An empty name isn't allowed, because it marks a vacant slot (content 2.2).
    private func validateTableName(_ name: String) throws {
        guard !name.isEmpty else { throw StorageError(.invalidArgument, "a table needs a name") }
        guard name.utf8.count <= FileFormat.maximumNameByteCount else {
            throw StorageError(.limitExceeded, "the table name '\(name)' is longer than 63 bytes")
        }
        guard try transaction.table(named: name) == nil else {
            throw StorageError(.invalidArgument, "a table '\(name)' exists already")
        }
    }

    /// Throws if a link column of another table links to the table.
    package func removeTable(_ key: TableKey) throws {
        let table = try require(key)
        for column in table.backlinkColumns {
            let origin = table.oppositeTables[column.leafIndex]
            let isLink = try self.table(origin)?.column(table.oppositeColumns[column.leafIndex])?.type == .link
            if origin != key, isLink {
                throw StorageError(.invalidArgument, "'\(table.name)' cannot be removed: another table links to it")
            }
        }
        try record(.removeTable(table))
        try withoutRecording { try emptyTable(table) }
        let slot = key.slot
        transaction.directory.elements[slot] = Tagged.encode(UInt64((key.tag + 1) & 0x7FFF))
        transaction.directory.names[slot] = ""
        transaction.directoryChanged = true
        transaction.uninstall(slot: slot)
        transaction.record(.rows)
    }

    private func emptyTable(_ table: Table) throws {
        let key = table.key
        try transaction.clear(key)
        try transaction.tombstones.removeAll(of: table)
        for column in table.publicColumns.reversed() { try removeColumn(column.key, of: key) }
        for column in table.backlinkColumns.reversed() { try dropColumn(column.key, of: table) }
        try store.freeTree(table.clusterRoot)
        try store.freeTree(table.tombstoneRoot)
        try store.freeTree(table.collisionsRef)
        // Indexes and enum key lists were freed with their columns, although the committed arrays still contain their
        // refs.
        try TableSpec.free(table.specRef, in: store)
        for ref in [table.indexesRef, table.oppositeTablesRef, table.oppositeColumnsRef, table.ref] {
            try store.free(ref)
        }
    }

    /// Performs the consequences of an instruction that is already recorded.
    func withoutRecording(_ body: () throws -> Void) rethrows {
        let recorder = transaction.recorder
        transaction.recorder = nil
        defer { transaction.recorder = recorder }
        try body()
    }
}

extension WriteTransaction {
    package var schema: SchemaWriter { @inline(__always) get { SchemaWriter(transaction: self) } }
}
