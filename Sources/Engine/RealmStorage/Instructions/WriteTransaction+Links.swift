// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Links, their backlinks, and the consequences of removing a link (content 12.1 to 12.4).
extension WriteTransaction {
    // MARK: Single links

    /// Throws unless a single property can hold `value`, considering the target of the link.
    func validateLink(_ value: StoredValue, _ column: Column, in table: Table) throws {
        switch column.type {
        case .link: _ = try linkTarget(value, column, in: table)
        case .mixed: try validateTypedLink(value, from: table)
        default: break
        }
    }

    func setLink(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        let target = try linkTarget(value, column, in: table)
        let new: ObjectKey? = if case .link(let key) = value { key } else { nil }
        try replaceLink(column, of: object, in: table, target: target, with: new)
    }

    /// Returns the target table of a column's links, after checking that the property can hold this one.
    private func linkTarget(_ value: StoredValue, _ column: Column, in table: Table) throws -> Table {
        let target = try require(table.oppositeTables[column.leafIndex])
        guard !target.isEmbedded || value == .null else {
            throw StorageError(.invalidArgument, "an embedded object is created in its parent, not assigned")
        }
        if case .link(let key) = value, try !target.holds(key) {
            throw StorageError.absent("\(key) is not in '\(target.name)'")
        }
        return target
    }

    /// Stores the link; the old target's backlink is removed, and with it an embedded old target.
    private func replaceLink(
        _ column: Column, of object: ObjectKey, in table: Table, target: Table, with new: ObjectKey?
    ) throws {
        let old = try storedLink(column, of: object, in: table)
        guard old != new else { return }
        try storeLink(new, column, of: object, in: table)
        if let new { try addBacklink(to: new, in: target, from: object, column, of: table) }
        guard let old else { return }
        let link = ObjectLink(table: target.key, object: old)
        if try removeBacklink(to: link, from: object, column, of: table) {
            try removeObject(old, from: target.key)
        }
    }

    /// Returns the link as stored, including an unresolved key; nil for null.
    private func storedLink(_ column: Column, of object: ObjectKey, in table: Table) throws -> ObjectKey? {
        let position = try table.requireObject(object)
        let value = try position.leaf.column(column.leafIndex, .link).value(at: position.row)
        if case .link(let key) = value { return key }
        return nil
    }

    func storeLink(_ key: ObjectKey?, _ column: Column, of object: ObjectKey, in table: Table) throws {
        try changeColumn(column.leafIndex, of: object, in: table) { leaf, row in
            try ColumnLeafEditor(store, .link).set(&leaf, at: row, key.map { .link($0) } ?? .null)
        }
    }

    /// Creates an embedded object as the value of a single link; a previous object is removed.
    package func createEmbedded(_ column: ColumnKey, of object: ObjectKey, in key: TableKey) throws -> ObjectKey {
        let table = try require(key)
        let info = try table.require(column)
        let target = try embeddedTarget(of: info, in: table)
        if let recorder, try storedLink(info, of: object, in: table) != nil {
            try recorder.record(.set(.null, info, object, table), in: self)
        }
        try replaceLink(info, of: object, in: table, target: target, with: nil)
        // A change of the table's kind may leave objects in a cycle of parents; removing the child then removes this
        // object too.
        _ = try table.requireObject(object)
        try recorder?.record(.createEmbedded(info, object, table), in: self)
        let child = try insertObject(into: target)
        try storeLink(child, info, of: object, in: table)
        try addBacklink(to: child, in: target, from: object, info, of: table)
        return child
    }

    func embeddedTarget(of column: Column, in table: Table) throws -> Table {
        guard column.type == .link, let target = try self.table(table.oppositeTables[column.leafIndex]),
            target.isEmbedded
        else { throw StorageError.absent("'\(column.name)' does not hold embedded objects") }
        return target
    }

    // MARK: Mixed

    func setMixed(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        try validateTypedLink(value, from: table)
        let value = value.withoutNullPattern
        let old = try storedValue(column, at: try table.requireObject(object))
        guard !old.isIdentical(to: value) else { return }
        try replaceMixed(value, column, of: object, in: table)
    }

