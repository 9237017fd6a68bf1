// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct TableDiff: Sendable, Equatable {
    /// Ascending.
    package var deletions: [ObjectKey] = []
    /// Ascending. An object that was deleted and created again with the same key isn't an insertion: it's a
    /// modification if its values differ.
    package var insertions: [ObjectKey] = []
    /// Ascending by key.
    package var modifications: [ObjectModification] = []

    package init() {}

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Compares a table's objects; nil if the table doesn't exist in a version.
    ///
    /// `isOneFile`: whether refs can be compared. Versions of different files are compared by content.
    ///
    /// The tables are from two snapshots of one file, or one of them is from a running write transaction whose base
    /// version is pinned by the transaction itself. That table must not change during the comparison.
    package init(from old: Table?, to new: Table?, isOneFile: Bool = true) throws {
        guard let space = old?.space ?? new?.space else { return }
        let nodes = SharedNodes(old: old?.space ?? space, new: new?.space ?? space, isOneFile: isOneFile)
        if let old, let new, nodes.areSame(old.clusterRoot, new.clusterRoot) { return }
        var comparison = TableComparison(old, new, nodes)
        self = try comparison.run()
    }

    package func modification(of key: ObjectKey) -> ObjectModification? {
        let index = modifications.partitioningIndex { $0.object >= key }
        return index < modifications.count && modifications[index].object == key ? modifications[index] : nil
    }

    package func isDeleted(_ key: ObjectKey) -> Bool { deletions.containsInOrder(key) }
    package func isInserted(_ key: ObjectKey) -> Bool { insertions.containsInOrder(key) }
}

extension [ObjectKey] {
    /// The keys must be ascending.
    package func containsInOrder(_ key: ObjectKey) -> Bool {
        let index = placeInOrder(of: key)
        return index < count && self[index] == key
    }

    /// The keys must be ascending.
    package func placeInOrder(of key: ObjectKey) -> Int { partitioningIndex { $0 >= key } }
}

package struct ObjectModification: Sendable, Equatable {
    package let object: ObjectKey
    /// The columns whose values differ, in column order, except added, removed, and backlink columns.
    ///
    /// Values are compared by content: numbers bit by bit, links as they are read (unresolved ones are null), and
    /// collections, with all nested collections, by their elements in order.
    package let columns: [ColumnKey]

    package init(object: ObjectKey, columns: [ColumnKey]) {
        self.object = object
        self.columns = columns
    }
}
