// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The objects of a table that a write transaction has removed, and whose rows are still in the clusters.
///
/// Their rows are erased together, so each leaf is changed once for all of them: when `Table.clusterRoot` is read, or
/// when there are many. A removal invalidates every position found before, and a later search reads `clusterRoot`
/// first, so no code holds the position of a row that moves then. Belongs to one table of one transaction.
struct DeferredDeletes {
    fileprivate let store: NodeStore
    /// Rows by the keys' upper bits, so the objects of one leaf are mostly in one set.
    private var rows: [Int64: RowSet] = [:]
    private var count = 0

    init(store: NodeStore) { self.store = store }

    /// Whether to erase the rows now. The memory is worth its cost: the more deletes are collected, the more of them
    /// share a leaf.
    fileprivate var areMany: Bool { count >= 1 << 20 || rows.count >= 1 << 16 }

    fileprivate func contains(_ key: ObjectKey) -> Bool {
        rows[DeferredDeletes.upperBits(of: key)]?.contains(DeferredDeletes.row(of: key)) == true
    }

    /// The key must be new.
    fileprivate mutating func insert(_ key: ObjectKey) {
        rows[DeferredDeletes.upperBits(of: key), default: RowSet()].insert(DeferredDeletes.row(of: key))
        count += 1
    }

    /// Ascending.
    fileprivate var keys: [ObjectKey] {
        var keys: [ObjectKey] = []
        keys.reserveCapacity(count)
        for upper in rows.keys.sorted() {
            rows[upper]?.forEach { row in
                keys.append(ObjectKey(upper << Int64(FileFormat.clusterShift) | Int64(row)))
                return true
            }
        }
        return keys
    }

    private static func upperBits(of key: ObjectKey) -> Int64 { key.rawValue >> Int64(FileFormat.clusterShift) }
    private static func row(of key: ObjectKey) -> Int { Int(key.rawValue) & (RowSet.capacity - 1) }
}

extension Table {
    package var hasDeferredDeletes: Bool { unsafe deferredDeletes != nil }

    /// Returns the position of an object, which is valid until `clusterRoot` is read; nil if no object has this key.
    func findBeforeErasures(_ key: ObjectKey) throws -> ClusterTree.Position? {
        guard key.rawValue >= 0, unsafe deferredDeletes?.contains(key) != true else { return nil }
        return unsafe try ClusterTree(space, root: storedClusterRoot).find(key)
    }

    func deferDelete(_ key: ObjectKey, in store: NodeStore) throws {
        if unsafe deferredDeletes == nil { unsafe deferredDeletes = DeferredDeletes(store: store) }
        unsafe deferredDeletes?.insert(key)
        if unsafe deferredDeletes?.areMany == true { try flushDeletes() }
    }

    /// Erases the rows of the removed objects. If that fails, the transaction can't be committed.
    func flushDeletes() throws {
        guard let pending = unsafe deferredDeletes.take() else { return }
        try pending.store.whole {
            unsafe try ClusterTreeEditor(pending.store).erase(&storedClusterRoot, layout, keys: pending.keys)
        }
    }
}