    /// Stores a value in a Mixed property, with the consequences for the links that it held, at any depth.
    func replaceMixed(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        guard let position = table.position(of: column.key) else { return }
        let lost = try links(of: column, in: table, at: try table.requireObject(object))
        try replaceValue(value, at: position, of: object, in: table)
        if case .typedLink(let link) = value {
            try addBacklink(to: link.object, in: try require(link.table), from: object, column, of: table)
        }
        for link in lost where try removeBacklink(to: link, from: object, column, of: table) {
            try removeObject(link.object, from: link.table)
        }
    }

    /// Returns a single value as stored, including an unresolved link.
    private func storedValue(_ column: Column, at position: ClusterTree.Position) throws -> StoredValue {
        try position.leaf.column(column.leafIndex, column.leafKind).value(at: position.row)
    }

    /// Throws unless a Mixed link leads to an existing object of a top-level table, and isn't from an asymmetric one
    /// (content 12.2).
    func validateTypedLink(_ value: StoredValue, from table: Table) throws {
        guard case .typedLink(let link) = value else { return }
        guard table.kind != .asymmetric else {
            throw StorageError(.invalidArgument, "'\(table.name)' is asymmetric: its objects cannot link to others")
        }
        let target = try require(link.table)
        guard target.kind == .topLevel, try target.holds(link.object) else {
            throw StorageError.absent("\(link.object) of '\(target.name)' cannot be linked to")
        }
    }

    // MARK: Backlinks

    /// Adds a link to its target's backlink column, which is created if a Mixed column needs it for the first time.
    func addBacklink(
        to target: ObjectKey, in targetTable: Table, from origin: ObjectKey, _ column: Column, of table: Table
    ) throws {
        let back =
            try targetTable.backlinkColumn(origin: table.key, column.key)?.key
            ?? addBacklinkColumn(for: column.key, of: table, in: targetTable)
        try addBacklink(to: target, LinkEnds(target: targetTable, back: back), from: origin)
    }

    func addBacklink(to target: ObjectKey, _ ends: LinkEnds, from origin: ObjectKey) throws {
        try changeBacklinks(ends.back, of: target, in: ends.target) {
            try Backlinks.add(origin, to: &$0, in: store)
        }
    }

    /// Removes a link from its target's backlink column. Returns whether the target is an embedded object that just
    /// lost its only link and has to be removed. A tombstone without remaining links is removed immediately (content
    /// 5.8).
    func removeBacklink(
        to link: ObjectLink, from origin: ObjectKey, _ column: Column, of table: Table
    ) throws -> Bool {
        guard let target = try self.table(link.table),
            let back = target.backlinkColumn(origin: table.key, column.key)
        else { return false }
        return try removeBacklink(to: link.object, LinkEnds(target: target, back: back.key), from: origin)
    }

    func removeBacklink(to object: ObjectKey, _ ends: LinkEnds, from origin: ObjectKey) throws -> Bool {
        let target = ends.target
        if removeOnlyBacklink(to: object, in: target, ends.back, from: origin) { return false }
        try changeBacklinks(ends.back, of: object, in: target) {
            try Backlinks.remove(origin, from: &$0, in: store)
        }
        guard target.isEmbedded || object.isUnresolved, try !hasBacklinks(object, in: target) else { return false }
        if object.isUnresolved {
            try eraseTombstone(object, of: target)
            return false
        }
        return true
    }

    /// Removes the only link from a cell of a dirty leaf, after which nothing has to be freed. Returns false, without
    /// effect, if more has to be done.
    func removeOnlyBacklink(
        to object: ObjectKey, in target: Table, _ back: ColumnKey, from origin: ObjectKey
    ) -> Bool {
        guard !target.isEmbedded, let (leaf, row) = dirtyPlace(of: object, in: target),
            let cells = try? store.node(leaf).child(back.leafIndex + 1), let node = space.nodeOrNil(cells)
        else { return false }
        guard node.header.hasRefs, store.clear(node, row, if: { Backlinks.isOnly(origin, in: $0) }) else {
            return false
        }
        changed(target, in: .columnLeaf)
        return true
    }

