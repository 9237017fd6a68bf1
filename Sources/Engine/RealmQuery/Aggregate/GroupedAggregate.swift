// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The number of objects, or an aggregate of a property, for each value of another property.
///
/// Usable with every version in which its columns exist. Makes one pass over the rows, without an allocation per row.
package struct GroupedAggregate: Sendable {
    package struct Group: Sendable {
        package let key: StoredValue
        package let value: StoredValue
    }

    private let table: TableKey
    private let path: ScalarPath
    /// nil for a count.
    private let aggregate: Aggregate?

    /// `path` may pass through to-one links. Objects with a null link are in the group of null.
    package init(
        by path: PropertyPath, _ aggregate: Aggregate?, on key: TableKey, in source: any TableSource,
        names: PropertyNames = .stored
    ) throws {
        table = key
        self.aggregate = aggregate
        self.path = try ScalarPath(path, verb: "group", from: try source.require(key), in: source, names: names)
    }

    /// Returns the groups in the order of their keys.
    package func groups(of query: Query? = nil, in source: any TableSource) throws -> [Group] {
        guard let table = try source.table(table) else { return [] }
        var folding = try Folding(path, aggregate, table, in: source)
        if let query {
            try QueryPlan(query, in: source)?.forEachMatch { block, rows in
                try rows.forEach { row in
                    try folding.add(block.position(of: row))
                    return true
                }
                return true
            }
        } else {
            try table.clusters.forEachBlock { block in
                for row in 0..<block.count { try folding.add(block.position(of: row)) }
                return true
            }
        }
        return folding.groups
    }

    /// Counts each object as often as it occurs. Deleted objects are ignored.
    package func groups(over keys: some Sequence<ObjectKey>, in source: any TableSource) throws -> [Group] {
        guard let table = try source.table(table) else { return [] }
        var folding = try Folding(path, aggregate, table, in: source)
        var cursor = ObjectCursor(table)
        for key in keys {
            if let position = try cursor.find(key) { try folding.add(position) }
        }
        return folding.groups
    }
}

private struct Folding {
    private var table = GroupTable()
    private var counts: [Int] = []
    private var accumulators: [Accumulator] = []
    private var reader: ScalarReader
    private var values: (leaves: ColumnLeaves, empty: Accumulator)?

    init(_ path: ScalarPath, _ aggregate: Aggregate?, _ table: Table, in source: any TableSource) throws {
        reader = try ScalarReader(path, in: source)
        guard let aggregate else { return }
        values = (
            ColumnLeaves(try table.require(aggregate.column)),
            Accumulator(aggregate.operation, aggregate.column.type ?? .int)
        )
    }

    mutating func add(_ position: ClusterTree.Position) throws {
        let group = table.number(of: try reader.value(position) ?? .null)
        if group == counts.count {
            counts.append(0)
            if let values { accumulators.append(values.empty) }
        }
        counts[group] += 1
        guard let leaf = try values?.leaves.leaf(of: position.leaf) else { return }
        accumulators[group].add(try leaf.value(at: position.row))
    }

    /// Values that are stored differently but equal, such as the decimals 1 and 1.0, form one group.
    var groups: [GroupedAggregate.Group] {
        let order = SortOrder.permutation(of: table.values)
        var groups: [GroupedAggregate.Group] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, StoredValue.compare(table.values[order[start]], table.values[order[end]]) == 0 {
                end += 1
            }
            groups.append(group(order[start..<end]))
            start = end
        }
        return groups
    }

    private func group(_ numbers: ArraySlice<Int>) -> GroupedAggregate.Group {
        let first = numbers[numbers.startIndex]
        let value: StoredValue
        if accumulators.isEmpty {
            value = .int(Int64(numbers.reduce(0) { $0 + counts[$1] }))
        } else {
            var accumulator = accumulators[first]
            for number in numbers.dropFirst() { accumulator.add(accumulators[number]) }
            value = accumulator.result
        }
        return GroupedAggregate.Group(key: table.values[first], value: value)
    }
}
