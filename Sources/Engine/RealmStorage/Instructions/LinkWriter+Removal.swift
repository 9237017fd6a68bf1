// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Removes a link to a deleted object from its property or collection (content 12.4, step 1).
extension LinkWriter {
    /// Removes all links to `link` that the column holds: one for each of its backlinks.
    func removeLinks(
        to link: ObjectLink, _ count: Int, _ column: Column, of object: ObjectKey, in table: Table
    ) throws {
        var rest = count
        if rest > 1 { rest -= try removeOwnElements(link, rest, column, of: object, in: table) }
        for _ in 0..<rest { try removeOneLink(to: link, column, of: object, in: table) }
    }

    /// Removes the links that are elements of a collection, but not those nested deeper, in one pass. Returns their
    /// number.
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
    /// is removed, a dictionary's value becomes null. In nested collections, the elements of the outer one are first.
    ///
    /// If the link isn't found, a column of Mixed stays unchanged (content 13.19); in any other column this is damage.
    func removeOneLink(to link: ObjectLink, _ column: Column, of object: ObjectKey, in table: Table) throws {
        if column.key.isCollection {
            try removeFromCollection(link, column, of: object, in: table)
        } else if column.type == .link {
            let value = try table.storedValue(column, at: table.requireObject(object))
            guard value == .link(link.object) else { throw missing(link) }
            try record(.set(.null, column, object, table))
            try transaction.storeLink(nil, column, of: object, in: table)
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
        var finder = LinkFinder(space, link)
        guard let collection = try table.collection(column, at: try table.requireObject(object)),
            let found = try finder.find(in: collection)
        else {
            if column.type == .mixed { return }
            throw missing(link)
        }
        let place = ResolvedCollection(
            table: table, column: column, object: object, collection: found.collection, positions: found.positions)
        try removeElements([found.index], link, of: place)
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
