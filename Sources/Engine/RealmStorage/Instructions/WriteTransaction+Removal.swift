// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that remove objects (content 12.3, 12.4).
extension WriteTransaction {
    /// Removes an object with all consequences: incoming links become null or leave their lists, outgoing links lose
    /// their backlinks, embedded objects that lose their only link are removed too, to any depth (content 12.3, 12.4).
    /// Returns false if the object doesn't exist.
    @discardableResult
    package func removeObject(_ object: ObjectKey, from key: TableKey) throws -> Bool {
        let table = try require(key)
        if isIsolated(table) { return try removeIsolated(object, from: table) }
        guard try table.contains(object) else { return false }
        try removeLinked(ObjectLink(table: key, object: object))
        return true
    }

    /// Removes an object of a table without links. The row is removed later, together with those of the objects that
    /// follow it.
    private func removeIsolated(_ object: ObjectKey, from table: Table) throws -> Bool {
        guard let position = try table.findBeforeErasures(object) else { return false }
        try indexes.erase(object, at: position, of: table)
        changed(table, .contents)
        try table.deferDelete(object, in: store)
        return true
    }

    private func removeLinked(_ object: ObjectLink) throws {
        var doomed = [object]
        while let next = doomed.popLast() {
            let table = try require(next.table)
            guard try table.contains(next.object) else { continue }
            try links.removeIncoming(next, of: table)
            try recorder?.record(.removeObject(next.object, table), in: self)
            try indexes.erase(next.object, at: try table.requireObject(next.object), of: table)
            for column in table.publicColumns {
                doomed += try links.removeOutgoing(of: next.object, column, in: table)
            }
            // First, so that cached rows are invalidated even if this fails.
            changed(table, .contents)
            try ClusterTreeEditor(store).erase(&table.clusterRoot, table.layout, key: next.object)
            if table.collisionsRef != 0 { try tombstones.dropCollision(of: next.object, in: table) }
        }
    }

    /// Removes objects, as if one by one. Keys without an object are skipped.
    package func removeObjects(_ objects: [ObjectKey], from key: TableKey) throws {
        let table = try require(key)
        guard !table.isEmbedded else { return try objects.forEach { try removeObject($0, from: key) } }
        let keys = try present(objects, in: table)
        guard !keys.isEmpty else { return }
        if isIsolated(table), try keys.count == table.count() { return try clearAtOnce(table) }
        try removeMany(keys, from: table)
    }

    /// Removes objects of a table whose objects aren't embedded, so removing one can't remove another one of the table.
    /// All links are removed first, then the entries of the indexes, and the rows last, leaf by leaf. The keys must be
    /// ascending, and each must be that of an object.
    private func removeMany(_ keys: [ObjectKey], from table: Table) throws {
        try endLinks(of: keys, in: table)
        for column in table.publicColumns where table.hasIndex(column.key) {
            try indexes.erase(keys, from: column, of: table)
        }
        changed(table, .contents)
        try ClusterTreeEditor(store).erase(&table.clusterRoot, table.layout, keys: keys)
        if table.collisionsRef != 0 { for key in keys { try tombstones.dropCollision(of: key, in: table) } }
    }

    /// Returns the keys that exist, in ascending order and without duplicates.
    private func present(_ objects: [ObjectKey], in table: Table) throws -> [ObjectKey] {
        var keys = objects
        if !keys.indices.allSatisfy({ keys[$0].rawValue >= 0 && ($0 == 0 || keys[$0 - 1] < keys[$0]) }) {
            keys.removeAll { $0.rawValue < 0 }
            keys.sort()
        }
        var present: [ObjectKey] = []
        present.reserveCapacity(keys.count)
        try table.clusters.forEachLeaf(holding: keys) { leaf, rows in
            for row in rows where present.last != leaf.key(at: row) { present.append(leaf.key(at: row)) }
        }
        return present
    }

    /// Removes the links to and from objects that are about to be removed, as if one object after another was removed.
    private func endLinks(of keys: [ObjectKey], in table: Table) throws {
        let outgoing = table.publicColumns.filter(\.holdsLinks)
        guard !outgoing.isEmpty || !table.backlinkColumns.isEmpty || isRecorded else { return }
        var lost = LostLinks()
        for key in keys {
            let link = ObjectLink(table: table.key, object: key)
            // A link that an earlier object has lost isn't an incoming link any more.
            try links.removeBacklinks(of: lost.take(to: link, table))
            try links.removeIncoming(link, of: table)
            try recorder?.record(.removeObject(key, table), in: self)
            for column in outgoing {
                for child in try links.removeOutgoing(of: key, column, in: table, &lost) {
                    try removeObject(child.object, from: child.table)
                }
            }
        }
        try links.removeBacklinks(of: lost.takeAll())
    }

    package func clear(_ key: TableKey) throws {
        let table = try require(key)
        if isIsolated(table) { return try clearAtOnce(table) }
        var keys: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        try removeObjects(keys, from: key)
    }

    /// Whether the table's objects have no links in either direction, and needn't be recorded individually.
    private func isIsolated(_ table: Table) -> Bool {
        unsafe !table.hasLinks && table.tombstoneRoot == 0 && table.collisionsRef == 0 && !isRecorded
    }

    private func clearAtOnce(_ table: Table) throws {
        try store.freeTree(table.clusterRoot)
        table.clusterRoot = try ClusterTreeEditor(store).create(table.layout)
        for index in unsafe table.indexes.leafIndexes {
            try SearchIndexEditor(store).free(table.replaceIndex(index, by: try SearchIndexEditor(store).create()))
        }
        changed(table, [.contents, .indexes])
    }
}
