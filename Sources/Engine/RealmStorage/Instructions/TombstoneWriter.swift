// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Creates, resolves, and removes links to absent objects (content 1.6, 5.8).
///
/// A tombstone represents an absent object: it has the object's primary key and the backlinks of the links to it, which
/// are unresolved and read as null. It exists from its first link to its last.
package struct TombstoneWriter: TransactionWriter {
    let transaction: WriteTransaction

    // MARK: Creation

    /// Returns the key with which to link to the object with this primary key: the object's own, or that of a
    /// tombstone, which is created if necessary. A tombstone without links is removed when the transaction commits.
    package func key(for primaryKey: StoredValue, in key: TableKey) throws -> ObjectKey {
        let table = try require(key)
        guard let column = table.primaryKey else {
            throw StorageError.absent("'\(table.name)' has no primary key")
        }
        try transaction.validate(primaryKey, for: try table.require(column))
        return try table.object(primaryKey: primaryKey) ?? table.tombstone(primaryKey: primaryKey)
            ?? create(for: primaryKey, in: table)
    }

    /// Returns the key with which to link to the object that has, or will have, the key `object`, in a table without a
    /// primary key.
    package func key(for object: ObjectKey, in key: TableKey) throws -> ObjectKey {
        let table = try require(key)
        guard table.primaryKey == nil, table.kind == .topLevel, object.rawValue >= 0 else {
            throw StorageError.absent("\(object) of '\(table.name)' cannot be awaited")
        }
        if try table.holds(object) { return object }
        if try !table.holds(object.unresolved) { try insert(object.unresolved, into: table) }
        return object.unresolved
    }

    private func create(for value: StoredValue, in table: Table) throws -> ObjectKey {
        guard let column = table.primaryKey else { return .null }
        let name = GlobalKey(primaryKey: value)
        var local = try table.localKey(of: name)
        if let other = try table.tombstoneValue(of: local.unresolved) {
            // Content 3.3: the new object gets another key, and both are added to the map.
            var map = try CollisionMap(table.collisionsRef, in: space)
            map[GlobalKey(primaryKey: other)] = local
            local = ObjectKey(Int64(bitPattern: 0x4000_0000_0000_0000 | (try transaction.takeNumber(of: table))))
            map[name] = local
            table.collisionsRef = try map.encode(replacing: table.collisionsRef, in: store)
        }
        let values = RowValues(columnCount: 0)
        values[column] = value
        try insert(local.unresolved, into: table, values)
        return local.unresolved
    }

    private func insert(_ key: ObjectKey, into table: Table, _ values: RowValues? = nil) throws {
        let stored = try transaction.encodeEnumerated(values ?? transaction.defaults, for: table)
        if table.tombstoneRoot == 0 { table.tombstoneRoot = try ClusterTreeEditor(store).create(table.layout) }
        try ClusterTreeEditor(store).insert(&table.tombstoneRoot, table.layout, key: key) { column in
            stored[leafIndex: column.leafIndex] ?? column.defaultValue
        }
        transaction.unlinkedTombstones.append(ObjectLink(table: table.key, object: key))
        changed(table, .contents)
    }

    /// Removes an object, but keeps the links to it, unresolved, until an object with its primary key (or, without one,
    /// its key) is created. Returns the tombstone's key; nil if no links to the object exist.
    @discardableResult
    package func invalidate(_ object: ObjectKey, in key: TableKey) throws -> ObjectKey? {
        let table = try require(key)
        let position = try table.requireObject(object)
        guard table.kind == .topLevel else {
            throw StorageError(.invalidArgument, "an object of '\(table.name)' is there or gone, never awaited")
        }
        guard try table.backlinkColumns.contains(where: { try table.backlinkCount($0, at: position) > 0 }) else {
            try transaction.removeObject(object, from: key)
            return nil
        }
        var tombstone = object.unresolved
        if let primaryKey = table.primaryKey {
            let value = try table.value(primaryKey, of: object)
            tombstone = try table.tombstone(primaryKey: value) ?? create(for: value, in: table)
        } else {
            try insert(tombstone, into: table)
        }
        try transaction.links.redirect(from: object, to: tombstone, in: table)
        try transaction.removeObject(object, from: key)
        // The object's own links may have been the only ones to it.
        return try table.holds(tombstone) ? tombstone : nil
    }

    /// Redirects the links of the object's tombstone to the object and removes the tombstone, if it exists.
    func resolve(of object: ObjectKey, in table: Table) throws {
        guard table.tombstoneRoot != 0 else { return }
        var tombstone: ObjectKey?
        if let primaryKey = table.primaryKey {
            tombstone = try table.tombstone(primaryKey: try table.value(primaryKey, of: object))
        } else if try table.holds(object.unresolved) {
            tombstone = object.unresolved
        }
        guard let tombstone else { return }
        try transaction.links.redirect(from: tombstone, to: object, in: table)
        try erase(tombstone, of: table)
    }

    // MARK: Removal

    /// Removes a tombstone's row. Call this after the last link to the tombstone was removed.
    func erase(_ key: ObjectKey, of table: Table) throws {
        try ClusterTreeEditor(store).erase(&table.tombstoneRoot, table.layout, key: key)
        if try table.tombstones?.count() == 0 {
            try store.freeTree(table.tombstoneRoot)
            table.tombstoneRoot = 0
        }
        changed(table, .contents)
        if table.collisionsRef != 0 { try dropCollision(of: key.unresolved, in: table) }
    }

    func removeAll(of table: Table) throws {
        for key in try table.tombstoneKeys() { try remove(key, of: table) }
    }

    package func remove(_ key: ObjectKey, of table: Table) throws {
        let link = ObjectLink(table: table.key, object: key)
        for back in table.backlinkColumns {
            guard let (origin, column) = try self.origin(of: back, in: table) else { continue }
            for owner in try table.backlinks(back, at: try table.requireHeld(key)) {
                guard try origin.find(owner) != nil else { continue }
                try transaction.links.removeOneLink(to: link, column, of: owner, in: origin)
            }
        }
        try erase(key, of: table)
    }

    func removeUnlinked(of table: Table) throws {
        for key in try table.tombstoneKeys() { try removeIfUnlinked(key, of: table) }
    }

    private func removeIfUnlinked(_ key: ObjectKey, of table: Table) throws {
        guard try table.tombstones?.find(key) != nil else { return }
        if try !table.isLinked(tombstone: key) { try erase(key, of: table) }
    }

    /// Performs step 0 of a commit: removes tombstones whose links were never created, or were removed before the row
    /// was.
    func removeUnlinked() throws {
        for link in transaction.unlinkedTombstones {
            if let table = try table(link.table) { try removeIfUnlinked(link.object, of: table) }
        }
        transaction.unlinkedTombstones = []
    }

    /// Removes the entry of a removed object or tombstone (content 3.3).
    func dropCollision(of key: ObjectKey, in table: Table) throws {
        var map = try CollisionMap(table.collisionsRef, in: space)
        guard map.remove(key) else { return }
        table.collisionsRef = try map.encode(replacing: table.collisionsRef, in: store)
        changed(table, .contents)
    }
}

extension WriteTransaction {
    package var tombstones: TombstoneWriter { @inline(__always) get { TombstoneWriter(transaction: self) } }
}
