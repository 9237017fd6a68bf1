// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// An order of objects by the values of several paths (content 8.5). The first path has the highest priority.
package struct SortOrder: Sendable {
    package let keys: [SortKey]
    package let table: TableKey
    let paths: [SortPath]

    var text: String { keys.map { "\($0.path) \($0.ascending ? "ASC" : "DESC")" }.joined(separator: ", ") }

    package init(
        _ keys: [SortKey], on key: TableKey, in source: any TableSource, names: PropertyNames = .stored
    ) throws {
        self.keys = keys
        table = key
        let table = try source.require(key)
        paths = try keys.map { key in
            let path = try ScalarPath(key.path, verb: "sort", from: table, in: source, names: names)
            if let collation = key.collation { try path.verifyText(for: collation) }
            return SortPath(path: path, ascending: key.ascending, collation: key.collation)
        }
    }

    /// Equal objects keep their order, and deleted objects are omitted.
    package func sort(_ keys: some Sequence<ObjectKey>, in source: any TableSource) throws -> [ObjectKey] {
        guard let table = try source.table(table) else { return [] }
        return try ObjectOrder(keys, paths, table, in: source).sorted()
    }

    /// Returns the indexes of values in the order of content 8.4, for collections of values.
    package static func permutation(
        of values: [StoredValue], ascending: Bool = true, collation: TextCollation? = nil
    ) -> [Int] {
        RadixSort.sorted(SortColumn(values, ascending: ascending, collation: collation).columns(), count: values.count)
            .map { Int($0) }
    }
}

package struct Distinct: Sendable {
    package let table: TableKey
    private let paths: [SortPath]

    var text: String { paths.map(\.path.text).joined(separator: ", ") }

    package init(
        _ paths: [PropertyPath], on key: TableKey, in source: any TableSource, names: PropertyNames = .stored
    ) throws {
        table = key
        let table = try source.require(key)
        self.paths = try paths.map { path in
            SortPath(path: try ScalarPath(path, verb: "distinct", from: table, in: source, names: names))
        }
    }

    /// Returns the first object of each combination of values, in the order of the table. An object after a null link
    /// has no values and is omitted.
    package func distinct(
        of query: Query? = nil, in source: any TableSource, partSize: Int = Distinct.partSize
    ) throws -> [ObjectKey] {
        guard let table = try source.table(table) else { return [] }
        guard query?.isEverything ?? true else {
            return try query.map { try distinct(of: $0.objects(in: source), in: source) } ?? []
        }
        if paths.count == 1, paths[0].path.isPlain, let found = try table.indexFirsts(paths[0].path.column) {
            guard !found.undecided.isEmpty else { return KeyOrder.ascending(found.keys) }
            let undecided = try distinct(of: KeyOrder.ascending(found.undecided), in: source)
            return KeyOrder.ascending(found.keys + undecided)
        }
        let column = paths.first.flatMap { $0.path.isPlain ? table.column($0.path.column) : nil }
        return try distinct(table, in: source, count: table.count(), partSize) {
            try table.clusters.forEachRun(reading: column, $0)
        }
    }

    /// Returns the first object of each combination of values, in the given order. Deleted objects are omitted.
    package func distinct(
        of keys: some Sequence<ObjectKey>, in source: any TableSource, partSize: Int = Distinct.partSize
    ) throws -> [ObjectKey] {
        guard let table = try source.table(table) else { return [] }
        let keys = Array(keys)
        return try distinct(table, in: source, count: keys.count, partSize) { add in
            try table.forEachRun(of: keys) { run, _ in try add(run) }
        }
    }

    /// Returns the first object of each combination among `count` objects, which `visit` visits.
    ///
    /// Many objects are compared in parts, so that their keys stay in the processor's cache. When the buffer is full,
    /// only the first objects are kept. If those are many, the next part has a buffer for all.
    private func distinct(
        _ table: Table, in source: any TableSource, count: Int, _ partSize: Int,
        _ visit: (_ add: (RowRun) throws -> Void) throws -> Void
    ) throws -> [ObjectKey] {
        let count = min(count, Table.largestReserve)
        var order = try ObjectOrder([], paths, table, in: source, room: min(count, partSize))
        try visit { run in
            if !order.hasRoom(for: run) {
                let left = order.distinct()
                let room = left.count > partSize / 8 ? max(count, left.count) : partSize
                order = try ObjectOrder(left, paths, table, in: source, room: max(room, run.count))
            }
            try order.append(run)
        }
        return try reached(order.distinct(), table, in: source)
    }

    private func reached(_ keys: [ObjectKey], _ table: Table, in source: any TableSource) throws -> [ObjectKey] {
        var readers = try paths.filter { !$0.path.hops.isEmpty }.map { try ScalarReader($0.path, in: source) }
        guard !readers.isEmpty else { return keys }
        var cursor = ObjectCursor(table)
        return try keys.filter { key in
            guard let position = try cursor.find(key) else { return false }
            return try readers.indices.allSatisfy { try readers[$0].value(position) != nil }
        }
    }

    package static let partSize = 1 << 16

    package static func distinct(of values: [StoredValue]) -> [Int] {
        RadixSort.distinct(SortColumn(values).columns(), count: values.count).map { Int($0) }
    }
}

extension SortOrder {
    /// Whether only changed objects can get another position.
    package var readsOnlyRows: Bool { paths.allSatisfy { $0.path.hops.isEmpty && $0.path.subscripts.isEmpty } }
}
