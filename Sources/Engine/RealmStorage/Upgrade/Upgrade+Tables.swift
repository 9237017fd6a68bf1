// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Upgrade {
    /// Step 3.2: gives every primary key a search index. Object keys, attributes and the collision map are unchanged.
    func indexPrimaryKey(of table: Table) throws {
        guard let key = table.primaryKey, !table.hasIndex(key), let column = table.column(key) else { return }
        guard column.type.canBePrimaryKey, !key.isCollection else {
            throw StorageError.corrupt("a primary key of impossible type", at: table.ref)
        }
        try walk(column, of: table)
        try transaction.indexes.build(column, of: table)
    }

    /// Step 3.3: removes the objects of asymmetric tables, which only existed to be sent to a server.
    func emptyAsymmetricTables(_ tables: [Table]) throws {
        for table in tables where table.kind == .asymmetric {
            try walk(nil, of: table)
            if try table.count() > 0 { try transaction.clear(table.key) }
        }
    }

    /// Spends the budget for reading every object once and the bytes of one column, which limits steps that read
    /// without a budget. Returns whether the column has a string of `length` bytes or more.
    @discardableResult
    private func walk(_ column: Column?, of table: Table, lookingFor length: Int = .max) throws -> Bool {
        var isFound = false
        try table.clusters.forEachLeaf { leaf in
            try budget.spendCluster()
            guard let column, column.type == .string || column.type == .mixed else { return true }
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count {
                let count = try values.text(at: row)?.count ?? 0
                try budget.spend(byteCount: count)
                isFound = isFound || count >= length
            }
            return true
        }
        return isFound
    }

    // MARK: Remnants

    /// Completes the table in the current form: the original leaves the remnants listed in container 10.4.
    func tidy(_ table: Table) throws {
        if try space.refs(table.ref).count < FileFormat.Table.count { transaction.changed(table, .contents) }
        for column in table.columns {
            if column.isBacklink { try splitBacklinks(column, of: table) }
            if column.type == .mixed { try extendMixed(column, of: table) }
            if table.hasIndex(column.key) { try sortIndex(column, of: table) }
        }
    }

    /// Lists of backlinks become trees with leaves of 1000 (content 13.2).
    private func splitBacklinks(_ column: Column, of table: Table) throws {
        try forEachTree(of: column, in: table) { try BPlusTreeEditor(store, .key).splitOversizedRoot(&$0) }
    }

    /// Leaves of Mixed get the two slots for nested collections (content 13.3).
    private func extendMixed(_ column: Column, of table: Table) throws {
        guard column.key.isCollection else {
            return try forEachLeaf(of: column, in: table) { leaf, _ in try extendMixedLeaf(&leaf) }
        }
        try forEachTree(of: column, in: table) { root in
            if column.key.isDictionary {
                try store.updateSlot(&root, 1) { try extendMixedTree(&$0) }
            } else {
                try extendMixedTree(&root)
            }
        }
    }

    private func extendMixedTree(_ root: inout Ref) throws {
        let count = try BPlusTree.count(space, root, .mixed)
        guard count > 0 else { return try space.node(root).header.isInner ? () : extendMixedLeaf(&root) }
        var index = 0
        while index < count {
            let rows = try BPlusTreeEditor(store, .mixed).modifyLeaf(&root, holding: index) { _, leaf, _ in
                try extendMixedLeaf(&leaf)
                return try ColumnLeaf(space, leaf, .mixed).count
            }
            try budget.spend(byteCount: 1)
            guard rows > 0 else { throw StorageError.corrupt("an empty leaf in a list", at: root) }
            index += rows
        }
    }

    private func extendMixedLeaf(_ leaf: inout Ref) throws {
        _ = try MixedLeaf(space, space.node(leaf))
        while try space.node(leaf).count < FileFormat.Mixed.count { try store.append(&leaf, 0) }
    }

    /// Rebuilds an index whose lists may be in the old order: one of long strings with a common beginning
    /// (content 13.5), or one of Mixed, which may also mix strings and binaries.
    private func sortIndex(_ column: Column, of table: Table) throws {
        guard !column.key.isCollection, !column.isFullTextIndexed else { return }
        switch column.type {
        case .string:
            guard try walk(column, of: table, lookingFor: FileFormat.lastIndexOffset) else { return }
        case .mixed: try walk(column, of: table)
        default: return
        }
        try transaction.indexes.free(column.key, of: table)
        try transaction.indexes.build(column, of: table)
    }
}
