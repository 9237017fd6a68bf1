// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Objects with the values by which they are ordered or told apart.
struct SortTable {
    /// Those of the given objects that exist.
    private(set) var keys: [ObjectKey] = []
    private var columns: [SortColumn] = []
    /// One for each column.
    private var readers: [ScalarReader] = []

    init(
        _ given: some Sequence<ObjectKey>, _ paths: [SortPath], _ table: Table, in source: any TableSource
    ) throws {
        try self.init(paths, in: source)
        var cursor = ObjectCursor(table)
        for key in given {
            guard let position = try cursor.find(key) else { continue }
            try append(key, position)
        }
    }

    /// Without objects, which `append` adds.
    init(_ paths: [SortPath], in source: any TableSource) throws {
        readers = try paths.map { try ScalarReader($0.path, in: source) }
        columns = paths.map { SortColumn($0) }
    }

    /// Values by themselves.
    init(_ values: [StoredValue], ascending: Bool, collation: TextCollation? = nil) {
        // Mixed compares values of any type.
        var column = SortColumn(.mixed, ascending: ascending, collation: collation)
        for value in values { column.append(value) }
        columns = [column]
    }

    /// The indexes `0..<count` in the order of the columns; ties keep their order.
    func sortedIndexes(count: Int) -> [Int] {
        Array(0..<count).sorted { a, b in
            let order = order(a, b)
            return order == 0 ? a < b : order < 0
        }
    }

    /// The first of each set of equal objects, in the given order.
    func distinctIndexes() -> [Int] {
        let sorted = sortedIndexes(count: keys.count)
        var firsts: [Int] = []
        for (place, index) in sorted.enumerated() where place == 0 || order(sorted[place - 1], index) != 0 {
            firsts.append(index)
        }
        return firsts.sorted()
    }

    // MARK: Row by row

    mutating func append(_ key: ObjectKey, _ position: ClusterTree.Position) throws {
        keys.append(key)
        for index in readers.indices { columns[index].append(try readers[index].value(position)) }
    }

    mutating func removeLast() {
        keys.removeLast()
        for index in columns.indices { columns[index].removeLast() }
    }

    /// Keeps only these objects, in this order.
    mutating func keep(_ indexes: some Sequence<Int>) {
        keys = indexes.map { keys[$0] }
        for index in columns.indices { columns[index].keep(indexes) }
    }

    /// What object `index` has in the first column, which is one of integers; nil for null.
    func leadingInteger(at index: Int) -> Int64? { columns[0].integer(at: index) }

    /// −1, 0 or 1 as object `a` comes before `b`, beside it or behind it.
    func order(_ a: Int, _ b: Int) -> Int {
        for column in columns {
            let order = column.order(a, b)
            if order != 0 { return order }
        }
        return 0
    }
}

/// One criterion of an order, found in a schema.
struct SortPath: Sendable {
    let path: ScalarPath
    var ascending = true
    var collation: TextCollation?
}
