// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Removes the links from and to objects that are removed (content 12.4).
extension LinkWriter {
    // MARK: Links of an object

    /// Performs step 1 of content 12.4: every link to the object becomes null or leaves its collection. The object's
    /// own backlink cells are removed with its row, including those without links: the reference leaves such cells
    /// behind, of removed tables, columns and objects (content 13.9) and of collections in Mixed (13.19).
    func removeIncoming(_ link: ObjectLink, of table: Table) throws {
        for back in table.backlinkColumns.sorted(by: { $0.leafIndex < $1.leafIndex }) {
            guard let (origin, column) = try self.origin(of: back, in: table) else { continue }
            var keys = try table.backlinks(back, at: try table.requireObject(link.object))
            if keys.count > 1 { keys.sort() }
            var start = 0
            while start < keys.count {
                let end = keys[start...].firstIndex { $0 != keys[start] } ?? keys.count
                if try origin.find(keys[start]) != nil {
                    try removeLinks(to: link, end - start, column, of: keys[start], in: origin)
                }
                start = end
            }
        }
    }

    /// Performs step 3 of content 12.4: removes the backlinks of the object's links, and returns embedded targets that
    /// lost their only link.
    func removeOutgoing(of object: ObjectKey, _ column: Column, in table: Table) throws -> [ObjectLink] {
        guard column.holdsLinks else { return [] }
        return try all(of: column, in: table, at: try table.requireObject(object)).filter { link in
            try removeBacklink(to: link, from: object, column, of: table)
        }
    }

    /// Performs step 3 of content 12.4. Links to objects with many backlinks are added to `lost`, to be removed
    /// together.
    func removeOutgoing(
        of object: ObjectKey, _ column: Column, in table: Table, _ lost: inout LostLinks
    ) throws -> [ObjectLink] {
        try all(of: column, in: table, at: try table.requireObject(object)).filter { link in
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

    func removeBacklinks(of lost: [LostLinks.Origins]) throws {
        for links in lost {
            try changeBacklinks(links.ends.back, of: links.object, in: links.ends.target) {
                try Backlinks.remove(links.origins, from: &$0, in: store)
            }
        }
    }

    /// Returns all links in an object's column, each once, including unresolved ones and those in nested collections.
    func all(of column: Column, in table: Table, at position: ClusterTree.Position) throws -> [ObjectLink] {
        var collector = LinkCollector(
            space, target: column.type == .link ? table.oppositeTables[column.leafIndex] : .null)
        if column.key.isCollection {
            guard let elements = try table.collection(column, at: position)?.elements else { return [] }
            try collector.add(elements, level: 1)
        } else {
            try collector.add(try table.storedValue(column, at: position), level: 0)
        }
        return collector.links
    }

    // MARK: Links to an object

    func removeLinks(
        to link: ObjectLink, _ count: Int, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        var rest = count
        if rest > 1 { rest -= try removeOwnElements(link, rest, column, of: object, in: table) }
        for _ in 0..<rest { try removeOneLink(to: link, column, of: object, in: table) }
    }

    /// Doesn't remove links in nested collections. Returns the number of removed links.
    private func removeOwnElements(
        _ link: ObjectLink, _ most: Int, _ column: Column, of object: ObjectKey, in table: Table
    ) throws -> Int {
        guard column.key.isCollection,
            let collection = try table.collection(column, at: try table.requireObject(object)),
            let elements = collection.elements
        else { return 0 }
        let indexes = try LinkFinder(space, link).ownIndexes(in: elements, first: most)
        guard !indexes.isEmpty else { return 0 }
        let place = ResolvedCollection(
            table: table, column: column, object: object, collection: collection, positions: [])
        try removeElements(indexes, link, of: place)
        return indexes.count
    }

    /// Removes the first link to `link` that the column holds: a single value becomes null, an element of a list or set
    /// is removed, a dictionary's value becomes null. The elements of an outer collection precede those of nested ones.
    ///
    /// If the link isn't found, a column of Mixed stays unchanged (content 13.19). In any other column, the file is
    /// damaged.
    func removeOneLink(to link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table) throws {
        if column.key.isCollection {
            try removeFromCollection(link, column, of: object, in: table)
        } else if column.type == .link {
            let value = try table.storedValue(column, at: table.requireObject(object))
            guard value == .link(link.object) else { throw missing(link) }
            try record(.set(.null, column, object, table))
            try storeLink(nil, column, of: object, in: table)
        } else if try table.storedValue(column, at: table.requireObject(object)) == .typedLink(link) {
            guard let position = table.position(of: column.key) else { return }
            try record(.set(.null, column, object, table))
            try transaction.replaceValue(.null, at: position, of: object, in: table)
        } else {
            try removeFromCollection(link, column, of: object, in: table)
        }
    }

    private func removeFromCollection(
        _ link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        if let (place, index) = try find(link, in: column, of: object, table) {
            try removeElements([index], link, of: place)
        } else if column.type != .mixed {
            throw missing(link)
        }
    }

    func find(
        _ link: ObjectLink, in column: Column, of object: ObjectKey, _ table: Table
    ) throws -> (place: ResolvedCollection, index: Int)? {
        var finder = LinkFinder(space, link)
        guard let collection = try table.collection(column, at: try table.requireObject(object)),
            let found = try finder.find(in: collection)
        else { return nil }
        let place = ResolvedCollection(
            table: table, column: column, object: object, collection: found.collection, positions: found.positions)
        return (place, found.index)
    }

    @inline(never) private func missing(_ link: ObjectLink) -> any Error {
        StorageError(.invalidDatabase, "a backlink to \(link.object) has no link; the file is damaged")
    }

    /// Records the removal of links from a collection, as if one by one, the last of them first.
    private func record(
        _ indexes: [Int], _ link: ObjectLink, of place: ResolvedCollection
    ) throws {
        for (done, index) in indexes.reversed().enumerated() {
            switch try place.collection {
            case .list:
                try record(.collection(.erase(at: index, of: place.count - done), place))
            case .set(let set):
                try record(.collection(.eraseMember(set.value(at: index)), place))
            case .dictionary(let entries):
                let key = try entries.key(at: index)
                try record(.collection(.setEntry(.value(.null), key: key), place))
            }
        }
    }

    /// `indexes` must be ascending.
    private func removeElements(_ indexes: [Int], _ link: ObjectLink, of place: ResolvedCollection) throws {
        if transaction.isRecorded { try record(indexes, link, of: place) }
        let kind = place.elementKind
        try change(place) { root in
            if !place.isDictionary {
                for index in indexes.reversed() { try BPlusTreeEditor(store, kind).erase(&root, at: index) }
                try updateContext(&root, kind, after: .link(link.object))
            } else {
                try DictionaryEditor(store).changeValues(&root) {
                    for index in indexes { try BPlusTreeEditor(store, .mixed).set(&$0, at: index, .null) }
                }
            }
        }
    }
}
