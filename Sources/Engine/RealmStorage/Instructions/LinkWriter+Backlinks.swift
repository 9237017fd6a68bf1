// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension LinkWriter {
    /// Creates the target's backlink column when a Mixed column first links to the table.
    func addBacklink(
        to target: ObjectKey, in targetTable: Table, from origin: ObjectKey, _ column: Column, of table: Table
    ) throws {
        let back =
            try targetTable.backlinkColumn(origin: table.key, column.key)?.key
            ?? transaction.schema.addBacklinkColumn(for: column.key, of: table, in: targetTable)
        try addBacklink(to: target, LinkEnds(target: targetTable, back: back), from: origin)
    }

    func addBacklink(to target: ObjectKey, _ ends: LinkEnds, from origin: ObjectKey) throws {
        try changeBacklinks(ends.back, of: target, in: ends.target) {
            try Backlinks.add(origin, to: &$0, in: store)
        }
    }

    /// Removes a link from its target's backlink column. A tombstone without remaining links is removed immediately
    /// (content 5.8).
    ///
    /// Returns whether the target is an embedded object that lost its only link and has to be removed.
    func removeBacklink(
        to link: ObjectLink, from origin: ObjectKey, _ column: Column, of table: Table
    ) throws -> Bool {
        guard let target = try self.table(link.table),
            let back = target.backlinkColumn(origin: table.key, column.key)
        else { return false }
        return try removeBacklink(to: link.object, LinkEnds(target: target, back: back.key), from: origin)
    }

    func removeBacklink(to object: ObjectKey, _ ends: LinkEnds, from origin: ObjectKey) throws -> Bool {
        let target = ends.target
        if removeOnlyBacklink(to: object, in: target, ends.back, from: origin) { return false }
        try changeBacklinks(ends.back, of: object, in: target) {
            try Backlinks.remove(origin, from: &$0, in: store)
        }
        guard target.isEmbedded || object.isUnresolved, try !hasBacklinks(object, in: target) else { return false }
        if object.isUnresolved {
            try transaction.tombstones.erase(object, of: target)
            return false
        }
        return true
    }

    /// Removes a backlink from a dirty leaf if it's the only one in its cell, so that no node has to be freed.
    /// Otherwise returns false, without effect.
    func removeOnlyBacklink(
        to object: ObjectKey, in target: Table, _ back: ColumnKey, from origin: ObjectKey
    ) -> Bool {
        guard !target.isEmbedded, let (leaf, row) = transaction.dirtyPlace(of: object, in: target),
            let cells = try? store.node(leaf).child(back.leafIndex + 1), let node = space.nodeOrNil(cells)
        else { return false }
        guard node.header.hasRefs, store.clear(node, row, if: { Backlinks.isOnly(origin, in: $0) }) else {
            return false
        }
        changed(target, in: .columnLeaf)
        return true
    }

    func changeBacklinks(
        _ back: ColumnKey, of object: ObjectKey, in table: Table, _ body: (inout Int64) throws -> Void
    ) throws {
        func change(_ leaf: inout Ref, _ row: Int) throws {
            var cell = try ColumnLeaf(space, leaf, .backlink).ref(at: row)
            try body(&cell)
            try ColumnLeafEditor(store, .backlink).setRaw(&leaf, at: row, cell)
        }
        if !object.isUnresolved { return try transaction.changeColumn(back.leafIndex, of: object, in: table, change) }
        guard table.tombstoneRoot != 0 else { return }
        try ClusterTreeEditor(store).modify(&table.tombstoneRoot, key: object, column: back.leafIndex, change)
        changed(table, .contents)
    }

    private func hasBacklinks(_ object: ObjectKey, in table: Table) throws -> Bool {
        let tree = object.isUnresolved ? table.tombstones : table.clusters
        guard let position = try tree?.find(object) else { return false }
        return try table.backlinkColumns.contains { try table.backlinkCount($0, at: position) > 0 }
    }
}
