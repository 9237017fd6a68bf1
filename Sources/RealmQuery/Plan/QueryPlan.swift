// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// How a query finds its objects in one version of the database.
///
/// Of the conditions that have to hold together, one may be answered by an index if that leaves few objects; the
/// others then look at those only. Without such a condition all rows are scanned, leaf by leaf.
struct QueryPlan: CustomStringConvertible {
    let table: Table
    private let lookup: IndexLookup?
    /// How many objects the index is expected to find.
    private let estimate: Int
    private let runner: Runner
    /// Whether `runner` accepts every object.
    private let isUnconditional: Bool

    /// nil if the table is gone.
    init?(_ query: Query, in source: any TableSource) throws {
        guard let table = try source.table(query.table) else { return nil }
        self.table = table
        var parts: [Condition] = []
        query.condition.collectConjuncts(&parts)
        let best = try QueryPlan.bestLookup(parts, table)
        lookup = best?.lookup
        estimate = best?.estimate ?? 0
        if let best { parts.remove(at: best.index) }
        isUnconditional = parts.isEmpty
        let runners = try parts.map { try $0.runner(in: source) }
        runner = runners.count == 1 ? runners[0] : AllRunner(runners)
    }

    var matchesAll: Bool { lookup == nil && isUnconditional }

    /// The look-up that finds the fewest objects, if those are so few that finding them one by one is faster than a
    /// scan.
    private static func bestLookup(
        _ parts: [Condition], _ table: Table
    ) throws -> (lookup: IndexLookup, index: Int, estimate: Int)? {
        var best: (lookup: IndexLookup, index: Int, estimate: Int)?
        var limit: Int?
        for (index, part) in parts.enumerated() {
            guard let lookup = try IndexLookup(part, in: table) else { continue }
            let most = try limit ?? max(16, table.count() / 16)
            limit = most
            guard let estimate = try lookup.estimate(in: table, limit: best?.estimate ?? most) else { continue }
            if let best, best.estimate <= estimate { continue }
            best = (lookup, index, estimate)
        }
        return best
    }

    /// Calls `body` with the matching rows of one block after the other, in the order of the table, until it returns
    /// false.
    func forEachMatch(_ body: (RowBlock, RowSet) throws -> Bool) throws {
        guard let lookup else {
            return try table.clusters.forEachBlock { block in
                let rows = try runner.filter(block, block.allRows)
                return rows.isEmpty ? true : try body(block, rows)
            }
        }
        var cursor = ObjectCursor(table)
        for key in try lookup.keys(in: table) {
            guard let position = try cursor.find(key), try runner.matches(position) else { continue }
            let block = RowBlock(leaf: position.leaf, start: position.row, count: 1)
            guard try body(block, RowSet(count: 1)) else { return }
        }
    }

    var description: String {
        let total = (try? table.count()) ?? 0
        let start =
            lookup.map {
                "index on \(table.displayName).\($0.column.name): \($0.text) (\(estimate) of \(total) objects)"
            }
            ?? "scan of \(table.displayName) (\(total) objects)"
        let steps = (runner as? AllRunner)?.parts ?? [runner]
        return ([start] + (isUnconditional ? [] : steps.map { "then \($0.text)" })).joined(separator: "\n")
    }
}

extension Condition {
    /// The conditions that have to hold together.
    fileprivate func collectConjuncts(_ parts: inout [Condition]) {
        switch self {
        case .all(let conditions): for condition in conditions { condition.collectConjuncts(&parts) }
        case .constant(true): break
        default: parts.append(self)
        }
    }
}
