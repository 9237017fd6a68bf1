// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The first few objects of an order, found in one pass over all candidates.
///
/// It holds at most twice the requested number of objects. When it has enough, other objects must precede the last of
/// them. If the order begins with a column that can be scanned, a scan finds the rows that may precede it.
struct TopSelection {
    private var table: SortTable
    private let limit: Int
    private let capacity: Int
    private var leading: LeadingScan?
    private var cursor: ObjectCursor
    /// Whether the first `limit` objects of `table` are the best so far, in order.
    private var isFull = false

    init(_ paths: [SortPath], first limit: Int, of table: Table, in source: any TableSource) throws {
        self.table = try SortTable(paths, in: source)
        self.limit = limit
        capacity = 2 * limit + 16
        leading = try LeadingScan(paths, of: table)
        cursor = ObjectCursor(table)
    }

    fileprivate var prefetchColumn: Column? { leading?.column }

    mutating func offer(_ block: RowBlock, _ rows: RowSet) throws {
        var rest = try candidates(block, rows)
        while let row = rest.first {
            rest = rest.subtracting(RowSet(count: row + 1))
            // Each new bound may exclude more of the rest.
            if try offer(block.key(at: row), block.position(of: row)) { rest = try candidates(block, rest) }
        }
    }

    /// Returns whether there is a new bound, which other objects must precede.
    @discardableResult
    mutating func offer(_ key: ObjectKey, _ position: ClusterTree.Position) throws -> Bool {
        try table.append(key, position)
        let last = table.keys.count - 1
        if isFull, table.order(last, limit - 1) >= 0 {
            table.removeLast()
            return false
        }
        guard table.keys.count >= (isFull ? capacity : limit) else { return false }
        flush()
        isFull = true
        if let position = try cursor.find(table.keys[limit - 1]) { try leading?.setBound(position) }
        return true
    }

    mutating func finish() -> [ObjectKey] {
        flush()
        return table.keys
    }

    private mutating func flush() {
        table.keep(table.sortedIndexes().prefix(limit))
    }

    private mutating func candidates(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        isFull ? try leading?.candidates(block, rows) ?? rows : rows
    }
}

extension SortOrder {
    package func first(
        _ limit: Int, of keys: some Sequence<ObjectKey>, in source: any TableSource
    ) throws -> [ObjectKey] {
        guard limit > 0, let table = try source.table(table) else { return [] }
        var selection = try TopSelection(paths, first: limit, of: table, in: source)
        var cursor = ObjectCursor(table)
        for key in keys {
            guard let position = try cursor.find(key) else { continue }
            try selection.offer(key, position)
        }
        return selection.finish()
    }

    package func first(_ limit: Int, of query: Query? = nil, in source: any TableSource) throws -> [ObjectKey] {
        guard limit > 0, let table = try source.table(table) else { return [] }
        var selection = try TopSelection(paths, first: limit, of: table, in: source)
        if let query {
            try QueryPlan(query, in: source)?.forEachMatch { block, rows in
                try selection.offer(block, rows)
                return true
            }
        } else {
            try table.clusters.forEachBlock(reading: selection.prefetchColumn) { block in
                try selection.offer(block, block.allRows)
                return true
            }
        }
        return selection.finish()
    }
}
