// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Detects files written by a test build of the original engine, with four rows in a cluster instead of 256.
///
/// If a cluster branch is in compact form, the keys of objects depend on that number, which isn't in the file (content
/// 5.7). An ordinary reader would compute wrong keys. Small nodes make such a tree suspicious, and it's rejected unless
/// other parts of the file confirm the keys.
struct NodeSizeProbe {
    private let transaction: WriteTransaction
    private let table: Table
    private let era: LegacyFormat
    private static let testCapacity = 4

    init(_ transaction: WriteTransaction, _ table: Table, _ era: LegacyFormat) {
        self.transaction = transaction
        self.table = table
        self.era = era
    }

    func run() throws {
        guard try isSuspicious(), try !keysAreConfirmed() else { return }
        throw StorageError(
            .invalidDatabase,
            "'\(table.name)' was written by a test build of Realm with four objects in a cluster; its objects cannot be "
                + "told apart by the rules of released versions")
    }

    /// Whether the root is a branch of few children in compact form, and every node on the path to the first object is
    /// small. Released versions merge such small nodes.
    private func isSuspicious() throws -> Bool {
        let space = transaction.space
        var node = try space.refs(table.clusterRoot)
        var depth = UInt64.max
        var hasCompactBranch = false
        while node.header.isInner {
            depth = try ClusterBranch.depth(of: node, below: depth)
            let childCount = node.count - ClusterBranch.firstChildSlot
            guard childCount <= NodeSizeProbe.testCapacity else { return false }
            hasCompactBranch = try hasCompactBranch || childCount > 1 && node.child(ClusterBranch.offsetsSlot) == 0
            node = try space.refs(try node.child(ClusterBranch.firstChildSlot))
        }
        return try hasCompactBranch && ClusterLeaf(space, node, keyOffset: 0).count <= NodeSizeProbe.testCapacity
    }

    private func keysAreConfirmed() throws -> Bool {
        let indexed = table.publicColumns.first {
            table.hasIndex($0.key) && !$0.key.isCollection && !$0.isFullTextIndexed
        }
        if let indexed { return try everyObject { try isFiled($0, under: indexed) } }
        if era.hashesPrimaryKeys, let key = table.primaryKey, let column = table.column(key), column.type == .int {
            return try everyObject { key in try isDerived(key, column) }
        }
        return false
    }

    private func isFiled(_ object: ObjectKey, under column: Column) throws -> Bool {
        guard let value = try table.indexedValue(column, of: object) else { return false }
        return try table.index(column).keys(equalTo: value) { try table.indexedValue(column, of: $0) }.contains(object)
    }

    /// Keys that collided are in a map, which needn't be read: one derived key can't occur by coincidence.
    private func isDerived(_ object: ObjectKey, _ column: Column) throws -> Bool {
        guard case .int(let number)? = try table.indexedValue(column, of: object) else { return true }
        return object.rawValue == number & 0x3FFF_FFFF_FFFF_FFFF || table.collisionsRef != 0
    }

    /// In a tree of the test build the first object with a wrong key is the fifth, so a few are enough.
    private func everyObject(_ isRight: (ObjectKey) throws -> Bool) throws -> Bool {
        var rest = 64
        var result = true
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count where result && rest > 0 {
                result = try isRight(leaf.key(at: row))
                rest -= 1
            }
            return result && rest > 0
        }
        return result
    }
}