    private func changeBacklinks(
        _ back: ColumnKey, of object: ObjectKey, in table: Table, _ body: (inout Int64) throws -> Void
    ) throws {
        func change(_ leaf: inout Ref, _ row: Int) throws {
            var cell = try ColumnLeaf(space, leaf, .backlink).ref(at: row)
            try body(&cell)
            try ColumnLeafEditor(store, .backlink).setRaw(&leaf, at: row, cell)
        }
        if !object.isUnresolved { return try changeColumn(back.leafIndex, of: object, in: table, change) }
        guard table.tombstoneRoot != 0 else { return }
        try ClusterTreeEditor(store).modify(&table.tombstoneRoot, key: object, column: back.leafIndex, change)
        changed(table, .contents)
    }

    private func hasBacklinks(_ object: ObjectKey, in table: Table) throws -> Bool {
        let tree = object.isUnresolved ? table.tombstones : table.clusters
        guard let position = try tree?.find(object) else { return false }
        return try table.backlinkColumns.contains { try table.backlinkCount($0, at: position) > 0 }
    }

    // MARK: Removal of an object

    /// Performs step 1 of content 12.4: every link to the object becomes null or leaves its collection. The object's
    /// own backlink cells are removed with its row, including those without links: the reference leaves such cells
    /// behind, of removed tables, columns and objects (content 13.9) and of collections in Mixed (13.19).
    func removeIncomingLinks(_ link: ObjectLink, of table: Table) throws {
        for back in table.backlinkColumns.sorted(by: { $0.leafIndex < $1.leafIndex }) {
            guard let origin = try self.table(table.oppositeTables[back.leafIndex]),
                let column = origin.column(table.oppositeColumns[back.leafIndex])
            else { continue }
            var keys = try table.backlinks(back, at: try table.requireObject(link.object))
            if keys.count > 1 { keys.sort() }
            var start = 0
            while start < keys.count {
                let end = keys[start...].firstIndex { $0 != keys[start] } ?? keys.count
                if try origin.find(keys[start]) != nil {
                    try links.removeLinks(to: link, end - start, column, of: keys[start], in: origin)
                }
                start = end
            }
        }
    }

    /// Performs step 3 of content 12.4: removes the backlinks of the object's links, and returns embedded targets that
    /// lost their only link.
    func removeOutgoingLinks(of object: ObjectKey, _ column: Column, in table: Table) throws -> [ObjectLink] {
        guard column.holdsLinks else { return [] }
        return try links(of: column, in: table, at: try table.requireObject(object)).filter { link in
            try removeBacklink(to: link, from: object, column, of: table)
        }
    }

    /// Performs step 3 of content 12.4. Links to objects with many backlinks are added to `lost`, to be removed
    /// together.
    func removeOutgoingLinks(
        of object: ObjectKey, _ column: Column, in table: Table, _ lost: inout LostLinks
    ) throws -> [ObjectLink] {
        try links(of: column, in: table, at: try table.requireObject(object)).filter { link in
            guard let target = try self.table(link.table),
                let back = target.backlinkColumn(origin: table.key, column.key)
            else { return false }
            let ends = LinkEnds(target: target, back: back.key)
            if lost.add(object, to: link, back.key) { return false }
            if !target.isEmbedded, !link.object.isUnresolved, let position = try target.find(link.object),
                try target.backlinkCount(back, at: position) > LostLinks.minCount
            {
                lost.begin(object, to: link, ends)
                return false
            }
            return try removeBacklink(to: link.object, ends, from: object)
        }
    }

    /// Removes the backlinks of the collected links.
    func end(_ lost: [LostLinks.Origins]) throws {
        for links in lost {
            try changeBacklinks(links.ends.back, of: links.object, in: links.ends.target) {
                try Backlinks.remove(links.origins, from: &$0, in: store)
            }
        }
    }

    /// Returns all links in an object's column, each once, including unresolved ones and those in nested collections.
    func links(of column: Column, in table: Table, at position: ClusterTree.Position) throws -> [ObjectLink] {
        var collector = LinkCollector(
            space, target: column.type == .link ? table.oppositeTables[column.leafIndex] : .null)
        if column.key.isCollection {
            guard let elements = try table.collection(column, at: position)?.elements else { return [] }
            try collector.add(elements, level: 1)
        } else {
            try collector.add(try storedValue(column, at: position), level: 0)
        }
        return collector.links
    }
}
