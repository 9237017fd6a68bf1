// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition at work on one version of the database: narrows sets of rows down.
///
/// Runners remember nodes they have read, so they live no longer than one call of a query and stay in its thread.
class Runner {
    /// How many nanoseconds one row takes, roughly.
    var cost: Double { 0.3 }
    /// What takes longer is not told apart, so that sums and products of costs stay numbers.
    static let greatestCost = 1e12
    /// The share of rows that satisfy the condition, as far as it can be told without looking.
    var share: Double { 0.5 }
    /// What it does, for plans.
    var text: String { "" }
    /// A column whose leaves it reads from end to end, which a scan has fetched ahead.
    var columnAhead: Column? { nil }

    /// Those of `rows` that satisfy the condition.
    func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet { rows }

    /// How many rows of a piece of the table satisfy it.
    func count(_ piece: ClusterPiece, of clusters: ClusterTree) throws -> Int {
        var count = 0
        try clusters.forEachBlock(in: piece, reading: columnAhead) { block in
            count += try filter(block, block.allRows).count
            return true
        }
        return count
    }

    /// Whether one object satisfies it.
    final func matches(_ position: ClusterTree.Position) throws -> Bool {
        let block = RowBlock(leaf: position.leaf, start: position.row, count: 1)
        return try !filter(block, RowSet(count: 1)).isEmpty
    }

    /// Calls `body` with the places in a run of the rows that satisfy it, in the order of the run, until it returns
    /// false; and returns whether it never did.
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

final class ConstantRunner: Runner {
    private let value: Bool

    init(_ value: Bool) { self.value = value }

    override var cost: Double { 0 }
    override var share: Double { value ? 1 : 0 }
    override var text: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    override func filter(_ block: RowBlock, _ rows: RowSet) -> RowSet { value ? rows : RowSet() }
}

/// Each condition sees only the rows that the ones before have left over.
final class AllRunner: Runner {
    let parts: [Runner]

    /// Conditions in the order in which they are tried.
    init(inOrder parts: [Runner]) { self.parts = parts }

    /// First comes what rules out the most rows in the least time.
    init(_ parts: [Runner]) {
        self.parts = parts.inOrder { $0.cost / max(1 - $0.share, 0.001) }
    }

    override var cost: Double {
        parts.reduce((cost: 0.0, share: 1.0)) { ($0.cost + $0.share * $1.cost, $0.share * $1.share) }.cost
    }
    override var share: Double { parts.reduce(1) { $0 * $1.share } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " AND ") }
    override var columnAhead: Column? { parts.first?.columnAhead }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        var rows = rows
        for part in parts where !rows.isEmpty { rows = try part.filter(block, rows) }
        return rows
    }
}

/// Each condition sees only the rows that the ones before have not accepted.
final class AnyRunner: Runner {
    private let parts: [Runner]

    init(_ parts: [Runner]) {
        self.parts = parts.inOrder { $0.cost / max($0.share, 0.001) }
    }

    override var cost: Double {
        parts.reduce((cost: 0.0, rest: 1.0)) { ($0.cost + $0.rest * $1.cost, $0.rest * (1 - $1.share)) }.cost
    }
    override var share: Double { 1 - parts.reduce(1) { $0 * (1 - $1.share) } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " OR ") }
    override var columnAhead: Column? { parts.first?.columnAhead }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        var rest = rows
        for part in parts where !rest.isEmpty { rest = rest.subtracting(try part.filter(block, rest)) }
        return rows.subtracting(rest)
    }
}

final class NotRunner: Runner {
    private let part: Runner
    /// Whether the condition as it was written is negative already: ALL and NONE.
    private let isWrittenSo: Bool

    init(_ part: Runner, isWrittenSo: Bool) {
        self.part = part
        self.isWrittenSo = isWrittenSo
    }

    override var cost: Double { part.cost }
    override var share: Double { 1 - part.share }
    override var text: String { isWrittenSo ? part.text : "NOT (\(part.text))" }
    override var columnAhead: Column? { part.columnAhead }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        rows.subtracting(try part.filter(block, rows))
    }
}

extension [ResolvedPath.Hop] {
    /// What it takes to follow them from an object to all ends, if `end` is what one of these takes.
    func cost(ofEnd end: Double) -> Double {
        Swift.min(reduce(end) { $0 * ($1.kind.isToOne ? 3 : 15) }, Runner.greatestCost)
    }
}

extension [Runner] {
    /// Ascending by `rank`; those of the same rank stay in their order.
    func inOrder(_ rank: (Runner) -> Double) -> [Runner] {
        let ranks = map(rank)
        return indices.ordered { (ranks[$0], $0) < (ranks[$1], $1) }.map { self[$0] }
    }
}
