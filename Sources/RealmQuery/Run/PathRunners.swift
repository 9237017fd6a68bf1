// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A test of what is at the end of a path, object by object.
final class PathRunner: Runner {
    private let test: ValueTest
    private let comparison: Comparison
    private var walker: PathWalker
    private var reader: EndReader
    /// The test of a single-value property at the end, which needs no value for each object.
    private var column: ColumnRunner?

    init(_ path: ResolvedPath, _ test: ValueTest, text: Comparison, in source: any TableSource) throws {
        self.test = test
        comparison = text
        walker = try PathWalker(path, hops: path.hops, in: source)
        reader = try EndReader(path, walker.table, in: source)
        if case .column(let key) = path.end, !path.asksType {
            column = ColumnRunner(try walker.table.require(key), test, text: text)
        }
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        walker.path.hops.reduce(20) { $0 * ($1.kind.isToOne ? 3 : 15) } + (column?.cost ?? 15)
    }
    override var share: Double { column?.share ?? 0.3 }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            try walker.contains(block.position(of: row)) { object in
                guard let object else { return test.matchesNull }
                if let column { return try column.matches(object) }
                return try reader.contains(object) { test.matches($0) }
            }
        }
    }
}

/// A comparison of what is at the ends of two paths, object by object.
final class PairRunner: Runner {
    private let test: PairTest
    private let comparison: Comparison
    private var left: (walker: PathWalker, reader: EndReader)
    private var right: (walker: PathWalker, reader: EndReader)

    init(
        _ left: ResolvedPath, _ test: PairTest, _ right: ResolvedPath, text: Comparison, in source: any TableSource
    ) throws {
        self.test = test
        comparison = text
        self.left = try PairRunner.side(left, source)
        self.right = try PairRunner.side(right, source)
    }

    private static func side(
        _ path: ResolvedPath, _ source: any TableSource
    ) throws -> (walker: PathWalker, reader: EndReader) {
        let walker = try PathWalker(path, hops: path.hops, in: source)
        return (walker, try EndReader(path, walker.table, in: source))
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        (left.walker.path.hops + right.walker.path.hops).reduce(40) { $0 * ($1.kind.isToOne ? 3 : 15) }
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            let position = block.position(of: row)
            return try PairRunner.contains(&left, position) { a in
                try PairRunner.contains(&right, position) { b in test.matches(a, b) }
            }
        }
    }

    private static func contains(
        _ side: inout (walker: PathWalker, reader: EndReader), _ position: ClusterTree.Position,
        _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        var reader = side.reader
        defer { side.reader = reader }
        return try side.walker.contains(position) { object in
            guard let object else { return try body(.null) }
            return try reader.contains(object, where: body)
        }
    }
}

/// The number of objects at the end of a path that satisfy a condition.
final class SubqueryRunner: Runner {
    private let test: ValueTest
    private let comparison: Comparison
    private var walker: PathWalker
    private let condition: Runner

    init(
        _ path: ResolvedPath, _ condition: Runner, _ test: ValueTest, text: Comparison, in source: any TableSource
    ) throws {
        self.test = test
        self.condition = condition
        comparison = text
        walker = try PathWalker(path, hops: path.hops, in: source)
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        walker.path.hops.reduce(20) { $0 * ($1.kind.isToOne ? 3 : 15) } + (30 + condition.cost) * 10
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            var count: Int64 = 0
            _ = try walker.contains(block.position(of: row)) { object in
                if let object, try condition.matches(object) { count += 1 }
                return false
            }
            return test.matches(.int(count))
        }
    }
}
