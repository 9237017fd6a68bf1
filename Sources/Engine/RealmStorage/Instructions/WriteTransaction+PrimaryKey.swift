// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The primary key of a table (content 9.7, 12.5).
extension WriteTransaction {
    /// Makes a column the primary key, or takes the role away.
    ///
    /// Throws `.invalidArgument` if the column cannot be one or two objects have the same value; nothing has changed
    /// then. Tombstones that do not answer to their value of the new primary key are removed with the links to them,
    /// because nothing could ever resolve them.
    /// So are all tombstones of a table that loses its primary key: it is their name and their only value.
    package func setPrimaryKey(_ column: ColumnKey?, of key: TableKey) throws {
        let table = try require(key)
        guard table.primaryKey != column else { return }
        let info = try column.map { try validPrimaryKey($0, of: table) }
        try recorder?.record(.setPrimaryKey(info, table), in: self)
        if let old = table.primaryKey {
            try dropPrimaryKey(of: table)
            if try !table.require(old).attributes.contains(.indexed) { try freeIndex(old, of: table) }
        }
        changed(table, .contents)
        guard let info else { return }
        try buildIndex(info, of: table)
        table.primaryKey = info.key
        unsafe table.primaryKeyBound = nil
        for tombstone in try table.tombstoneKeys() where try isStray(tombstone, in: table) {
            try removeTombstone(tombstone, of: table)
        }
    }

    /// Whether a tombstone is not where its primary key would be looked for.
    private func isStray(_ tombstone: ObjectKey, in table: Table) throws -> Bool {
        guard let value = try table.tombstoneValue(of: tombstone) else { return true }
        return try table.tombstone(primaryKey: value) != tombstone
    }

    /// Takes the role away, as the end of the column or of its role requires.
    func dropPrimaryKey(of table: Table) throws {
        try removeTombstones(of: table)
        table.primaryKey = nil
    }

    /// Throws unless the column can become the primary key as it is.
    private func validPrimaryKey(_ column: ColumnKey, of table: Table) throws -> Column {
        let info = try table.require(column)
        guard info.type.canBePrimaryKey, !column.isCollection, !info.isFullTextIndexed else {
            throw StorageError(.invalidArgument, "'\(info.name)' cannot be the primary key")
        }
        guard !table.isEmbedded else {
            throw StorageError(.invalidArgument, "the embedded table '\(table.name)' cannot have a primary key")
        }
        guard try duplicate(of: info, in: table) == nil else {
            throw StorageError(
                .invalidArgument, "'\(info.name)' cannot be the primary key: its values are not distinct")
        }
        return info
    }

    /// A value that more than one object has, which keeps the column from being the primary key; nil if there is none.
    package func duplicate(of column: ColumnKey, in key: TableKey) throws -> StoredValue? {
        let table = try require(key)
        return try duplicate(of: try table.require(column), in: table)
    }

    private func duplicate(of column: Column, in table: Table) throws -> StoredValue? {
        var seen = Set<StoredValue>()
        var found: StoredValue?
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count where found == nil {
                let value = try values.value(at: row)
                if !seen.insert(value).inserted { found = value }
            }
            return found == nil
        }
        return found
    }

    /// Throws if an object other than `object` has this value of the primary key.
    func requireDistinct(primaryKey value: StoredValue, of object: ObjectKey?, in table: Table) throws {
        guard let other = try table.object(primaryKey: value), other != object else { return }
        throw StorageError(
            .invalidArgument, "an object of '\(table.className ?? table.name)' has this primary key already")
    }
}

/// What no primary key exceeds: most new objects have a larger one than all others, and need not be looked for.
extension Table {
    /// Finds the bound when so many objects were added that the search for it costs less than theirs.
    func learnPrimaryKeyBound() throws {
        guard unsafe primaryKeyBound == nil, let primaryKey, primaryKey.type == .int else { return }
        primaryKeySearches += 1
        guard try count() <= primaryKeySearches &* Table.rowsPerSearch else { return }
        let column = try require(primaryKey)
        var bound = Int64.min
        try clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count {
                if case .int(let value) = try values.value(at: row) { bound = max(bound, value) }
            }
            return true
        }
        unsafe primaryKeyBound = bound
    }

    /// A new value of the primary key of an object.
    func raisePrimaryKeyBound(_ value: StoredValue) {
        guard let bound = unsafe primaryKeyBound, case .int(let value) = value else { return }
        unsafe primaryKeyBound = max(bound, value)
    }

    /// Rows that are read in the time of one search.
    private static let rowsPerSearch = 64
}
