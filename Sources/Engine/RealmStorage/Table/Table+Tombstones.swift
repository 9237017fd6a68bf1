// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Access to tombstones, the placeholders of objects that are linked to but don't exist (content 5.8).
extension Table {
    package func tombstone(primaryKey value: StoredValue) throws -> ObjectKey? {
        guard tombstoneRoot != 0, primaryKey != nil else { return nil }
        let key = try localKey(of: GlobalKey(primaryKey: value)).unresolved
        // Two names may have the same key, so the stored value decides.
        return try tombstoneValue(of: key) == value ? key : nil
    }

    package func tombstoneValue(of key: ObjectKey) throws -> StoredValue? {
        guard let primaryKey, let position = try tombstones?.find(key) else { return nil }
        return try value(try require(primaryKey), at: position)
    }

    /// Whether the key is that of an object or of a tombstone, so a link may contain it.
    package func holds(_ key: ObjectKey) throws -> Bool {
        try key.isUnresolved ? tombstones?.find(key) != nil : find(key) != nil
    }

    package func isLinked(tombstone key: ObjectKey) throws -> Bool {
        guard let position = try tombstones?.find(key) else { return false }
        return try backlinkColumns.contains { try backlinkCount($0, at: position) > 0 }
    }

    package func tombstoneKeys() throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        try tombstones?.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        return keys
    }

    /// Returns the key without a search for an object (content 1.6).
    func localKey(of name: GlobalKey) throws -> ObjectKey {
        try CollisionMap(collisionsRef, in: space)[name] ?? name.localKey
    }

    func requireHeld(_ key: ObjectKey) throws -> ClusterTree.Position {
        guard key.isUnresolved else { return try requireObject(key) }
        guard let position = try tombstones?.find(key) else {
            throw StorageError.absent("\(key) is not in '\(name)' (any more)")
        }
        return position
    }
}
