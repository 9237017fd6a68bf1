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

    /// The outermost collection of a column: its own, or the one in a Mixed property, which `rootKey` may restrict to
    /// one in particular. nil if a Mixed property holds no such collection.
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
    /// The collection key of a nested collection; nil for other values.
    package var collectionKey: Int64? {
        switch self {
        case .list(_, let key), .dictionary(_, let key): key
        default: nil
        }
    }
}

extension TableSource {
    /// The collection at a path. Throws `.invalidArgument` if it doesn't exist.
    package func collection(_ path: CollectionPath) throws -> StoredCollection {
        try resolve(path).collection
    }

    /// The collection at a path; nil if it doesn't exist (any more).
    package func collectionIfPresent(_ path: CollectionPath) throws -> StoredCollection? {
        try resolveIfPresent(path)?.collection
    }

    /// The path whose steps name the collections themselves: it leads to the same collection when elements before it
    /// are inserted or removed, and nowhere once the collection is removed.
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

    func resolve(_ path: CollectionPath) throws -> ResolvedCollection {
        guard let place = try resolveIfPresent(path) else {
            throw StorageError.absent("there is no such collection (any more)")
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

/// A collection that was found: the way to it by positions, which hold until the next change.
///
/// The facts that an instruction needs for each element are looked up once: a resolved collection doesn't outlive a
/// change of the schema.
package final class ResolvedCollection {
    package let table: Table
    let tableKey: TableKey
    package let column: Column
    let columnKey: ColumnKey
    package let object: ObjectKey
    /// The position of the next collection in each collection of the path; empty for the outermost.
    package let positions: [Int]
    /// The collection keys of the nested collections on the way.
    let keys: [Int64]
    let isNested: Bool
    package let isList: Bool
    package let isDictionary: Bool
    /// The leaf kind of the elements, or of a dictionary's values.
    let elementKind: LeafKind
    /// The type of the keys of a column of dictionaries; nil for other columns.
    let keyType: ColumnType?
    let holdsLinks: Bool
    /// Whether an index has the elements as words (content 9.5).
    let isWordIndexed: Bool
    /// The collection before it was changed.
    private let found: StoredCollection
    /// The state that each change of an element updates. Touched by one thread, never across a call: the runtime's
    /// exclusivity checks would take as long as appending a number.
    private struct Changing {
        var count: Int
        var isChanged = false
        var stamp: ChangeStamp<RowExtent> = .never
        var root: Ref = 0
    }
    @exclusivity(unchecked) private var changing: Changing
    /// The number of elements, or of entries.
    package var count: Int { unsafe changing.count }
    /// The stamp of the transaction's clock after the last change of this collection.
    var stamp: ChangeStamp<RowExtent> {
        @inline(__always) get { unsafe changing.stamp }
        @inline(__always) set { unsafe changing.stamp = newValue }
    }
    var root: Ref { unsafe changing.root }
    /// The leaf of a list's last change.
    @exclusivity(unchecked) var open: EditCursor?
    /// The fence keys of a set or dictionary that was changed last, updated with each change.
    @exclusivity(unchecked) var fenceIndex: FenceKeyIndex?
    /// The targets of a column of links, once they were looked up. Touched by one thread, never across a call.
    @exclusivity(unchecked) private(set) var ends: LinkEnds?
    /// Whether a change of elements has no effect that could invalidate the position: it touches no index and, except
    /// for links to objects that would be deleted with them, no other object. Touched as `ends`.
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

    /// Notes where a column's own collection is after a change, and how much longer it is, if that is known.
    func changed(to root: Ref, by delta: Int?) throws {
        unsafe (changing.root, changing.isChanged) = (root, true)
        unsafe changing.count = try delta.map { count + $0 } ?? collection.count
    }

    /// Notes where the links of a column of links lead.
    func found(_ ends: LinkEnds) {
        unsafe self.ends = ends
        unsafe isKept = !isWordIndexed && !ends.target.isEmbedded
    }

    /// Whether this is the outermost collection that the path names.
    @inline(__always) func isNamed(by path: CollectionPath) -> Bool {
        object == path.object && columnKey == path.column && tableKey == path.table && positions.isEmpty
            && path.steps.isEmpty
    }

    /// The level of a collection inside this one.
    var innerLevel: Int { positions.count + 2 }
    /// The leaf kind of a dictionary's keys.
    var keyKind: LeafKind { !isNested && keyType == .int ? .int : .string }
}

/// The other end of the links of a column: the table of their targets, and its column of their backlinks.
struct LinkEnds {
    let target: Table
    let back: ColumnKey
}
