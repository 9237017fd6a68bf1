// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

final class ComputedFilter: RowFilter {
    private let left: NumberExpression
    private let right: NumberExpression
    private let test: PairTest
    private let comparison: Comparison
    private let sides: [Side]
    private var values: [StoredValue] = []

    /// Reads one of the paths. A separate object, because following one path reads the next ones.
    private final class Side {
        var walker: PathWalker
        var reader: PathValueReader

        init(_ path: ResolvedPath, in source: any TableSource) throws {
            walker = try PathWalker(path, hops: path.hops, in: source)
            reader = try PathValueReader(path, walker.table, in: source)
        }

        func contains(_ position: ClusterTree.Position, where body: (StoredValue) throws -> Bool) throws -> Bool {
            try walker.contains(position) { object in
                guard let object else { return try body(.null) }
                return try reader.contains(object, where: body)
            }
        }
    }

    init(
        _ left: NumberExpression, _ test: PairTest, _ right: NumberExpression, text: Comparison,
        in source: any TableSource
    ) throws {
        self.left = left
        self.right = right
        self.test = test
        comparison = text
        sides = try (left.paths + right.paths).map { try Side($0, in: source) }
    }

    override var text: String { comparison.planText }
    override var cost: Double {
        sides.flatMap(\.walker.path.hops).cost(ofEnd: 20 + 30 * Double(sides.count))
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        values.removeAll(keepingCapacity: true)
        return try rows.filter { try contains(block.position(of: $0)) }
    }

    /// Returns whether a combination of values passes. At most one of the paths has several values.
    private func contains(_ position: ClusterTree.Position) throws -> Bool {
        let index = values.count
        guard index < sides.count else {
            var rest = values[...]
            let a = left.value(&rest)
            return test.matches(a, right.value(&rest))
        }
        return try sides[index].contains(position) { value in
            values.append(value)
            defer { values.removeLast() }
            return try contains(position)
        }
    }
}
