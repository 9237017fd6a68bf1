// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The changes between two versions of one file (design decision 6).
///
/// Both versions are pinned by their snapshots, so a ref in both has the same content in both. Such subtrees are
/// skipped, and the cost depends on the change instead of the data. Nodes with different refs are compared by content:
/// nodes that were only moved, or rewritten with the same content, aren't changes. So setting a property to its current
/// value isn't reported, unlike in the original.
///
/// The versions can be in any order. Usable from any thread.
package struct VersionDiff: Sendable {
    package let old: Snapshot
    package let new: Snapshot
    /// The tables that may have changed, by slot: those whose refs differ, including added and removed tables. The
    /// tables themselves aren't read. A change of links also changes the table at the other end.
    package let changedTables: [TableKey]

    package init(from old: Snapshot, to new: Snapshot) throws {
        let paths = (old.database.path, new.database.path)
        guard old.database === new.database || !paths.0.isEmpty && paths.0 == paths.1 else {
            throw StorageError(.invalidArgument, "the two versions are of different files")
        }
        self.old = old
        self.new = new
        let shared = SharedNodes(old: old.space, new: new.space)
        var keys: [TableKey] = []
        for slot in 0..<max(old.slotCount, new.slotCount)
        where !shared.areSame(old.tableRef(slot: slot), new.tableRef(slot: slot)) {
            let (before, after) = (try old.tableKey(slot: slot), try new.tableKey(slot: slot))
            if let before { keys.append(before) }
            if let after, after != before { keys.append(after) }
        }
        changedTables = keys
    }

    /// False if the table may have changed.
    package func isSame(_ table: TableKey) -> Bool {
        SharedNodes(old: old.space, new: new.space)
            .areSame(old.tableRef(slot: table.slot), new.tableRef(slot: table.slot))
    }

    /// If the table was added or removed, all of its objects were inserted or deleted.
    package func table(_ key: TableKey) throws -> TableDiff {
        if isSame(key) { return TableDiff() }
        return try TableDiff(from: try old.table(key), to: try new.table(key))
    }
}

/// Changes of collections of objects that exist in both versions; nil if a collection is unchanged. Throws
/// `.invalidArgument` if the object, the column, or the collection is missing in one of the versions.
extension VersionDiff {
    /// The changes of the list that a path identifies in both versions. A stable path (`TableSource.stable`) identifies
    /// the same collection in both; one of positions and keys identifies any collection there.
    package func list(
        at path: CollectionPath, positions: CollectionDiff.Positions = .visible
    ) throws -> CollectionDiff? {
        if isSame(path.table) { return nil }
        guard case .list(let before) = try old.collection(path), case .list(let after) = try new.collection(path)
        else { throw notThere }
        return try CollectionDiff(from: before, to: after, positions: positions)
    }

    package func set(at path: CollectionPath, positions: CollectionDiff.Positions = .visible) throws -> CollectionDiff?
    {
        if isSame(path.table) { return nil }
        guard case .set(let before) = try old.collection(path), case .set(let after) = try new.collection(path)
        else { throw notThere }
        return try CollectionDiff(from: before, to: after, positions: positions)
    }

    package func dictionary(at path: CollectionPath) throws -> DictionaryDiff? {
        if isSame(path.table) { return nil }
        guard case .dictionary(let before) = try old.collection(path),
            case .dictionary(let after) = try new.collection(path)
        else { throw notThere }
        return try DictionaryDiff(from: before, to: after)
    }

    private var notThere: any Error {
        StorageError.absent("the collection is of another kind in one of the versions")
    }
}
