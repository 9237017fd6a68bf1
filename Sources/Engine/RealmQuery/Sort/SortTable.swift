// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A few objects with the values by which they are ordered. They are added and removed individually.
struct SortTable {
    private(set) var keys: [ObjectKey] = []
    private var columns: [SortColumn] = []
    private var readers: [ScalarReader] = []

    init(_ paths: [SortPath], in source: any TableSource) throws {
        readers = try paths.map { try ScalarReader($0.path, in: source) }
        columns = paths.map { SortColumn($0) }
    }

    /// Equal objects keep their order.
    func sortedIndexes() -> [Int] {
        RadixSort.sorted(columns.flatMap { $0.columns() }, count: keys.count).map { Int($0) }
    }

    mutating func append(_ key: ObjectKey, _ position: ClusterTree.Position) throws {
        keys.append(key)
        for index in readers.indices { columns[index].append(try readers[index].value(position)) }
    }

    mutating func removeLast() {
        keys.removeLast()
        for index in columns.indices { columns[index].removeLast() }
    }

    mutating func keep(_ indexes: some Sequence<Int>) {
        keys = indexes.map { keys[$0] }
        for index in columns.indices { columns[index].keep(indexes) }
    }

    /// Returns −1, 0 or 1 if object `a` precedes, equals or follows `b`.
    func order(_ a: Int, _ b: Int) -> Int {
        for index in columns.indices {
            let order = columns[index].order(a, b)
            if order != 0 { return order }
        }
        return 0
    }
}

struct SortPath: Sendable {
    let path: ScalarPath
    var ascending = true
    var collation: TextCollation?
}
