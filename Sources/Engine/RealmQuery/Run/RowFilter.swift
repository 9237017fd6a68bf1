// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition that is prepared for one version of the database, and reduces sets of rows.
///
/// Row filters cache nodes that they have read, so they are used during one call of a query, on its thread.
class RowFilter {
    /// The approximate cost of one row, in nanoseconds.
    var cost: Double { 0.3 }
    /// Limits costs, so that their sums and products stay finite.
    static let maxCost = 1e12
    var selectivity: Double { 0.5 }
    var text: String { "" }
    /// A column whose leaves the filter reads from end to end, and which a scan prefetches.
    var prefetchColumn: Column? { nil }

    func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet { rows }

    func count(_ piece: ClusterPiece, of clusters: ClusterTree) throws -> Int {
        var count = 0
        try clusters.forEachBlock(in: piece, reading: prefetchColumn) { block in
            count += try filter(block, block.allRows).count
            return true
        }
        return count
    }

    final func matches(_ position: ClusterTree.Position) throws -> Bool {
        let block = RowBlock(leaf: position.leaf, start: position.row, count: 1)
        return try !filter(block, RowSet(count: 1)).isEmpty
    }

    /// Calls `body` with the indexes in a run of the matching rows, in the order of the run, until it returns false.
    /// Returns whether it never did.
    final func forEachMatch(in run: RowRun, _ body: (Int) throws -> Bool) throws -> Bool {
        if let block = run.block { return try filter(block, block.allRows).forEach(body) }
        let (start, last) = run.rows.reduce((Int.max, 0)) { (min($0.0, $1), max($0.1, $1)) }
        var rows = RowSet()
        for row in run.rows { rows.insert(row - start) }
        let matches = try filter(RowBlock(leaf: run.leaf, start: start, count: last - start + 1), rows)
        for (place, row) in run.rows.enumerated() where matches.contains(row - start) {
            guard try body(place) else { return false }
        }
        return true
    }
}

final class ConstantFilter: RowFilter {
    private let value: Bool

    init(_ value: Bool) { self.value = value }

    override var cost: Double { 0 }
    override var selectivity: Double { value ? 1 : 0 }
    override var text: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    override func filter(_ block: RowBlock, _ rows: RowSet) -> RowSet { value ? rows : RowSet() }
}

/// Tests each condition on the rows that the previous ones have accepted.
final class ConjunctionFilter: RowFilter {
    let parts: [RowFilter]

    init(inOrder parts: [RowFilter]) { self.parts = parts }

    /// The first condition is the one that excludes the most rows in the least time.
    init(_ parts: [RowFilter]) {
        self.parts = parts.inOrder { $0.cost / max(1 - $0.selectivity, 0.001) }
    }

    override var cost: Double {
        parts.reduce((cost: 0.0, selectivity: 1.0)) {
            ($0.cost + $0.selectivity * $1.cost, $0.selectivity * $1.selectivity)
        }.cost
    }
    override var selectivity: Double { parts.reduce(1) { $0 * $1.selectivity } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " AND ") }
    override var prefetchColumn: Column? { parts.first?.prefetchColumn }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        var rows = rows
        for part in parts where !rows.isEmpty { rows = try part.filter(block, rows) }
        return rows
    }
}

/// Tests each condition on the rows that the previous ones have rejected.
final class DisjunctionFilter: RowFilter {
    private let parts: [RowFilter]

    init(_ parts: [RowFilter]) {
        self.parts = parts.inOrder { $0.cost / max($0.selectivity, 0.001) }
    }

    override var cost: Double {
        parts.reduce((cost: 0.0, rest: 1.0)) { ($0.cost + $0.rest * $1.cost, $0.rest * (1 - $1.selectivity)) }.cost
    }
    override var selectivity: Double { 1 - parts.reduce(1) { $0 * (1 - $1.selectivity) } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " OR ") }
    override var prefetchColumn: Column? { parts.first?.prefetchColumn }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        var rest = rows
        for part in parts where !rest.isEmpty { rest = rest.subtracting(try part.filter(block, rest)) }
        return rows.subtracting(rest)
    }
}

final class NegationFilter: RowFilter {
    private let part: RowFilter
    /// Whether the condition is negative as written: ALL and NONE.
    private let isWrittenSo: Bool

    init(_ part: RowFilter, isWrittenSo: Bool) {
        self.part = part
        self.isWrittenSo = isWrittenSo
    }

    override var cost: Double { part.cost }
    override var selectivity: Double { 1 - part.selectivity }
    override var text: String { isWrittenSo ? part.text : "NOT (\(part.text))" }
    override var prefetchColumn: Column? { part.prefetchColumn }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        rows.subtracting(try part.filter(block, rows))
    }
}

extension [ResolvedPath.Hop] {
    /// Returns the cost of following the hops from an object to all ends, if one end costs `end`.
    func cost(ofEnd end: Double) -> Double {
        Swift.min(reduce(end) { $0 * ($1.kind.isToOne ? 3 : 15) }, RowFilter.maxCost)
    }
}

extension [RowFilter] {
    /// Filters of the same rank keep their order.
    func inOrder(_ rank: (RowFilter) -> Double) -> [RowFilter] {
        let ranks = map(rank)
        return indices.ordered { (ranks[$0], $0) < (ranks[$1], $1) }.map { self[$0] }
    }
}
