// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Objects with their values of some paths, column by column.
struct ObjectOrder {
    /// Those of the given objects that exist.
    private var keys: [ObjectKey] = []
    private let columns: [OrderColumn]

    init(
        _ given: some Sequence<ObjectKey>, _ paths: [SortPath], _ table: Table, in source: any TableSource
    ) throws {
        let given = Array(given)
        guard given.count <= WordOrder.maximumCount else {
            throw StorageError(.limitExceeded, "too many objects to be sorted")
        }
        let columns = try paths.map { try OrderColumn.make($0, of: table, in: source, capacity: given.count) }
        self.columns = columns
        keys.reserveCapacity(given.count)
        try table.forEachRun(of: given) { run, places in
            keys.append(contentsOf: given[places])
            for column in columns { try column.append(run) }
        }
    }

    /// The objects in order; equal ones stay as they were.
    func sorted() -> [ObjectKey] {
        if columns.count == 1, let places = columns[0].sorted() { return places.map { keys[Int($0)] } }
        return WordOrder.sorted(columns.flatMap { $0.columns() }, count: keys.count).map { keys[Int($0)] }
    }

    /// The first object of each combination of values, in the given order.
    func firsts() -> [ObjectKey] {
        if columns.count == 1, let places = columns[0].firsts() { return places.map { keys[Int($0)] } }
        return WordOrder.firsts(columns.flatMap { $0.numbers() }, count: keys.count).map { keys[Int($0)] }
    }
}
