// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What has happened to the objects of a table between two versions.
package struct TableDiff: Sendable, Equatable {
    /// Ascending.
    package var deletions: [ObjectKey] = []
    /// Ascending. An object that was deleted and created anew under the same key is no insertion: it counts as
    /// modified, where its values differ.
    package var insertions: [ObjectKey] = []
    /// Ascending by key.
    package var modifications: [ObjectModification] = []

    package init() {}

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Compares a table's objects; nil where the table does not exist in a version.
    ///
    /// `isOneFile`: whether refs can be trusted. Without it everything is compared by content, as it has to be for
    /// versions of different files.
    ///
    /// The tables come from two snapshots of one file, or one of them from a running write transaction whose base
    /// version is pinned by the transaction itself; its table is then not to be changed meanwhile.
    package init(from old: Table?, to new: Table?, isOneFile: Bool = true) throws {
        guard let space = old?.space ?? new?.space else { return }
        let nodes = SharedNodes(old: old?.space ?? space, new: new?.space ?? space, isOneFile: isOneFile)
        if let old, let new, nodes.areSame(old.clusterRoot, new.clusterRoot) { return }
        var comparison = TableComparison(old, new, nodes)
        self = try comparison.run()
    }

    /// What has changed in an object; nil if nothing has, or if it was inserted or deleted.
    package func modification(of key: ObjectKey) -> ObjectModification? {
        let index = modifications.partitionIndex { $0.object < key }
        return index < modifications.count && modifications[index].object == key ? modifications[index] : nil
    }

    package func isDeleted(_ key: ObjectKey) -> Bool { deletions.containsInOrder(key) }
    package func isInserted(_ key: ObjectKey) -> Bool { insertions.containsInOrder(key) }
}

extension [ObjectKey] {
    /// Whether the key is among these, which must be ascending.
    package func containsInOrder(_ key: ObjectKey) -> Bool {
        let index = placeInOrder(of: key)
        return index < count && self[index] == key
    }

    /// The number of keys below `key` among these, which must be ascending.
    package func placeInOrder(of key: ObjectKey) -> Int { partitionIndex { $0 < key } }
}

/// An object that exists in both versions with different values.
package struct ObjectModification: Sendable, Equatable {
    package let object: ObjectKey
    /// The columns whose values differ, in column order. Columns that were added or removed do not count, nor do
    /// backlink columns.
    ///
    /// Values are compared by content: numbers bit by bit, links as they are read (unresolved ones are null), and
    /// collections with everything nested in them by their elements in order.
    package let columns: [ColumnKey]

    package init(object: ObjectKey, columns: [ColumnKey]) {
        self.object = object
        self.columns = columns
    }
}

extension Array {
    /// The first position whose element `isBelow` denies; it must hold for the elements of some prefix only.
    func partitionIndex(where isBelow: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
