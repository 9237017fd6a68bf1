// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CollectionWriter {
    /// `value` must not be a collection.
    func validateElement(_ value: StoredValue, for column: Column, in table: Table) throws {
        try transaction.validate(value, for: column)
        try transaction.links.validateTypedLink(value, from: table)
        guard case .link(let key) = value else { return }
        try validateTarget(key, in: try require(table.oppositeTables[column.leafIndex]))
    }

    /// Reuses the leaf of the previous target, because the targets of adjacent links are often adjacent.
    func validateElements(_ values: [StoredValue], for column: Column, in table: Table) throws {
        guard column.type == .link else {
            return try values.forEach { try validateElement($0, for: column, in: table) }
        }
        let target = try require(table.oppositeTables[column.leafIndex])
        var leaf: ClusterLeaf?
        for value in values {
            try transaction.validate(value, for: column)
            guard case .link(let key) = value, leaf?.row(of: key) == nil else { continue }
            try validateTarget(key, in: target)
            leaf = key.isUnresolved ? nil : try target.clusters.leaf(for: UInt64(bitPattern: key.rawValue))
        }
    }

    private func validateTarget(_ key: ObjectKey, in target: Table) throws {
        guard !target.isEmbedded, try transaction.dirtyPlace(of: key, in: target) != nil || target.holds(key) else {
            throw StorageError.absent("\(key) of '\(target.name)' cannot be put into a collection")
        }
    }

    func linkGained(_ value: StoredValue, _ place: ResolvedCollection) throws {
        try linksGained(CollectionOfOne(value), place)
    }

    func linksGained(_ values: some Collection<StoredValue>, _ place: ResolvedCollection) throws {
        guard place.holdsLinks else { return }
        if let ends = try linkEnds(of: place) {
            for case .link(let key) in values { try transaction.links.addBacklink(to: key, ends, from: place.object) }
            return
        }
        let (table, column) = (place.table, place.column)
        for value in values {
            let link: ObjectLink
            switch value {
            case .link(let key): link = ObjectLink(table: table.oppositeTables[column.leafIndex], object: key)
            case .typedLink(let typed): link = typed
            default: continue
            }
            try transaction.links.addBacklink(
                to: link.object, in: try require(link.table), from: place.object, column, of: table)
        }
    }

    /// Removes the backlink of a removed link, and the link's target if it's an embedded object.
    func linkLost(_ key: ObjectKey, _ place: ResolvedCollection) throws {
        if let (target, back) = unsafe unretainedEnds(of: place),
            unsafe target._withUnsafeGuaranteedRef({
                transaction.links.removeOnlyBacklink(to: key, in: $0, back, from: place.object)
            })
        {
            return
        }
        guard let ends = try linkEnds(of: place),
            try transaction.links.removeBacklink(to: key, ends, from: place.object)
        else { return }
        try transaction.removeObject(key, from: ends.target.key)
    }

    func linksLost(_ links: [ObjectLink], _ place: ResolvedCollection) throws {
        guard case .mixed = place.elementKind else { return try links.forEach { try linkLost($0.object, place) } }
        for link in links
        where try transaction.links.removeBacklink(to: link, from: place.object, place.column, of: place.table) {
            try transaction.removeObject(link.object, from: link.table)
        }
    }

    /// Returns the target table and the backlink column of a collection's links; nil if the links contain their table's
    /// key, or if the backlink column doesn't exist yet.
    private func linkEnds(of place: ResolvedCollection) throws -> LinkEnds? {
        if let ends = unsafe place.ends { return ends }
        guard case .key = place.elementKind,
            let target = try table(place.table.oppositeTables[place.columnKey.leafIndex]),
            let back = target.backlinkColumn(origin: place.tableKey, place.columnKey)
        else { return nil }
        let ends = LinkEnds(target: target, back: back.key)
        place.found(ends)
        return ends
    }

    /// Doesn't retain the table, because the collection does: reference counting would take a noticeable part of the
    /// time of a small change.
    @inline(__always)
    private func unretainedEnds(of place: ResolvedCollection) -> (target: Unmanaged<Table>, back: ColumnKey)? {
        guard let ends = unsafe place.ends else { return nil }
        return unsafe (.passUnretained(ends.target), ends.back)
    }

    func links(of element: StoredValue, _ place: ResolvedCollection) throws -> [ObjectLink] {
        switch element {
        case .link, .typedLink, .list, .dictionary: break
        default: return []
        }
        var collector = LinkCollector(space, target: place.table.oppositeTables[place.column.leafIndex])
        try collector.add(element, level: place.innerLevel - 1)
        return collector.links
    }

    func links(of place: ResolvedCollection) throws -> [ObjectLink] {
        guard place.holdsLinks, let elements = try place.collection.elements else { return [] }
        var collector = LinkCollector(space, target: place.table.oppositeTables[place.column.leafIndex])
        try collector.add(elements, level: place.innerLevel - 1)
        return collector.links
    }

    /// Updates the flag in the root of a list or set of links that indicates whether it contains an unresolved key
    /// (content 7.4). Call this for an inserted or removed element: the first unresolved one sets the flag, and
    /// removing the last one clears it.
    func updateContext(_ root: inout Ref, _ kind: LeafKind, after element: StoredValue) throws {
        guard case .link(let key) = element, key.isUnresolved, kind == .key else { return }
        try store.setContext(&root, try BPlusTree(space, root, kind).keys().contains(where: \.isUnresolved))
    }
}
