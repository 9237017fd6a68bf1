// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reading sets, dictionaries and nested collections.
extension Table {
    package func set(_ column: Column, at position: ClusterTree.Position) throws -> SetTree {
        try SetTree(space, try collectionRoot(column, at: position), elementsOf: column.key)
    }

    package func set(_ column: ColumnKey, of key: ObjectKey) throws -> SetTree {
        try set(try require(column), at: try requireObject(key))
    }

    package func dictionary(_ column: Column, at position: ClusterTree.Position) throws -> DictionaryTree {
        try DictionaryTree(
            space, try collectionRoot(column, at: position), keyType: column.dictionaryKeyType ?? .string)
    }

    package func dictionary(_ column: ColumnKey, of key: ObjectKey) throws -> DictionaryTree {
        try dictionary(try require(column), at: try requireObject(key))
    }

    /// The outermost collection of a column: its own, or the one in a Mixed property, for which `rootKey` may ask for
    /// one in particular. nil where a Mixed property holds no such collection.
    func collection(
        _ column: Column, rootKey: Int64 = 0, at position: ClusterTree.Position
    ) throws -> StoredCollection? {
        if column.key.isCollection {
            return try StoredCollection(of: column.key, column.dictionaryKeyType, at: position)
        }
        guard column.type == .mixed else { return nil }
        let value = try value(column, at: position)
        guard rootKey == 0 || value.collectionKey == rootKey else { return nil }
        return try StoredCollection(value: value, in: space)
    }
}

extension StoredValue {
    /// The collection key of a nested collection; nil for other values.
    package var collectionKey: Int64? {
        switch self {
        case .list(_, let key), .dictionary(_, let key): key
        default: nil
        }
    }
}

extension TableSource {
    /// The collection that a path names. Throws `.invalidArgument` if there is none.
    package func collection(_ path: CollectionPath) throws -> StoredCollection {
        try resolve(path).collection
    }

    /// As above; nil if there is none (any more).
    package func collectionIfPresent(_ path: CollectionPath) throws -> StoredCollection? {
        try resolveIfPresent(path)?.collection
    }

    /// The path whose steps name the collections themselves: it leads to the same collection when elements before it
    /// come and go, and nowhere once it is gone.
    package func stable(_ path: CollectionPath) throws -> CollectionPath {
        let place = try resolve(path)
        var stable = path
        if !place.column.key.isCollection {
            let value = try place.table.value(path.column, of: path.object)
            stable.rootKey = value.collectionKey ?? 0
        }
        // A collection that lost its key, in a damaged file, can only be named by its place.
        for (index, key) in place.keys.enumerated() where key != 0 { stable.steps[index] = .nested(key) }
        return stable
    }

    func resolve(_ path: CollectionPath) throws -> CollectionPlace {
        guard let place = try resolveIfPresent(path) else {
            throw StorageError(.invalidArgument, "there is no such collection (any more)")
        }
        return place
    }

    func resolveIfPresent(_ path: CollectionPath) throws -> CollectionPlace? {
        guard let table = try table(path.table), let column = table.column(path.column),
            let position = try table.find(path.object),
            var collection = try table.collection(column, rootKey: path.rootKey, at: position)
        else { return nil }
        let place = CollectionPlace(table: table, column: column, object: path.object, collection: collection)
        for step in path.steps {
            guard let index = try collection.position(of: step),
                let value = try collection.elements?.value(at: index),
                let nested = try StoredCollection(value: value, in: space)
            else { return nil }
            place.positions.append(index)
            place.keys.append(value.collectionKey ?? 0)
            collection = nested
        }
        place.collection = collection
        return place
    }
}

/// A collection that was found: the way to it by positions, which hold until the next change.
final class CollectionPlace {
    let table: Table
    let column: Column
    let columnKey: ColumnKey
    let object: ObjectKey
    /// In each collection on the way the position of the next one; empty for the outermost.
    var positions: [Int] = []
    /// The collection keys of the nested collections on the way.
    var keys: [Int64] = []
    var collection: StoredCollection { didSet { count = collection.count } }
    /// The number of elements, or of entries.
    private(set) var count: Int
    /// What the keys of a column of dictionaries are; nil for other columns.
    let keyType: ColumnType?
    /// Of the collection that was changed last: the transaction's `structureCount` after that, and its root.
    var structureCount: UInt64 = .max
    var root: Ref = 0
    /// Of the list that was changed last: the leaf where that was.
    @exclusivity(unchecked) var open: OpenLeaf?

    init(table: Table, column: Column, object: ObjectKey, collection: StoredCollection) {
        self.table = table
        self.column = column
        columnKey = column.key
        keyType = column.dictionaryKeyType
        count = collection.count
        self.object = object
        self.collection = collection
    }

    /// Whether this is the outermost collection that the path names.
    func isNamed(by path: CollectionPath) -> Bool {
        positions.isEmpty && path.steps.isEmpty && object == path.object && columnKey == path.column
            && table.key == path.table
    }

    var isNested: Bool { !positions.isEmpty || !columnKey.isCollection }
    /// The level of a collection inside this one.
    var innerLevel: Int { positions.count + 2 }
    /// What the leaves of the elements, or of a dictionary's values, are.
    var elementKind: LeafKind { isNested ? .mixed : LeafKind(elementsOf: columnKey) }
    /// What the leaves of a dictionary's keys are.
    var keyKind: LeafKind { !isNested && keyType == .int ? .int : .string }
}
