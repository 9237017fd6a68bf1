// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Objects with the values by which they are ordered or told apart.
struct SortTable {
    /// Those of the given objects that exist.
    private(set) var keys: [ObjectKey] = []
    private var columns: [SortColumn] = []

    init(
        _ given: some Sequence<ObjectKey>, _ paths: [(path: ScalarPath, ascending: Bool)], _ table: Table,
        in source: any TableSource
    ) throws {
        var readers = try paths.map { try ScalarReader($0.path, in: source) }
        columns = paths.map { SortColumn($0.path.column.type ?? .mixed, ascending: $0.ascending) }
        var cursor = ObjectCursor(table)
        for key in given {
            guard let position = try cursor.find(key) else { continue }
            keys.append(key)
            for index in readers.indices { columns[index].append(try readers[index].value(position)) }
        }
    }

    /// Values by themselves.
    init(_ values: [StoredValue], ascending: Bool) {
        // Mixed compares values of any type.
        var column = SortColumn(.mixed, ascending: ascending)
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

    private func order(_ a: Int, _ b: Int) -> Int {
        for column in columns {
            let order = column.order(a, b)
            if order != 0 { return order }
        }
        return 0
    }
}

/// Reads the value of a scalar path, object by object.
private struct ScalarReader {
    private var hops: [(leaves: ColumnLeaves, cursor: ObjectCursor)] = []
    private var leaves: ColumnLeaves
    /// For a path with subscripts.
    private var end: EndReader?

    init(_ path: ScalarPath, in source: any TableSource) throws {
        var table = try source.require(path.origin)
        for hop in path.hops {
            let next = try source.require(hop.target)
            hops.append((ColumnLeaves(try table.require(hop.column)), ObjectCursor(next)))
            table = next
        }
        leaves = ColumnLeaves(try table.require(path.column))
        guard !path.subscripts.isEmpty else { return }
        let resolved = ResolvedPath(
            origin: table.key, hops: [], end: .subscripted(path.column, path.subscripts), text: path.text,
            property: path.text, type: leaves.column.type)
        end = try EndReader(resolved, table, in: source)
    }

    /// nil behind a null link.
    mutating func value(_ position: ClusterTree.Position) throws -> StoredValue? {
        var position = position
        for index in hops.indices {
            let leaf = try hops[index].leaves.leaf(of: position.leaf)
            guard let key = try leaf.linkedObject(at: position.row) else { return nil }
            guard let next = try hops[index].cursor.find(key) else {
                throw StorageError(.invalidDatabase, "a link to an object that does not exist; the file is damaged")
            }
            position = next
        }
        if end != nil {
            var found = StoredValue.null
            _ = try end?.contains(position) { value in
                found = value
                return true
            }
            return found
        }
        return try leaves.leaf(of: position.leaf).value(at: position.row).withoutUnresolved
    }
}
