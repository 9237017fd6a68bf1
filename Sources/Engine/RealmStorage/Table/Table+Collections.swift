// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

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

    /// Returns the outermost collection of a column: its own, or the one in a Mixed property. A nonzero `rootKey`
    /// requires that collection key in a Mixed property. Nil if the Mixed property contains no such collection.
    package func collection(
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
    package var collectionKey: Int64? {
        switch self {
        case .list(_, let key), .dictionary(_, let key): key
        default: nil
        }
    }
}

extension TableSource {
    /// Throws `.invalidArgument` if the collection doesn't exist.
    package func collection(_ path: CollectionPath) throws -> StoredCollection {
        try resolve(path).collection
    }

    package func collectionIfPresent(_ path: CollectionPath) throws -> StoredCollection? {
        try resolveIfPresent(path)?.collection
    }

    /// Returns a path that identifies nested collections by their keys. It leads to the same collection if preceding
    /// elements are inserted or removed, and becomes invalid if the collection is removed.
    package func stable(_ path: CollectionPath) throws -> CollectionPath {
        let place = try resolve(path)
        var stable = path
        if !place.column.key.isCollection {
            let value = try place.table.value(path.column, of: path.object)
            stable.rootKey = value.collectionKey ?? 0
        }
        // In a damaged file, a collection may have no key. Then only its position identifies it.
        for (index, key) in place.keys.enumerated() where key != 0 { stable.steps[index] = .nested(key) }
        return stable
    }

    func resolve(_ path: CollectionPath) throws -> ResolvedCollection {
        guard let place = try resolveIfPresent(path) else {
            throw StorageError.absent("the collection doesn't exist (any more)")
        }
        return place
    }

    func resolveIfPresent(_ path: CollectionPath) throws -> ResolvedCollection? {
        guard let table = try table(path.table), let column = table.column(path.column),
            let position = try table.find(path.object),
            var collection = try table.collection(column, rootKey: path.rootKey, at: position)
        else { return nil }
        var (positions, keys): ([Int], [Int64]) = ([], [])
        for step in path.steps {
            guard let index = try collection.position(of: step),
                let value = try collection.elements?.value(at: index),
                let nested = try StoredCollection(value: value, in: space)
            else { return nil }
            positions.append(index)
            keys.append(value.collectionKey ?? 0)
            collection = nested
        }
        return ResolvedCollection(
            table: table, column: column, object: path.object, collection: collection, positions: positions, keys: keys)
    }
}

/// A collection and the positions that lead to it, which are valid until the next change.
///
/// The properties that an instruction needs for each element are determined once: a resolved collection doesn't outlive
/// a change of the schema.
package final class ResolvedCollection {
    package let table: Table
    let tableKey: TableKey
    package let column: Column
    let columnKey: ColumnKey
    package let object: ObjectKey
    /// The position of the next collection in each collection of the path. Empty for the outermost one.
    package let positions: [Int]
    let keys: [Int64]
    let isNested: Bool
    package let isList: Bool
    package let isDictionary: Bool
    /// The leaf kind of the elements, or of a dictionary's values.
    let elementKind: LeafKind
    let keyType: ColumnType?
    let holdsLinks: Bool
    /// Whether the elements are words of an index (content 9.5).
    let isWordIndexed: Bool
    /// The collection before the first change.
    private let found: StoredCollection
    /// The state updated by each change of an element. Accessed by one thread, never across a call: the runtime's
    /// exclusivity checks would take as long as appending a number.
    private struct Changing {
        var count: Int
        var isChanged = false
        var stamp: ChangeStamp<RowExtent> = .never
        var root: Ref = 0
    }
    @exclusivity(unchecked) private var changing: Changing
    package var count: Int { unsafe changing.count }
    /// The stamp of the transaction's clock after the last change of this collection.
    var stamp: ChangeStamp<RowExtent> {
        @inline(__always) get { unsafe changing.stamp }
        @inline(__always) set { unsafe changing.stamp = newValue }
    }
    var root: Ref { unsafe changing.root }
    /// The leaf of a list's last change.
    @exclusivity(unchecked) var open: EditCursor?
    /// The fence keys of a set or dictionary that was changed last. Every change updates them.
    @exclusivity(unchecked) var fenceIndex: FenceKeyIndex?
    /// The targets of a column of links, once determined. Accessed by one thread, never across a call.
    @exclusivity(unchecked) private(set) var ends: LinkEnds?
    /// Whether a change of elements can't invalidate the positions: it updates no index, and no other object except the
    /// targets of links, which aren't embedded. Accessed like `ends`.
    @exclusivity(unchecked) private(set) var isKept: Bool

    init(
        table: Table, column: Column, object: ObjectKey, collection: StoredCollection, positions: [Int] = [],
        keys: [Int64] = []
    ) {
        self.table = table
        tableKey = table.key
        self.column = column
        columnKey = column.key
        keyType = column.dictionaryKeyType
        holdsLinks = column.holdsLinks
        self.object = object
        self.positions = positions
        self.keys = keys
        isNested = !positions.isEmpty || !column.key.isCollection
        isList = collection.list != nil
        isDictionary = collection.dictionary != nil
        isWordIndexed = !isNested && table.hasIndex(column.key)
        elementKind = isNested ? .mixed : LeafKind(elementsOf: column.key)
        unsafe isKept = !holdsLinks && !isWordIndexed
        unsafe changing = Changing(count: collection.count)
        found = collection
    }

    var collection: StoredCollection {
        get throws {
            guard unsafe changing.isChanged else { return found }
            return try StoredCollection(of: columnKey, keyType, root: root, in: table.space)
        }
    }

    func changed(to root: Ref, by delta: Int?) throws {
        unsafe (changing.root, changing.isChanged) = (root, true)
        unsafe changing.count = try delta.map { count + $0 } ?? collection.count
    }

    func found(_ ends: LinkEnds) {
        unsafe self.ends = ends
        unsafe isKept = !isWordIndexed && !ends.target.isEmbedded
    }

    @inline(__always) func isNamed(by path: CollectionPath) -> Bool {
        object == path.object && columnKey == path.column && tableKey == path.table && positions.isEmpty
            && path.steps.isEmpty
    }

    var innerLevel: Int { positions.count + 2 }
    var keyKind: LeafKind { !isNested && keyType == .int ? .int : .string }
}

/// The other end of a column's links: the table of their targets, and that table's backlink column.
struct LinkEnds {
    let target: Table
    let back: ColumnKey
}
