// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

final class PathFilter: RowFilter {
    private let test: ValueTest
    private let comparison: Comparison
    private var walker: PathWalker
    private var reader: PathValueReader
    /// The test of a single-value property at the end, which creates no value for each object.
    private var column: ColumnFilter?

    init(_ path: ResolvedPath, _ test: ValueTest, text: Comparison, in source: any TableSource) throws {
        self.test = test
        comparison = text
        walker = try PathWalker(path, hops: path.hops, in: source)
        reader = try PathValueReader(path, walker.table, in: source)
        if case .column(let key) = path.end, path.aspect == .value {
            column = ColumnFilter(try walker.table.require(key), test, text: text)
        }
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        walker.path.hops.cost(ofEnd: 20) + (column?.cost ?? 15)
    }
    override var selectivity: Double { column?.selectivity ?? 0.3 }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { try leadsToMatch(block.position(of: $0)) }
    }

    /// Filters like `filter(_:_:)` and counts the followed links. Returns no rows if there are more than `limit`.
    func filter(_ block: RowBlock, _ rows: RowSet, following limit: Int) throws -> (rows: RowSet?, links: Int) {
        let before = walker.linkCount
        let found = try rows.filter {
            guard walker.linkCount - before <= limit else { return false }
            return try leadsToMatch(block.position(of: $0))
        }
        let links = walker.linkCount - before
        return (links <= limit ? found : nil, links)
    }

    private func leadsToMatch(_ position: ClusterTree.Position) throws -> Bool {
        try walker.contains(position) { object in
            guard let object else { return test.matchesNull }
            if let column { return try column.matches(object) }
            return try reader.contains(object) { test.matches($0) }
        }
    }
}

final class PairFilter: RowFilter {
    private let test: PairTest
    private let comparison: Comparison
    private var left: (walker: PathWalker, reader: PathValueReader)
    private var right: (walker: PathWalker, reader: PathValueReader)

    init(
        _ left: ResolvedPath, _ test: PairTest, _ right: ResolvedPath, text: Comparison, in source: any TableSource
    ) throws {
        self.test = test
        comparison = text
        self.left = try PairFilter.side(left, source)
        self.right = try PairFilter.side(right, source)
    }

    private static func side(
        _ path: ResolvedPath, _ source: any TableSource
    ) throws -> (walker: PathWalker, reader: PathValueReader) {
        let walker = try PathWalker(path, hops: path.hops, in: source)
        return (walker, try PathValueReader(path, walker.table, in: source))
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        (left.walker.path.hops + right.walker.path.hops).cost(ofEnd: 40)
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            let position = block.position(of: row)
            return try PairFilter.contains(&left, position) { a in
                try PairFilter.contains(&right, position) { b in test.matches(a, b) }
            }
        }
    }

    private static func contains(
        _ side: inout (walker: PathWalker, reader: PathValueReader), _ position: ClusterTree.Position,
        _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        var reader = side.reader
        defer { side.reader = reader }
        // Links at the end of a path through a collection are objects; a null link isn't an object.
        let skipsNull = side.walker.path.type == .link && side.walker.path.isToMany
        return try side.walker.contains(position) { object in
            guard let object else { return try body(.null) }
            return try reader.contains(object) { value in
                guard !skipsNull || !value.isNull else { return false }
                return try body(value)
            }
        }
    }
}

final class SubqueryFilter: RowFilter {
    private let test: ValueTest
    private let comparison: Comparison
    private var walker: PathWalker
    private let condition: RowFilter
    /// Results for tested objects, if the test is slow and several paths lead to one object.
    private var known: [ObjectKey: Bool]?

    init(
        _ path: ResolvedPath, _ condition: RowFilter, _ test: ValueTest, text: Comparison, in source: any TableSource
    ) throws {
        self.test = test
        self.condition = condition
        comparison = text
        walker = try PathWalker(path, hops: path.hops, in: source)
        known = condition.cost < 250 ? nil : [:]
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        min(walker.path.hops.cost(ofEnd: 20) + (30 + condition.cost) * 10, RowFilter.maxCost)
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            test.matches(.int(try walker.count(block.position(of: row), where: isCounted)))
        }
    }

    private func isCounted(_ object: ClusterTree.Position) throws -> Bool {
        guard known != nil else { return try condition.matches(object) }
        let key = object.leaf.key(at: object.row)
        if let result = known?[key] { return result }
        let result = try condition.matches(object)
        known?[key] = result
        return result
    }
}
