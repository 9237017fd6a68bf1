// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The execution of a query in one version of the database.
///
/// One of the conjunctive conditions may have an access path to few objects; the others are then evaluated on those
/// objects only. Otherwise all rows are scanned, leaf by leaf. The condition that excludes the most rows in the least
/// time is evaluated first. In large tables, a sample provides the estimate.
struct QueryPlan {
    let table: Table
    let total: Int
    private let source: any TableSource
    private let access: (any AccessPath)?
    /// The conditions on the objects of `access`, or on all objects, in the order of evaluation.
    private let parts: [Condition]
    private let rowFilters: [RowFilter]
    private let rowFilter: RowFilter
    private let plannerOptions: PlannerOptions
    /// The index in `parts` of the condition that `access` answers except for a few objects.
    private let answered: Int?

    init?(_ query: Query, in source: any TableSource) throws {
        guard let table = try source.table(query.table) else { return nil }
        try self.init(query.condition, table, in: source, query.plannerOptions)
    }

    init(_ condition: Condition, _ table: Table, in source: any TableSource, _ plannerOptions: PlannerOptions) throws {
        self.table = table
        self.source = source
        self.plannerOptions = plannerOptions
        total = try table.count()
        if let lookup = try IndexLookup(ofOneValue: condition, in: table), QueryPlan.isSelective(lookup) {
            (access, parts, rowFilters, answered) = (lookup, [], [], nil)
            rowFilter = ConjunctionFilter(inOrder: [])
            return
        }
        var parts: [Condition] = []
        condition.collectConjuncts(&parts)
        var rowFilters: [RowFilter] = []
        for part in parts { rowFilters.append(try part.rowFilter(in: source)) }
        let usesSampling = total >= plannerOptions.samplingThreshold
        let selectivities =
            usesSampling && parts.count > 1 ? try QueryPlan.sample(rowFilters, table) : rowFilters.map(\.selectivity)
        let selector = AccessPathSelector(source: source, table: table, total: total, plannerOptions: plannerOptions)
        var best = try selector.best(of: parts)
        if let found = best?.access, !plannerOptions.alwaysUsesAccess,
            !QueryPlan.isBetter(found, than: rowFilters, selectivities, total)
        {
            best = nil
        }
        access = best?.access
        let order = parts.indices.filter { best?.index != $0 || best?.access.isExact == false }
            .ordered {
                (QueryPlan.rank(rowFilters[$0], selectivities[$0]), $0) < (
                    QueryPlan.rank(rowFilters[$1], selectivities[$1]), $1
                )
            }
        self.parts = order.map { parts[$0] }
        self.rowFilters = order.map { rowFilters[$0] }
        answered = best.flatMap { best in order.firstIndex(of: best.index) }
        rowFilter = order.count == 1 ? rowFilters[order[0]] : ConjunctionFilter(inOrder: self.rowFilters)
    }

    // MARK: Costs

    private static func rank(_ rowFilter: RowFilter, _ selectivity: Double) -> Double {
        rowFilter.cost / max(1 - selectivity, 0.001)
    }

    /// A scan may first have to read the rows from a disk, so a few objects are always found one by one.
    private static func isSelective(_ access: some AccessPath) -> Bool {
        access.totalCost < 10_000 && access.estimate <= 16
    }

    private static func isBetter(
        _ access: any AccessPath, than rowFilters: [RowFilter], _ selectivities: [Double], _ total: Int
    ) -> Bool {
        if isSelective(access) { return true }
        return access.totalCost < scanCost(rowFilters, selectivities, total)
    }

    private static func scanCost(_ rowFilters: [RowFilter], _ selectivities: [Double], _ total: Int) -> Double {
        let order = rowFilters.indices.ordered {
            rank(rowFilters[$0], selectivities[$0]) < rank(rowFilters[$1], selectivities[$1])
        }
        var (cost, selectivity) = (0.2, 1.0)
        for index in order {
            cost += selectivity * rowFilters[index].cost
            selectivity *= selectivities[index]
        }
        return cost * Double(total)
    }

    /// The estimated time of the plan, in nanoseconds.
    var cost: Double {
        if let access { return access.totalCost + access.estimate * rowFilters.reduce(0) { $0 + $1.cost } }
        return QueryPlan.scanCost(rowFilters, rowFilters.map(\.selectivity), total)
    }

    func estimate() throws -> Double {
        try sampledSelectivities().reduce(access?.estimate ?? Double(total), *)
    }

    private func sampledSelectivities() throws -> [Double] {
        var selectivities =
            total >= RowSet.capacity ? try QueryPlan.sample(rowFilters, table) : rowFilters.map(\.selectivity)
        if let answered { selectivities[answered] = 1 }
        return selectivities
    }

