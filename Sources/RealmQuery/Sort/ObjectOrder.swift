// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Objects with their values of some paths, column by column.
struct ObjectOrder {
    /// Those of the given objects that exist.
    private let keys: [ObjectKey]
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
        // As a rule all exist, and a copy of many keys takes as long as to read their values.
        var present: [ObjectKey]?
        var end = 0
        try table.forEachRun(of: given) { run, places in
            if present == nil, places.lowerBound != end { present = Array(given[..<end]) }
            present?.append(contentsOf: given[places])
            end = places.upperBound
            for column in columns { try column.append(run) }
        }
        keys = present ?? (end == given.count ? given : Array(given[..<end]))
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
