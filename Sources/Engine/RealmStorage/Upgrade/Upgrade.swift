// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Converts the content of an older file to format 24 (container 10.3), in one write transaction.
///
/// Each step has its number in container 10.3. The order differs, because tables can be decoded only after step 3.6,
/// and their objects processed only after step 3.4. The difference can't be observed, because all steps become durable
/// in one commit or not at all. Every commit performs step 3.1, the history, and step 3.7.
struct Upgrade {
    enum Purpose {
        /// The transaction is committed: the file is converted to format 24, without the remnants that the original
        /// leaves.
        case commit
        /// The transaction is read and then dropped. Steps that only tidy the file are omitted, and nothing is removed.
        case view
    }

    let transaction: WriteTransaction
    let era: LegacyFormat
    let purpose: Purpose
    let budget: WorkBudget
    private let report: (@Sendable (UpgradeProgress) -> Void)?

    init(
        _ transaction: WriteTransaction, _ era: LegacyFormat, for purpose: Purpose,
        _ report: (@Sendable (UpgradeProgress) -> Void)? = nil
    ) {
        self.report = report
        self.transaction = transaction
        self.era = era
        self.purpose = purpose
        budget = WorkBudget(byteCount: Int(transaction.space.fileEnd))
    }

    var store: NodeStore { transaction.store }
    var space: NodeSpace { transaction.space }

    func run() throws {
        if era.hasRowTables { return try RowUpgrade(transaction, for: purpose, report).run() }
        try renameLinkLists()
        let tables = try decodeTables()
        for table in tables { try NodeSizeProbe(transaction, table, era).run() }
        for table in tables {
            if era.hashesDictionaries { try rebuildDictionaries(of: table) } else { try sortDictionaries(of: table) }
            try sortSets(of: table)
        }
        if purpose == .commit, era.keepsAsymmetricObjects { try emptyAsymmetricTables(tables) }
        if era.hashesPrimaryKeys { for table in tables { try indexPrimaryKey(of: table) } }
        if purpose == .commit { for table in tables { try tidy(table) } }
    }

    /// Decodes all tables. Each column has its own bytes in a valid file; in a malicious one, tables share them.
    private func decodeTables() throws -> [Table] {
        var columnCount = 0
        var tables: [Table] = []
        for slot in 0..<transaction.directory.count {
            guard let table = try transaction.table(slot: slot) else { continue }
            columnCount += table.columns.count
            guard columnCount <= Int(space.fileEnd) else {
                throw StorageError.corrupt("more columns than a file of this size can hold", at: table.ref)
            }
            tables.append(table)
        }
        return tables
    }

    /// Calls `body` to replace the column leaf of `column` in every cluster of live objects and tombstones.
    func forEachLeaf(of column: Column, in table: Table, _ body: (inout Ref, Int) throws -> Void) throws {
        func visit(_ root: inout Ref) throws {
            let before = root
            try ClusterTreeEditor(store).modifyLeaves(&root) { cluster, rows in
                try budget.spendCluster()
                try ClusterTreeEditor(store).changeColumn(&cluster, column.leafIndex) { try body(&$0, rows) }
            }
            if root != before { transaction.changed(table, .contents) }
        }
        try visit(&table.clusterRoot)
        if table.tombstoneRoot != 0 { try visit(&table.tombstoneRoot) }
    }

    /// Calls `body` to replace every tree in a column of collections or of backlinks.
    func forEachTree(of column: Column, in table: Table, _ body: (inout Ref) throws -> Void) throws {
        try forEachLeaf(of: column, in: table) { leaf, rows in
            for row in 0..<rows {
                let element = try ColumnLeaf(space, leaf, column.leafKind).ref(at: row)
                guard element != 0, !Tagged.isTagged(element) else { continue }
                var root = Ref(element: element)
                try body(&root)
                if root.element != element {
                    try ColumnLeafEditor(store, column.leafKind).setRaw(&leaf, at: row, root.element)
                }
            }
        }
    }

    func elements(_ root: Ref, _ kind: LeafKind) throws -> [ExactValue] {
        var result: [ExactValue] = []
        try BPlusTree(space, root, kind).forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count {
                let value = try ExactValue(leaf.leaf, row)
                try budget.spend(byteCount: value.byteCount)
                result.append(value)
            }
            return true
        }
        return result
    }
}
