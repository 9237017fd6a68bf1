// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Redirects links from one object to another of the same table: an object and its tombstone (content 5.8).
extension WriteTransaction {
    /// Redirects every link to `old` to `new`, with its backlink. In a set that holds both, the one to `new` is
    /// unchanged and keeps its backlink. Backlinks of `old` for links that don't exist, which the reference leaves
    /// behind (content 13.9, 13.19), are dropped.
    func redirectLinks(from old: ObjectKey, to new: ObjectKey, in table: Table) throws {
        let source = ObjectLink(table: table.key, object: old)
        let target = ObjectLink(table: table.key, object: new)
        for back in table.backlinkColumns {
            let origins = try table.backlinks(back, at: try table.requireHeld(old))
            guard !origins.isEmpty else { continue }
            var moved: [ObjectKey] = []
            if let origin = try self.table(table.oppositeTables[back.leafIndex]),
                let column = origin.column(table.oppositeColumns[back.leafIndex])
            {
                for key in origins where try origin.find(key) != nil {
                    if try redirectOneLink(from: source, to: target, column, of: key, in: origin) { moved.append(key) }
                }
            }
            try changeCell(back, of: new, in: table) { cell in
                for key in moved { try Backlinks.add(key, to: &cell, in: store) }
            }
            try changeCell(back, of: old, in: table) { cell in
                if !Tagged.isTagged(cell) { try store.freeTree(Ref(element: cell)) }
                cell = 0
            }
        }
    }

    private func changeCell(
        _ back: Column, of object: ObjectKey, in table: Table, _ body: (inout Int64) throws -> Void
    ) throws {
        var root = object.isUnresolved ? table.tombstoneRoot : table.clusterRoot
        try ClusterTreeEditor(store).modify(&root, key: object, column: back.leafIndex) { leaf, row in
            var cell = try ColumnLeaf(space, leaf, .backlink).ref(at: row)
            try body(&cell)
            try ColumnLeafEditor(store, .backlink).setRaw(&leaf, at: row, cell)
        }
        if object.isUnresolved { table.tombstoneRoot = root } else { table.clusterRoot = root }
        changed(table, .contents)
    }

    /// Returns whether this added a link to `new`.
    func redirectOneLink(
        from old: ObjectLink, to new: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws -> Bool {
        let position = try table.requireObject(object)
        if column.key.isCollection {
            var root = try table.collectionRoot(column, at: position)
            let before = root
            let found =
                try column.key.isDictionary
                ? redirectInDictionary(old, new, &root, level: 1)
                : redirectInTree(
                    old, new, &root, LeafKind(elementsOf: column.key), isSet: column.key.isSet, level: 1)
            if root != before {
                try ClusterTreeEditor(store).modify(&table.clusterRoot, key: object, column: column.leafIndex) {
                    leaf, row in
                    try ColumnLeafEditor(store, .collection).setRaw(&leaf, at: row, root.element)
                }
            }
            changed(table, .contents)
            return found
        }
        let value = try table.storedValue(column, at: position)
        if column.type == .link {
            guard value == .link(old.object) else { return false }
            try storeLink(new.object, column, of: object, in: table)
            return true
        }
        return try redirectInMixed(old, new, value, column, of: object, in: table)
    }

    private func redirectInMixed(
        _ old: ObjectLink, _ new: ObjectLink, _ value: StoredValue, _ column: Column, of object: ObjectKey,
        in table: Table
    ) throws -> Bool {
        if value == .typedLink(old), let position = table.position(of: column.key) {
            try replaceValue(.typedLink(new), at: position, of: object, in: table)
            return true
        }
        guard var root = NestedRoot(value) else { return false }
        let before = root.ref
        guard try redirectInNested(old, new, &root, level: 1) else { return false }
        if root.ref != before {
            try ClusterTreeEditor(store).modify(&table.clusterRoot, key: object, column: column.leafIndex) {
                leaf, row in
                try ColumnLeafEditor(store, .mixed).setRaw(&leaf, at: row, root.ref.element)
            }
        }
        changed(table, .contents)
        return true
    }

    // MARK: Collections

    /// The root of a nested collection.
    private struct NestedRoot {
        var ref: Ref
        let isDictionary: Bool

        init?(_ value: StoredValue) {
            switch value {
            case .list(let root, _): (ref, isDictionary) = (root, false)
            case .dictionary(let root, _): (ref, isDictionary) = (root, true)
            default: return nil
            }
        }
    }

    private func redirectInNested(
        _ old: ObjectLink, _ new: ObjectLink, _ root: inout NestedRoot, level: Int
    ) throws -> Bool {
        guard level <= FileFormat.maximumNestingLevel else {
            throw StorageError.corrupt("collections nested too deeply", at: root.ref)
        }
        return try root.isDictionary
            ? redirectInDictionary(old, new, &root.ref, level: level)
            : redirectInTree(old, new, &root.ref, .mixed, isSet: false, level: level)
    }

    private func redirectInDictionary(
        _ old: ObjectLink, _ new: ObjectLink, _ root: inout Ref, level: Int
    ) throws -> Bool {
        guard root != 0 else { return false }
        var values = try store.node(root).child(1)
        let before = values
        let found = try redirectInTree(old, new, &values, .mixed, isSet: false, level: level)
        if values != before { try store.set(&root, 1, values.element) }
        return found
    }

    /// The tree's own elements are processed before those of nested collections.
    private func redirectInTree(
        _ old: ObjectLink, _ new: ObjectLink, _ root: inout Ref, _ kind: LeafKind, isSet: Bool, level: Int
    ) throws -> Bool {
        guard root != 0 else { return false }
        let values = try BPlusTree(space, root, kind).values()
        let (present, wanted): (StoredValue, StoredValue) =
            kind == .key ? (.link(old.object), .link(new.object)) : (.typedLink(old), .typedLink(new))
        if let index = values.firstIndex(of: present) {
            return try replaceElement(index, by: wanted, in: &root, kind, isSet: isSet)
        }
        guard kind == .mixed else { return false }
        for (index, value) in values.enumerated() {
            guard var nested = NestedRoot(value), case let before = nested.ref,
                try redirectInNested(old, new, &nested, level: level + 1)
            else { continue }
            if nested.ref != before {
                try BPlusTreeEditor(store, .mixed).modifyLeaf(&root, holding: index) { leaves, leaf, row in
                    try leaves.setRaw(&leaf, at: row, nested.ref.element)
                }
            }
            return true
        }
        return false
    }

    /// Replaces an element. In a set it moves to its new position (content 8.3), unless the set already holds its new
    /// value: an object that takes the primary key of a tombstone may be in a set with the tombstone. Updates the flag
    /// for unresolved keys in the root of a link tree (content 7.4). Returns whether `value` was inserted.
    private func replaceElement(
        _ index: Int, by value: StoredValue, in root: inout Ref, _ kind: LeafKind, isSet: Bool
    ) throws -> Bool {
        var isNew = true
        if isSet {
            try BPlusTreeEditor(store, kind).erase(&root, at: index)
            let rest = try BPlusTree(space, root, kind).values()
            isNew = !rest.contains(value)
            if isNew {
                let place = rest.firstIndex { StoredValue.compare($0, value) > 0 } ?? rest.count
                try BPlusTreeEditor(store, kind).insert(&root, at: place, value)
            }
        } else {
            try BPlusTreeEditor(store, kind).set(&root, at: index, value)
        }
        guard kind == .key else { return isNew }
        try store.setContext(&root, try BPlusTree(space, root, kind).keys().contains(where: \.isUnresolved))
        return isNew
    }
}
