// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

private enum RowTypes {
    static let all: Set<ColumnType> = [
        .int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectId, .uuid, .link,
    ]
}

extension SchemaWriter {
    package struct NewColumn {
        let name: String
        let type: ColumnType
        let attributes: ColumnAttributes
        let target: TableKey?

        package init(
            _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], target: TableKey? = nil
        ) {
            (self.name, self.type, self.attributes, self.target) = (name, type, attributes, target)
        }
    }

    /// Every object gets the column's default value. A link column also adds a backlink column to the target.
    @discardableResult
    package func addColumn(
        _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], target: TableKey? = nil,
        to key: TableKey
    ) throws -> ColumnKey {
        try addColumns([NewColumn(name, type, attributes, target: target)], to: key)[0]
    }

    /// Takes time proportional to the number of all columns.
    @discardableResult
    package func addColumns(_ new: [NewColumn], to key: TableKey) throws -> [ColumnKey] {
        let table = try require(key)
        try validateColumnNames(new.map(\.name), in: table)
        let opposites = try new.map { try $0.target.map { try require($0) } }
        let columns = try insertColumns(
            try zip(new, opposites).map { new, opposite in
                let keyType = new.attributes.contains(.dictionary) ? Int64(ColumnType.string.rawValue) << 16 : 0
                return InsertedColumn(
                    name: new.name, type: new.type,
                    attributes: try validAttributes(new.attributes, new.name, new.type, of: table, target: opposite),
                    typeElement: Int64(new.type.rawValue) | keyType)
            }, into: table)
        for (index, column) in columns.enumerated() {
            if let opposite = opposites[index] { try addBacklinkColumn(for: column, of: table, in: opposite) }
            if new[index].attributes.contains(.indexed) { try transaction.indexes.add(column, of: key) }
            if new[index].attributes.contains(.fullTextIndexed) {
                try transaction.indexes.add(column, .fullText, of: key)
            }
            try record(.addColumn(column, table))
        }
        return columns
    }

    /// Names may be empty, as in files of the reference.
    private func validateColumnNames(_ names: [String], in table: Table) throws {
        for name in names where name.utf8.count > FileFormat.maximumNameByteCount {
            throw StorageError(.limitExceeded, "the column name '\(name)' is longer than 63 bytes")
        }
        var taken = Set(table.publicColumns.map { Array($0.name.utf8) })
        for name in names where !taken.insert(Array(name.utf8)).inserted {
            throw StorageError(.invalidArgument, "'\(table.name)' has a column '\(name)' already")
        }
    }

    /// Returns the attributes of such a column in the file (content 4.4): nullability is implied for links and Mixed.
    /// Throws for an impossible column, and for links that aren't allowed (content 12.2).
    private func validAttributes(
        _ attributes: ColumnAttributes, _ name: String, _ type: ColumnType, of table: Table, target: Table?
    ) throws -> ColumnAttributes {
        let kinds: [ColumnAttributes] = [.list, .set, .dictionary]
        let kind = kinds.filter { attributes.contains($0) }
        guard RowTypes.all.contains(type), kind.count <= 1 else {
            throw StorageError(.invalidArgument, "'\(name)' is of a type that no column has")
        }
        guard (type == .link) == (target != nil) else {
            throw StorageError(.invalidArgument, "a link column, and only that, has a target")
        }
        if let target { try validateLinks(from: table, to: target, isSet: attributes.contains(.set)) }
        var result = attributes.intersection([.nullable, .list, .set, .dictionary])
        if type == .mixed || type == .link && (kind.isEmpty || kind == [.dictionary]) {
            result.insert(.nullable)
        } else if type == .link {
            result.remove(.nullable)
        }
        for (wanted, index) in [(ColumnAttributes.indexed, IndexKind.general), (.fullTextIndexed, .fullText)]
        where attributes.contains(wanted) {
            try transaction.indexes.validate(index, type, isList: kind == [.list], isSingle: kind.isEmpty, name)
        }
        return result
    }

    private func validateLinks(from origin: Table, to target: Table, isSet: Bool) throws {
        if target.kind == .asymmetric || origin.kind == .asymmetric && !target.isEmbedded {
            throw StorageError(.invalidArgument, "'\(origin.name)' cannot link to '\(target.name)'")
        }
        if target.isEmbedded, isSet {
            throw StorageError(.invalidArgument, "a set cannot hold the embedded objects of '\(target.name)'")
        }
    }

    struct InsertedColumn {
        let name: String
        let type: ColumnType
        let attributes: ColumnAttributes
        let typeElement: Int64

        /// The reference doesn't use indexes above 32 767 for Mixed and collections (content 10.3).
        var leafIndexLimit: Int {
            let isWide = type == .mixed || !attributes.isDisjoint(with: [.list, .set, .dictionary])
            return isWide ? FileFormat.leafIndexCount / 2 : FileFormat.leafIndexCount
        }
    }

    func insertColumn(
        _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes, typeElement: Int64, into table: Table
    ) throws -> ColumnKey {
        let column = InsertedColumn(name: name, type: type, attributes: attributes, typeElement: typeElement)
        return try insertColumns([column], into: table)[0]
    }

    /// `new` contains either public columns or backlink columns.
    private func insertColumns(_ new: [InsertedColumn], into table: Table) throws -> [ColumnKey] {
        guard let first = new.first else { return [] }
        let used = Set(table.columns.map(\.leafIndex))
        let tag = UInt32(truncatingIfNeeded: table.columnKeyCounter) ^ table.key.rawValue
        var leafIndex = -1
        let columns = try new.map { column in
            repeat { leafIndex += 1 } while used.contains(leafIndex)
            guard leafIndex < column.leafIndexLimit else {
                throw StorageError(
                    .limitExceeded,
                    "'\(table.name)' would have too many columns with '\(column.name)': there can be "
                        + "\(FileFormat.leafIndexCount), those for links to it included, and collections and Mixed "
                        + "among the first \(FileFormat.leafIndexCount / 2)")
            }
            let key = ColumnKey(leafIndex: leafIndex, type: column.type, attributes: column.attributes, tag: tag)
            return try Column(
                key: key, name: column.name, attributes: column.attributes.subtracting([.indexed, .fullTextIndexed]),
                typeElement: column.typeElement, enumKeys: 0)
        }
        let position = first.type == .backlink ? table.columns.count : table.publicColumns.count
        table.columns.insert(contentsOf: columns, at: position)
        while unsafe leafIndex >= table.indexes.count { unsafe table.indexes.append() }
        while leafIndex >= table.oppositeTables.count {
            table.oppositeTables.append(.null)
            table.oppositeColumns.append(.null)
        }
        let inLeaves = columns.map {
            ClusterLayout.Column(leafIndex: $0.leafIndex, kind: $0.leafKind, defaultValue: $0.defaultValue)
        }
        try ClusterTreeEditor(store).addColumns(&table.clusterRoot, inLeaves)
        if table.tombstoneRoot != 0 { try ClusterTreeEditor(store).addColumns(&table.tombstoneRoot, inLeaves) }
        table.columnsChanged()
        changed(table, [.contents, .schema, .indexes])
        return columns.map(\.key)
    }

    /// Adds the backlink column of `target` for a column that links to it; for Mixed, when it's first needed
    /// (content 12.1).
    @discardableResult
    func addBacklinkColumn(for column: ColumnKey, of table: Table, in target: Table) throws -> ColumnKey {
        let back = try insertColumn("", .backlink, [], typeElement: Int64(ColumnType.backlink.rawValue), into: target)
        target.oppositeTables[back.leafIndex] = table.key
        target.oppositeColumns[back.leafIndex] = column
        if column.type == .link {
            table.oppositeTables[column.leafIndex] = target.key
            table.oppositeColumns[column.leafIndex] = back
            changed(table, [.contents, .schema])
        }
        return back
    }

    /// Also removes the column's values, its index, and the backlink columns of its links in other tables.
    package func removeColumn(_ column: ColumnKey, of key: TableKey) throws {
        let table = try require(key)
        let removed = try table.require(column)
        guard !removed.isBacklink else {
            throw StorageError(.invalidArgument, "backlink columns go with the column that links")
        }
        try record(.removeColumn(removed, table))
        try withoutRecording { try remove(removed, of: table) }
    }

    private func remove(_ removed: Column, of table: Table) throws {
        let (key, column) = (table.key, removed.key)
        if table.primaryKey == column { try dropPrimaryKey(of: table) }
        if removed.type == .link, let target = try self.table(table.oppositeTables[column.leafIndex]) {
            try dropLinkTargets(of: removed, in: table, target)
            if let back = target.backlinkColumn(origin: key, column) { try dropColumn(back.key, of: target) }
        } else if removed.type == .mixed {
            for other in try transaction.tableKeys() {
                guard let other = try self.table(other), let back = other.backlinkColumn(origin: key, column) else {
                    continue
                }
                try dropColumn(back.key, of: other)
            }
        }
        try dropColumn(column, of: table)
    }

    /// Embedded objects whose only link is in the column are removed too; the reference would leave orphans (13.10).
    private func dropLinkTargets(of column: Column, in table: Table, _ target: Table) throws {
        guard target.isEmbedded else { return }
        var orphans: [(TableKey, ObjectKey)] = []
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                for link in try transaction.links.all(
                    of: column, in: table, at: ClusterTree.Position(leaf: leaf, row: row))
                {
                    orphans.append((link.table, link.object))
                }
            }
            return true
        }
        for (table, object) in orphans { try transaction.removeObject(object, from: table) }
    }

    func dropColumn(_ key: ColumnKey, of table: Table) throws {
        guard let position = table.position(of: key) else { return }
        let leafIndex = key.leafIndex
        try SearchIndexEditor(store).free(table.replaceIndex(leafIndex, by: 0))
        table.oppositeTables[leafIndex] = .null
        table.oppositeColumns[leafIndex] = .null
        try ClusterTreeEditor(store).removeColumn(&table.clusterRoot, leafIndex: leafIndex)
        if table.tombstoneRoot != 0 {
            try ClusterTreeEditor(store).removeColumn(&table.tombstoneRoot, leafIndex: leafIndex)
        }
        try store.freeTree(table.columns[position].enumKeys)
        table.columns.remove(at: position)
        table.columnKeyCounter += 1
        table.columnsChanged()
        // Tombstones that only this column linked to aren't needed any more (content 5.8).
        if key.type == .backlink { try transaction.tombstones.removeUnlinked(of: table) }
        changed(table, [.contents, .schema, .indexes])
    }

    package func renameColumn(_ column: ColumnKey, of key: TableKey, to name: String) throws {
        let table = try require(key)
        guard let position = table.position(of: column), !table.columns[position].isBacklink else {
            throw StorageError.absent("\(column) is gone")
        }
        guard table.columns[position].name != name else { return }
        try validateColumnNames([name], in: table)
        try record(.convert("given a renamed property", table))
        table.columns[position].name = name
        changed(table, [.contents, .schema])
    }
}
