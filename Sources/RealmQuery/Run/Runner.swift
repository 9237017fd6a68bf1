// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition at work on one version of the database: narrows sets of rows down.
///
/// Runners remember nodes they have read, so they live no longer than one call of a query and stay in its thread.
class Runner {
    /// How long one row takes, roughly, in units of a comparison of packed integers.
    var cost: Double { 1 }
    /// What it does, for `explain`.
    var text: String { "" }

    /// Those of `rows` that satisfy the condition.
    func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet { rows }

    /// Whether one object satisfies it.
    final func matches(_ position: ClusterTree.Position) throws -> Bool {
        let block = RowBlock(leaf: position.leaf, start: position.row, count: 1)
        return try !filter(block, RowSet(count: 1)).isEmpty
    }
}

final class ConstantRunner: Runner {
    private let value: Bool

    init(_ value: Bool) { self.value = value }

    override var cost: Double { 0 }
    override var text: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    override func filter(_ block: RowBlock, _ rows: RowSet) -> RowSet { value ? rows : RowSet() }
}

/// Each condition sees only the rows that the ones before have left over; the cheapest comes first.
final class AllRunner: Runner {
    let parts: [Runner]

    init(_ parts: [Runner]) {
        // Sorting pairs keeps the order of conditions that cost the same.
        self.parts = parts.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
    }

    override var cost: Double { parts.reduce(0) { $0 + $1.cost } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " AND ") }

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
        self.parts = parts.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
    }

    override var cost: Double { parts.reduce(0) { $0 + $1.cost } }
    override var text: String { parts.map { "(\($0.text))" }.joined(separator: " OR ") }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        var rest = rows
        for part in parts where !rest.isEmpty { rest = rest.subtracting(try part.filter(block, rest)) }
        return rows.subtracting(rest)
    }
}

final class NotRunner: Runner {
    private let part: Runner

    init(_ part: Runner) { self.part = part }

    override var cost: Double { part.cost }
    override var text: String { "NOT (\(part.text))" }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        rows.subtracting(try part.filter(block, rows))
    }
}
