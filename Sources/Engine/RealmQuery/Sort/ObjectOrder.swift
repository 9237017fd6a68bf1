// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct ObjectOrder {
    private var keys: [ObjectKey]
    private let columns: [OrderColumn]
    private let capacity: Int

    init(
        _ given: some Sequence<ObjectKey>, _ paths: [SortPath], _ table: Table, in source: any TableSource,
        room: Int = 0
    ) throws {
        let given = Array(given)
        let capacity = given.count + room
        guard capacity <= RadixSort.maximumCount else {
            throw StorageError(.limitExceeded, "too many objects to be sorted")
        }
        self.capacity = capacity
        let columns = try paths.map { try OrderColumn.make($0, of: table, in: source, capacity: capacity) }
        self.columns = columns
        // Usually all objects exist, and copying many keys takes as long as reading their values.
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

    func hasRoom(for run: RowRun) -> Bool { run.count <= capacity - keys.count }

    mutating func append(_ run: RowRun) throws {
        run.appendKeys(to: &keys)
        for column in columns { try column.append(run) }
    }

    /// Equal objects keep their order.
    func sorted() -> [ObjectKey] {
        if columns.count == 1, let places = columns[0].sorted() { return places.map { keys[Int($0)] } }
        return RadixSort.sorted(columns.flatMap { $0.columns() }, count: keys.count).map { keys[Int($0)] }
    }

    func distinct() -> [ObjectKey] {
        if columns.count == 1, let places = columns[0].distinct() { return places.map { keys[Int($0)] } }
        return RadixSort.distinct(columns.flatMap { $0.numbers() }, count: keys.count).map { keys[Int($0)] }
    }
}
