// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension RowUpgrade {
    func make(_ old: RowTable, _ leaves: [[Ref]]) throws -> Table {
        let table = Table(space: transaction.space, key: old.key, name: old.name, kind: old.kind)
        table.columns = try columns(of: old)
        guard table.columns.count <= FileFormat.leafIndexCount else {
            throw StorageError(.limitExceeded, "'\(old.name)' has too many columns")
        }
        unsafe table.indexes = TableIndexes(roots: Array(repeating: 0, count: table.columns.count))
        enterOpposites(of: old, into: table)
        table.columnsChanged()
        let backlinks = try old.backlinks.map {
            try $0.leaves(rowCount: old.rowCount, capacity: capacity, in: store)
        }
        table.clusterRoot = try RowClusters(store: store).tree(leaves + backlinks, rowCount: old.rowCount, table.layout)
        unsafe table.sequence = UInt64(old.rowCount)
        return table
    }

    private func columns(of table: RowTable) throws -> [Column] {
        let names = RowNames.distinct(table.columns.map(\.name))
        let columns = try names.indices.map { index in
            let key = table.columnKey(index)
            return try Column(
                key: key, name: names[index], attributes: key.attributes,
                typeElement: Int64(key.type?.rawValue ?? 0), enumKeys: table.enumKeys[index]?.ref ?? 0)
        }
        return try columns
            + table.backlinks.indices.map { index in
                try Column(
                    key: table.backlinkKey(index), name: "", attributes: [],
                    typeElement: Int64(ColumnType.backlink.rawValue), enumKeys: 0)
            }
    }

    private func enterOpposites(of old: RowTable, into table: Table) {
        table.oppositeTables = Array(repeating: .null, count: table.columns.count)
        table.oppositeColumns = Array(repeating: .null, count: table.columns.count)
        for (number, links) in old.links {
            table.oppositeTables[number] = links.target.key
            table.oppositeColumns[number] = links.target.backlinkKey(links.number)
        }
        for (number, links) in old.backlinks.enumerated() {
            table.oppositeTables[old.columns.count + number] = links.origin.key
            table.oppositeColumns[old.columns.count + number] = links.origin.columnKey(links.column)
        }
    }

    func install(_ made: [Table]) throws {
        transaction.directoryChanged = true
        transaction.directory = TableDirectory(
            names: made.map(\.name), elements: Array(repeating: 0, count: made.count))
        for table in made {
            transaction.install(table)
            transaction.changed(table, [.contents, .indexes, .schema])
        }
        for (old, table) in zip(tables, made) {
            for (index, column) in old.columns.enumerated()
            where column.isIndexed && column.type.valueType?.isIndexable == true {
                try repairTexts(old.columnKey(index), of: table)
                try transaction.indexes.add(old.columnKey(index), of: table.key)
            }
            guard let index = old.primaryKey else { continue }
            try repairTexts(old.columnKey(index), of: table)
            // Older versions never checked that the values are distinct. If they aren't, the property doesn't become
            // the primary key.
            do {
                try transaction.schema.setPrimaryKey(old.columnKey(index), of: table.key)
            } catch let error as StorageError where error.code == .invalidArgument {
                transaction.database.upgradeNotes.append(
                    "'\(old.name)' has lost its primary key in the upgrade: \(error.message)")
            }
        }
    }

    /// An index stores texts by their bytes, but searches use the decoded text. Texts that aren't UTF-8 are repaired,
    /// so both are equal.
    private func repairTexts(_ key: ColumnKey, of table: Table) throws {
        guard key.type == .string, !key.isCollection, let column = table.column(key) else { return }
        var repaired: [(object: ObjectKey, text: String)] = []
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count {
                unsafe try values.withStringBytes(at: row) { bytes in
                    guard let bytes = unsafe bytes, unsafe String(validatedUTF8: bytes) == nil else {
                        return
                    }
                    repaired.append((leaf.key(at: row), unsafe String(decoding: bytes, as: UTF8.self)))
                }
            }
            return true
        }
        for (object, text) in repaired { try transaction.set(.string(text), key, of: object, in: table.key) }
        guard !repaired.isEmpty else { return }
        transaction.database.upgradeNotes.append(
            "\(repaired.count) texts of '\(table.name).\(column.name)' were not UTF-8, and have U+FFFD in place of the "
                + "invalid bytes")
    }
}
