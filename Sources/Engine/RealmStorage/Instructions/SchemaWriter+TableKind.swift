// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes the kind of a table's objects: embedded or top-level (content 3, 12.2).
extension SchemaWriter {
    /// Makes a top-level table embedded, or an embedded one top-level.
    ///
    /// A table can become embedded only if each of its objects has exactly one incoming link, from a property that can
    /// own an embedded object; otherwise this throws `.invalidArgument` with the original's text, without effect.
    /// Tombstones are removed with the links to them, because an embedded object can't be absent.
    package func setKind(_ kind: TableKind, of key: TableKey) throws {
        let table = try require(key)
        guard table.kind != kind else { return }
        guard kind != .asymmetric, table.kind != .asymmetric else {
            throw StorageError(.invalidArgument, "'\(table.name)' cannot become or cease to be asymmetric")
        }
        try record(.convert("made embedded, or the other way round", table))
        if kind == .embedded {
            try validateEmbedding(of: table)
            try transaction.tombstones.removeAll(of: table)
        } else {
            for back in table.backlinkColumns {
                guard try self.table(table.oppositeTables[back.leafIndex])?.kind != .asymmetric else {
                    throw StorageError(.invalidArgument, "'\(table.name)' is linked from an asymmetric table")
                }
            }
        }
        table.kind = kind
        table.flags = table.flags & ~3 | UInt64(kind.rawValue)
        changed(table, .contents)
    }

    private func validateEmbedding(of table: Table) throws {
        let name = table.className ?? table.name
        guard table.primaryKey == nil else {
            throw StorageError(.invalidArgument, "Embedded object type '\(name)' cannot have a primary key.")
        }
        var owners: [Column] = []
        for back in table.backlinkColumns {
            guard let (_, column) = try self.origin(of: back, in: table) else { continue }
            if column.type == .link, !column.key.isSet {
                owners.append(back)
            } else if try column.type == .link || hasEntries(back, of: table) {
                throw StorageError(
                    .invalidArgument,
                    "Cannot convert '\(name)' to embedded: '\(column.name)' cannot hold embedded objects.")
            }
        }
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                let count = try owners.reduce(0) { try $0 + table.backlinkCount($1, at: position) }
                guard count != 1 else { continue }
                let problem =
                    count == 0
                    ? "at least one object has no incoming links and would be deleted."
                    : "at least one object has more than one incoming link."
                throw StorageError(.invalidArgument, "Cannot convert '\(name)' to embedded: \(problem)")
            }
            return true
        }
    }

    private func hasEntries(_ back: Column, of table: Table) throws -> Bool {
        var hasEntries = false
        try table.clusters.forEachLeaf { leaf in
            let cells = try leaf.column(back.leafIndex, .backlink)
            for row in 0..<leaf.count where try cells.ref(at: row) != 0 { hasEntries = true }
            return !hasEntries
        }
        return hasEntries
    }
}
