// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Makes a column optional or required (content 4.6).
extension SchemaWriter {
    package enum NullTreatment: Sendable {
        /// Nulls become the type's default value, as in a migration of the original.
        case becomeDefault
        case refuse
    }

    /// Makes the values of a column, or the elements of its collections, nullable or not. Returns the column's new key;
    /// the old one is stale, because nullability is part of it.
    ///
    /// The column keeps its name, values and index and becomes the last of the public ones. A primary key remains one
    /// only if it becomes optional, because the defaults that replace nulls may not be unique. The nullability of links
    /// and Mixed is fixed. Throws `.invalidArgument`, without effect, for those, and for nulls that are refused.
    @discardableResult
    package func setNullable(
        _ isNullable: Bool, _ column: ColumnKey, of key: TableKey, nulls: NullTreatment = .becomeDefault
    ) throws -> ColumnKey {
        let table = try require(key)
        let position = try table.requirePosition(of: column)
        let old = table.columns[position]
        guard !old.holdsLinks, !old.isBacklink, old.type != .typedLink else {
            throw StorageError(.invalidArgument, "whether '\(old.name)' can be null follows from its type")
        }
        guard column.isNullable != isNullable else { return column }
        if nulls == .refuse, !isNullable, try hasNulls(old, in: table) {
            throw StorageError(.invalidArgument, "'\(old.name)' cannot be required: it holds null")
        }
        try record(.convert("given a property of another type", table))
        var attributes = old.attributes.subtracting(.notInKey)
        if isNullable { attributes.insert(.nullable) } else { attributes.remove(.nullable) }
        let newKey = try insertColumn(old.name, old.type, attributes, typeElement: old.typeElement, into: table)
        let new = try table.require(newKey)
        try convert(&table.clusterRoot, from: old, to: new)
        // A tombstone's only value is its primary key; everything else is the new column's default (content 5.8).
        if table.tombstoneRoot != 0, table.primaryKey == column {
            try convert(&table.tombstoneRoot, from: old, to: new)
        }
        let hadIndex = table.hasIndex(column)
        let wasPrimaryKey = table.primaryKey == column
        if wasPrimaryKey {
            if isNullable { table.primaryKey = nil } else { try dropPrimaryKey(of: table) }
        }
        try dropColumn(column, of: table)
        if hadIndex, !wasPrimaryKey || isNullable || old.attributes.contains(.indexed) {
            try reindex(newKey, like: old, in: table)
        }
        if wasPrimaryKey, isNullable { table.primaryKey = newKey }
        return newKey
    }

    /// The attribute may be absent although an index exists (content 3.1); it's left unchanged.
    private func reindex(_ column: ColumnKey, like old: Column, in table: Table) throws {
        guard let position = table.position(of: column) else { return }
        table.columns[position].attributes.formUnion(old.attributes.intersection([.indexed, .fullTextIndexed]))
        try transaction.indexes.build(table.columns[position], of: table)
    }

    private func hasNulls(_ column: Column, in table: Table) throws -> Bool {
        var hasNulls = false
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count where !hasNulls {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                hasNulls =
                    try column.key.isCollection
                    ? elements(of: try table.collectionRoot(column, at: position), column).contains(.null)
                    : table.storedValue(column, at: position) == .null
            }
            return !hasNulls
        }
        return hasNulls
    }

    private func elements(of root: Ref, _ column: Column) throws -> [StoredValue] {
        if root == 0 { return [] }
        if column.key.isDictionary {
            return try BPlusTree(space, try store.node(root).child(1), .mixed).values()
        }
        return try BPlusTree(space, root, LeafKind(elementsOf: column.key)).values()
    }

    private func convert(_ root: inout Ref, from old: Column, to new: Column) throws {
        try ClusterTreeEditor(store).modifyLeaves(&root) { leaf, rows in
            for row in 0..<rows {
                if old.key.isCollection {
                    try moveCollection(in: &leaf, row, from: old, to: new)
                } else {
                    let values = try ColumnLeaf(space, try store.node(leaf).child(old.leafIndex + 1), old.leafKind)
                    let value = try values.value(at: row)
                    // A null can only become the default, which the new column already holds.
                    guard value != .null else { continue }
                    try ClusterTreeEditor(store).changeColumn(&leaf, new.leafIndex) {
                        try ColumnLeafEditor(store, new.leafKind).set(&$0, at: row, value)
                    }
                }
            }
        }
    }

    /// The collection's tree is moved if the elements keep their layout.
    private func moveCollection(in leaf: inout Ref, _ row: Int, from old: Column, to new: Column) throws {
        let element = try ColumnLeaf(space, try store.node(leaf).child(old.leafIndex + 1), .collection).ref(at: row)
        guard element != 0, !Tagged.isTagged(element) else { return }
        var root = Ref(element: element)
        if new.key.isDictionary {
            var values = try store.node(root).child(1)
            let before = values
            if !new.key.isNullable {
                for (index, value) in try BPlusTree(space, values, .mixed).values().enumerated() where value == .null {
                    try BPlusTreeEditor(store, .mixed).set(&values, at: index, new.elementDefault)
                }
            }
            if values != before { try store.set(&root, 1, values.element) }
        } else {
            try convertElements(&root, from: old, to: new)
        }
        try ClusterTreeEditor(store).changeColumn(&leaf, old.leafIndex) {
            try ColumnLeafEditor(store, .collection).setRaw(&$0, at: row, 0)
        }
        try ClusterTreeEditor(store).changeColumn(&leaf, new.leafIndex) {
            try ColumnLeafEditor(store, .collection).setRaw(&$0, at: row, root.element)
        }
    }

    private func convertElements(_ root: inout Ref, from old: Column, to new: Column) throws {
        let (oldKind, newKind) = (LeafKind(elementsOf: old.key), LeafKind(elementsOf: new.key))
        let values = try BPlusTree(space, root, oldKind).values()
        guard oldKind != newKind || !new.key.isNullable && values.contains(.null) else { return }
        let substitute = new.elementDefault
        var converted = values
        if new.key.isNullable {
            // No element was null.
        } else if new.key.isSet {
            let order = ElementOrder(newKind)
            converted = values.filter { $0 != .null }
            if converted.count < values.count, !converted.contains(where: { order.compare($0, substitute) == 0 }) {
                let place = converted.firstIndex { order.compare($0, substitute) > 0 } ?? converted.count
                converted.insert(substitute, at: place)
            }
        } else {
            converted = values.map { $0 == .null ? substitute : $0 }
        }
        try store.freeTree(root)
        root = try BPlusTreeEditor(store, newKind).create()
        for (index, value) in converted.enumerated() {
            try BPlusTreeEditor(store, newKind).insert(&root, at: index, value)
        }
    }
}

extension Column {
    fileprivate var elementDefault: StoredValue { Column.defaultValue(type) }
}
