// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Redirects links from one object to another of the same table: an object and its tombstone (content 5.8).
extension LinkWriter {
    /// Redirects every link to `old` to `new`, with its backlink. In a set that holds both, the one to `new` is
    /// unchanged and keeps its backlink. Backlinks of `old` for links that don't exist, which the reference leaves
    /// behind (content 13.9, 13.19), are dropped.
    func redirect(from old: ObjectKey, to new: ObjectKey, in table: Table) throws {
        let source = ObjectLink(table: table.key, object: old)
        let target = ObjectLink(table: table.key, object: new)
        for back in table.backlinkColumns {
            let origins = try table.backlinks(back, at: try table.requireHeld(old))
            guard !origins.isEmpty else { continue }
            var moved: [ObjectKey] = []
            if let (origin, column) = try self.origin(of: back, in: table) {
                for key in origins where try origin.find(key) != nil {
                    if try redirectOne(from: source, to: target, column, of: key, in: origin) { moved.append(key) }
                }
            }
            try changeBacklinks(back.key, of: new, in: table) { cell in
                for key in moved { try Backlinks.add(key, to: &cell, in: store) }
            }
            try changeBacklinks(back.key, of: old, in: table) { cell in
                if !Tagged.isTagged(cell) { try store.freeTree(Ref(element: cell)) }
                cell = 0
            }
        }
    }

    /// Returns whether this added a link to `new`.
    func redirectOne(
        from old: ObjectLink, to new: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws -> Bool {
        if !column.key.isCollection {
            let value = try table.storedValue(column, at: table.requireObject(object))
            if column.type == .link {
                guard value == .link(old.object) else { return false }
                try storeLink(new.object, column, of: object, in: table)
                return true
            }
            if value == .typedLink(old), let position = table.position(of: column.key) {
                try transaction.replaceValue(.typedLink(new), at: position, of: object, in: table)
                return true
            }
        }
        guard column.holdsLinks, let (place, index) = try find(old, in: column, of: object, table) else { return false }
        return try replaceElement(index, old, by: new, of: place)
    }

    /// Replaces an element. In a set, it moves to its new position (content 8.3). The set may contain the new value
    /// already, if it contained both an object and the tombstone with the object's primary key.
    ///
    /// Returns whether the new value was inserted.
    private func replaceElement(
        _ index: Int, _ old: ObjectLink, by new: ObjectLink, of place: ResolvedCollection
    ) throws -> Bool {
        let kind = place.elementKind
        let value: StoredValue = kind == .key ? .link(new.object) : .typedLink(new)
        var isNew = true
        try change(place) { root in
            if place.isDictionary {
                try DictionaryEditor(store).changeValues(&root) {
                    try BPlusTreeEditor(store, .mixed).set(&$0, at: index, value)
                }
            } else if place.isList {
                try BPlusTreeEditor(store, kind).set(&root, at: index, value)
            } else {
                try BPlusTreeEditor(store, kind).erase(&root, at: index)
                let rest = try BPlusTree(space, root, kind).values()
                isNew = !rest.contains(value)
                if isNew {
                    let position = rest.firstIndex { StoredValue.compare($0, value) > 0 } ?? rest.count
                    try BPlusTreeEditor(store, kind).insert(&root, at: position, value)
                }
            }
            try updateContext(&root, kind, after: .link(old.object))
            try updateContext(&root, kind, after: .link(new.object))
        }
        return isNew
    }
}
