// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Instructions that change lists (content 12.3, 12.6). Positions count every entry, those hidden because their
/// target is unresolved included (design decision 14).
extension WriteTransaction {
    /// Inserts `value` in front of element `index`. Lists of links take `.link`, lists of Mixed `.typedLink`.
    package func listInsert(
        _ value: StoredValue, at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        let (table, info) = try requireList(column, in: key)
        try validateElement(value, for: info, in: table)
        try changeList(info, of: object, in: table) { root, kind in
            try store.treeInsert(&root, kind, at: index, value)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, info, of: object, in: table)
        try listGained(value, object, info, of: table)
    }

    /// Replaces element `index`.
    package func listSet(
        _ value: StoredValue, at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        let (table, info) = try requireList(column, in: key)
        try validateElement(value, for: info, in: table)
        let old = try table.list(column, of: object).value(at: index)
        guard !old.isIdentical(to: value) else { return }
        let lost = try elementLinks(old, info, in: table)
        try changeList(info, of: object, in: table) { root, kind in
            try store.treeSet(&root, kind, at: index, value)
            try updateContext(&root, kind, after: old)
            try updateContext(&root, kind, after: value)
        }
        try linkGained(value, info, of: object, in: table)
        try linksLost(lost, info, of: object, in: table)
        try listGained(value, object, info, of: table)
        try listLost(old, object, info, of: table)
    }

    /// Removes element `index`.
    package func listErase(at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        let (table, info) = try requireList(column, in: key)
        let old = try table.list(column, of: object).value(at: index)
        let lost = try elementLinks(old, info, in: table)
        try changeList(info, of: object, in: table) { root, kind in
            try store.treeErase(&root, kind, at: index)
            try updateContext(&root, kind, after: old)
        }
        try linksLost(lost, info, of: object, in: table)
        try listLost(old, object, info, of: table)
    }

    /// Moves element `source` so that it becomes element `target`.
    package func listMove(
        from source: Int, to target: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws {
        let (table, info) = try requireList(column, in: key)
        let list = try table.list(column, of: object)
        guard target >= 0, target < list.count else {
            throw StorageError(.invalidArgument, "position \(target) in a list of \(list.count)")
        }
        let value = try list.value(at: source)
        guard source != target else { return }
        switch value {
        case .list, .dictionary: throw StorageError(.invalidArgument, "nested collections cannot be moved yet")
        default: break
        }
        try changeList(info, of: object, in: table) { root, kind in
            try store.treeErase(&root, kind, at: source)
            try store.treeInsert(&root, kind, at: target, value)
        }
    }

    /// Removes all elements; an empty tree stays (content 12.6).
    package func listClear(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws {
        let (table, info) = try requireList(column, in: key)
        let position = try table.requireObject(object)
        let list = try table.list(info, at: position)
        guard list.count > 0 else { return }
        let lost = info.holdsLinks ? try links(of: info, in: table, at: position) : []
        let words = table.hasIndex(column) ? Set(try list.values()) : []
        try changeList(info, of: object, in: table) { root, kind in
            try store.freeTree(root)
            root = try store.treeCreate(kind)
        }
        try linksLost(lost, info, of: object, in: table)
        for word in words { try listLost(word, object, info, of: table) }
    }

    /// Creates an embedded object as a new element in front of element `index`.
    package func listInsertEmbedded(
        at index: Int, _ column: ColumnKey, of object: ObjectKey, in key: TableKey
    ) throws -> ObjectKey {
        let (table, info) = try requireList(column, in: key)
        let target = try embeddedTarget(of: info, in: table)
        let count = try table.list(column, of: object).count
        guard index >= 0, index <= count else {
            throw StorageError(.invalidArgument, "position \(index) in a list of \(count)")
        }
        let child = try insertObject(into: target)
        try changeList(info, of: object, in: table) { root, kind in
            try store.treeInsert(&root, kind, at: index, .link(child))
        }
        try addBacklink(to: child, in: target, from: object, info, of: table)
        return child
    }

    // MARK: Below

    private func requireList(_ column: ColumnKey, in key: TableKey) throws -> (Table, Column) {
        let table = try require(key)
        let info = try table.require(column)
        guard column.isList else { throw StorageError(.invalidArgument, "'\(info.name)' is not a list") }
        return (table, info)
    }

    private func validateElement(_ value: StoredValue, for column: Column, in table: Table) throws {
        try validate(value, for: column)
        try validateTypedLink(value)
        try validateWord(value, for: column, in: table)
        guard case .link(let key) = value else { return }
        let target = try require(table.oppositeTables[column.leafIndex])
        guard !target.isEmbedded, try target.holds(key) else {
            throw StorageError(.invalidArgument, "\(key) of '\(target.name)' cannot be put into a list")
        }
    }

    /// Lets `body` change the tree of a list; it is created if the list was never touched.
    private func changeList(
        _ column: Column, of object: ObjectKey, in table: Table, _ body: (inout Ref, LeafKind) throws -> Void
    ) throws {
        let kind = LeafKind(elementsOf: column.key)
        try store.clusterModify(&table.clusterRoot, key: object, column: column.leafIndex) { leaf, row in
            let before = try ColumnLeaf(space, leaf, .collection).ref(at: row)
            var root = Ref(bitPattern: Int(before))
            if root == 0 { root = try store.treeCreate(kind) }
            try body(&root, kind)
            if Int64(root) != before { try store.leafSetRaw(&leaf, .collection, at: row, Int64(root)) }
        }
        changed(table, .contents)
    }

    private func linkGained(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        for link in try elementLinks(value, column, in: table) {
            try addBacklink(to: link.object, in: try require(link.table), from: object, column, of: table)
        }
    }

    private func linksLost(_ links: [ObjectLink], _ column: Column, of object: ObjectKey, in table: Table) throws {
        for link in links where try removeBacklink(to: link, from: object, column, of: table) {
            try removeObject(link.object, from: link.table)
        }
    }

    private func elementLinks(_ value: StoredValue, _ column: Column, in table: Table) throws -> [ObjectLink] {
        switch value {
        case .link(let key): return [ObjectLink(table: table.oppositeTables[column.leafIndex], object: key)]
        case .typedLink(let link): return [link]
        case .list, .dictionary: throw StorageError(.invalidArgument, "nested collections cannot be changed yet")
        default: return []
        }
    }

    /// The root of a link list says whether an unresolved key is in it (content 7.4): mark it with the first that comes
    /// and clear the mark with the last that goes.
    private func updateContext(_ root: inout Ref, _ kind: LeafKind, after old: StoredValue) throws {
        guard kind == .key, case .link(let key) = old, key.isUnresolved else { return }
        try store.setContext(&root, try BPlusTree(space, root, kind).keys().contains(where: \.isUnresolved))
    }
}
