// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Taking one link to a deleted object out of wherever it is (content 12.4, step 1).
extension WriteTransaction {
    /// Removes the first link to `link` that the column holds: a single value becomes null, an element of a list or
    /// set goes, a dictionary's value becomes null. In nested collections the outer one's own elements come first.
    func removeOneLink(to link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table) throws {
        if column.key.isCollection {
            try removeLinkFromCollection(link, column, of: object, in: table)
        } else if column.type == .link {
            try storeLink(nil, column, of: object, in: table)
        } else {
            try removeLinkFromMixed(link, column, of: object, in: table)
        }
    }

    private func removeLinkFromMixed(
        _ link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        guard let position = table.position(of: column.key) else { return }
        let value = try table.storedValue(column, at: try table.requireObject(object))
        if value == .typedLink(link) { return try replaceValue(.null, at: position, of: object, in: table) }
        guard let nested = nestedCollection(value) else { throw missingLink(link) }
        var root = nested.root
        guard try removeLink(link, from: &root, nested.kind) else { throw missingLink(link) }
        try store.clusterModify(&table.clusterRoot, key: object, column: column.leafIndex) { leaf, row in
            try store.leafSetRaw(&leaf, .mixed, at: row, Int64(root))
        }
        changed(table, .contents)
    }

    private func removeLinkFromCollection(
        _ link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        let kind: CollectionKind = column.key.isDictionary ? .dictionary : .elements(LeafKind(elementsOf: column.key))
        try store.clusterModify(&table.clusterRoot, key: object, column: column.leafIndex) { leaf, row in
            let before = try ColumnLeaf(space, leaf, .collection).ref(at: row)
            var root = Ref(bitPattern: Int(before))
            guard try removeLink(link, from: &root, kind) else { throw missingLink(link) }
            if Int64(root) != before { try store.leafSetRaw(&leaf, .collection, at: row, Int64(root)) }
        }
        changed(table, .contents)
    }

    /// How a collection is stored: a tree of elements, or two trees of keys and values.
    private enum CollectionKind {
        case elements(LeafKind)
        case dictionary
    }

    private func nestedCollection(_ value: StoredValue) -> (root: Ref, kind: CollectionKind)? {
        switch value {
        case .list(let root, _): (root, .elements(.mixed))
        case .dictionary(let root, _): (root, .dictionary)
        default: nil
        }
    }

    /// Returns whether the link was there.
    private func removeLink(_ link: ObjectLink, from root: inout Ref, _ kind: CollectionKind) throws -> Bool {
        guard root != 0 else { return false }
        switch kind {
        case .elements(let leafKind):
            if let index = try firstIndex(of: link, in: root, leafKind) {
                try store.treeErase(&root, leafKind, at: index)
                if leafKind == .key, link.object.isUnresolved {
                    try store.setContext(&root, try BPlusTree(space, root, .key).keys().contains(where: \.isUnresolved))
                }
                return true
            }
            return try leafKind == .mixed && removeNestedLink(link, from: &root)
        case .dictionary:
            var values = try store.node(root).child(1)
            let before = values
            if let index = try firstIndex(of: link, in: values, .mixed) {
                try store.treeSet(&values, .mixed, at: index, .null)
            } else if try !removeNestedLink(link, from: &values) {
                return false
            }
            if values != before { try store.set(&root, 1, Int64(values)) }
            return true
        }
    }

    private func firstIndex(of link: ObjectLink, in root: Ref, _ kind: LeafKind) throws -> Int? {
        try BPlusTree(space, root, kind).values().firstIndex { $0 == .link(link.object) || $0 == .typedLink(link) }
    }

    /// Looks into the collections that are elements of a tree of Mixed.
    private func removeNestedLink(_ link: ObjectLink, from root: inout Ref) throws -> Bool {
        for (index, value) in try BPlusTree(space, root, .mixed).values().enumerated() {
            guard let nested = nestedCollection(value) else { continue }
            var changedRoot = nested.root
            guard try removeLink(link, from: &changedRoot, nested.kind) else { continue }
            if changedRoot != nested.root {
                try store.treeModifyLeaf(&root, .mixed, holding: index) { store, leaf, row in
                    try store.leafSetRaw(&leaf, .mixed, at: row, Int64(changedRoot))
                }
            }
            return true
        }
        return false
    }

    private func missingLink(_ link: ObjectLink) -> StorageError {
        StorageError(.invalidDatabase, "a backlink to \(link.object) has no link; the file is damaged")
    }
}