    /// Returns the selectivity of each condition in a few leaves. It's measured on all their rows if the condition is
    /// cheap, otherwise on some.
    private static func sample(_ rowFilters: [RowFilter], _ table: Table) throws -> [Double] {
        var (seen, passed) = (rowFilters.map { _ in 0 }, rowFilters.map { _ in 0 })
        for fraction in [0.13, 0.38, 0.63, 0.88] {
            let leaf = try table.clusters.leaf(near: fraction)
            for (index, rowFilter) in rowFilters.enumerated() {
                let count = min(leaf.count, rowFilter.cost > 25 ? 16 : RowSet.capacity)
                let block = RowBlock(leaf: leaf, start: 0, count: count)
                seen[index] += count
                passed[index] += try rowFilter.filter(block, block.allRows).count
            }
        }
        return rowFilters.indices.map { index in
            // Rows that don't occur in a sample may still exist.
            let least = min(rowFilters[index].selectivity, 0.5 / Double(seen[index] + 1))
            return max(Double(passed[index]) / Double(max(seen[index], 1)), least)
        }
    }

    // MARK: Execution

    func objects(first limit: Int = .max) throws -> [ObjectKey] {
        guard limit > 0 else { return [] }
        if let access, rowFilters.isEmpty {
            let keys = try access.keys()
            return limit < keys.count ? Array(keys.prefix(limit)) : keys
        }
        if limit == .max, let scan = try parallelScan() { return try scan.objects() }
        var result: [ObjectKey] = []
        try forEachMatch { block, rows in
            block.append(rows, to: &result)
            return result.count < limit
        }
        if result.count > limit { result.removeLast(result.count - limit) }
        return result
    }

    func count() throws -> Int {
        if rowFilters.isEmpty { return try access?.count() ?? total }
        if let scan = try parallelScan() { return try scan.count() }
        var count = 0
        if access == nil {
            try table.clusters.forEachPiece { piece in
                count += try rowFilter.count(piece, of: table.clusters)
                return true
            }
        } else {
            try forEachMatch { _, rows in
                count += rows.count
                return true
            }
        }
        return count
    }

    private func parallelScan() throws -> ParallelScan? {
        guard access == nil, !rowFilters.isEmpty,
            let pass = try ParallelPass(over: table, in: source, cost: cost, plannerOptions)
        else { return nil }
        return ParallelScan(pass: pass, table: table, parts: parts)
    }

    /// Calls `body` with the matching rows of one block after the other, in the order of the table, until it returns
    /// false.
    func forEachMatch(_ body: (RowBlock, RowSet) throws -> Bool) throws {
        guard let access else {
            return try table.clusters.forEachBlock(reading: rowFilter.prefetchColumn) { block in
                let rows = try rowFilter.filter(block, block.allRows)
                return rows.isEmpty ? true : try body(block, rows)
            }
        }
        try forEachMatch(of: try access.keys(), rowFilter, body)
    }

    private func forEachMatch(
        of keys: [ObjectKey], _ rowFilter: RowFilter, _ body: (RowBlock, RowSet) throws -> Bool
    ) throws {
        var cursor = ObjectCursor(table)
        for key in keys {
            guard let position = try cursor.find(key), try rowFilter.matches(position) else { continue }
            let block = RowBlock(leaf: position.leaf, start: position.row, count: 1)
            guard try body(block, RowSet(count: 1)) else { return }
        }
    }

    func explain() throws -> (steps: [PlanStep], keys: [ObjectKey]) {
        let selectivities = try sampledSelectivities()
        let counting = rowFilters.map { CountingFilter($0) }
        let all = ConjunctionFilter(inOrder: counting)
        var (keys, steps) = ([ObjectKey](), [PlanStep]())
        func collect(_ block: RowBlock, _ rows: RowSet) -> Bool {
            block.append(rows, to: &keys)
            return true
        }
        if let access {
            let (step, found) = try access.explain()
            steps.append(step)
            try forEachMatch(of: found, all, collect)
        } else {
            steps.append(PlanStep("scan of \(table.displayName) (\(total) objects)"))
            try table.clusters.forEachBlock { block in
                let rows = try all.filter(block, block.allRows)
                return rows.isEmpty ? true : collect(block, rows)
            }
        }
        var estimate = access?.estimate ?? Double(total)
        for (rowFilter, selectivity) in zip(counting, selectivities) {
            estimate *= selectivity
            steps.append(PlanStep("then \(rowFilter.text)", estimated: estimate, actual: rowFilter.passed))
        }
        return (steps, keys)
    }
}

private final class CountingFilter: RowFilter {
    private let rowFilter: RowFilter
    private(set) var passed = 0

    init(_ rowFilter: RowFilter) { self.rowFilter = rowFilter }

    override var cost: Double { rowFilter.cost }
    override var selectivity: Double { rowFilter.selectivity }
    override var text: String { rowFilter.text }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        let rows = try rowFilter.filter(block, rows)
        passed += rows.count
        return rows
    }
}

extension Condition {
    fileprivate func collectConjuncts(_ parts: inout [Condition]) {
        switch self {
        case .all(let conditions): for condition in conditions { condition.collectConjuncts(&parts) }
        case .chain(let chain): for condition in chain.conditions { condition.collectConjuncts(&parts) }
        case .constant(true): break
        default: parts.append(self)
        }
    }
}
