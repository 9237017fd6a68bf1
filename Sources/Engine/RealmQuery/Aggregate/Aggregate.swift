// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The minimum, maximum, sum or average of a property over objects.
///
/// Usable with every version in which its column exists. Nulls are ignored. Without values, the sum is zero and every
/// other aggregate is null.
package struct Aggregate: Sendable {
    package let operation: AggregateOperation
    package let table: TableKey
    let column: ColumnKey
    var plannerOptions = PlannerOptions()

    package init(
        _ operation: AggregateOperation, of property: String, on key: TableKey, in source: any TableSource,
        names: PropertyNames = .stored
    ) throws {
        self.operation = operation
        table = key
        let table = try source.require(key)
        let className = table.displayName
        guard let found = names.lookUp(className, property) else {
            throw Aggregate.unknown(property, className)
        }
        guard case .column(let stored) = found else {
            throw Aggregate.unsupported(operation, "linking objects", property, className)
        }
        guard let column = table.column(named: stored) else { throw Aggregate.unknown(property, className) }
        guard !column.key.isCollection, operation.accepts(column.type) else {
            throw Aggregate.unsupported(operation, TypeNames.name(column), property, className)
        }
        self.column = column.key
    }

    private static func unknown(_ property: String, _ className: String) -> PredicateError {
        PredicateError(.invalidProperty, "Property '\(property)' not found in object of type '\(className)'")
    }

    private static func unsupported(
        _ operation: AggregateOperation, _ type: String, _ property: String, _ className: String
    ) -> PredicateError {
        PredicateError(
            .exception,
            "Operation '\(operation.rawValue)' not supported for \(type) property '\(className).\(property)'")
    }

    package func value(in source: any TableSource) throws -> StoredValue {
        guard let table = try source.table(table) else { return empty.result }
        let column = try table.require(column)
        let cost = Double(try table.count()) * Aggregate.nanosecondsPerRow
        guard isAssociative, let pass = try ParallelPass(over: table, in: source, cost: cost, plannerOptions) else {
            var accumulator = empty
            try table.clusters.forEachColumnLeaf(column.leafIndex, column.leafKind) {
                try accumulator.add($0, from: 0, count: $1)
            }
            return accumulator.result
        }
        let found = try pass.run {
            { (piece: ClusterPiece) in
                var accumulator = empty
                try table.clusters.forEachColumnLeaf(in: piece, column.leafIndex, column.leafKind) {
                    try accumulator.add($0, from: 0, count: $1)
                }
                return accumulator
            }
        }
        return found.reduce(into: empty) { $0.add($1) }.result
    }

    private var empty: Accumulator { Accumulator(operation, column.type ?? .int) }

    /// Measured on one thread with integers, the fastest type.
    private static let nanosecondsPerRow = 0.35

    /// Whether the results of parts can be combined without changing the result. Sums of types other than integers are
    /// rounded per part, and Mixed numbers have no total order (content 13.20).
    private var isAssociative: Bool {
        switch column.type {
        case .int: true
        case .float, .double, .timestamp: operation == .min || operation == .max
        default: false
        }
    }

    /// Counts each object as often as it occurs. Deleted objects are ignored.
    package func value(over keys: some Sequence<ObjectKey>, in source: any TableSource) throws -> StoredValue {
        var accumulator = empty
        guard let table = try source.table(table) else { return accumulator.result }
        let column = try table.require(column)
        try table.forEachRun(of: Array(keys)) { run, _ in
            try accumulator.add(try run.leaf.column(column.leafIndex, column.leafKind), run)
        }
        return accumulator.result
    }

    /// - Precondition: `list` is a list or set of values of `type`, which the operation accepts.
    package static func value(
        _ operation: AggregateOperation, of type: ColumnType, over list: BPlusTree
    ) throws -> StoredValue {
        var accumulator = Accumulator(operation, type)
        try list.forEachLeaf { leaf in
            try accumulator.add(leaf.leaf, from: 0, count: leaf.leaf.count)
            return true
        }
        return accumulator.result
    }
}

extension Accumulator {
    /// Adds consecutive rows, without creating a value for each Int or Double.
    mutating func add(_ leaf: ColumnLeaf, from start: Int, count: Int) throws {
        switch (type, operation) {
        case (.int, .min): leaf.minInt(from: start, count: count).map { add(.int($0)) }
        case (.int, .max): leaf.maxInt(from: start, count: count).map { add(.int($0)) }
        case (.int, _): add(leaf.sumOfInts(from: start, count: count))
        case (.double, .sum), (.double, .average):
            let (sum, found) = leaf.sumOfDoubles(from: start, count: count, to: total)
            set(total: sum, adding: found)
        case (.double, .min): leaf.extremeDoubles(from: start, count: count).map { add(.double($0.least)) }
        case (.double, .max): leaf.extremeDoubles(from: start, count: count).map { add(.double($0.greatest)) }
        default:
            for row in start..<start + count { add(try leaf.value(at: row)) }
        }
    }

    mutating func add(_ leaf: ColumnLeaf, _ run: RowRun) throws {
        switch (type, operation) {
        case (.int, .min): leaf.extremeInts(of: run).map { add(.int($0.lowerBound)) }
        case (.int, .max): leaf.extremeInts(of: run).map { add(.int($0.upperBound)) }
        case (.int, _): add(leaf.sumOfInts(of: run))
        case (.double, .sum), (.double, .average):
            let (sum, found) = leaf.sumOfDoubles(of: run, to: total)
            set(total: sum, adding: found)
        case (.double, .min): leaf.extremeDoubles(of: run).map { add(.double($0.least)) }
        case (.double, .max): leaf.extremeDoubles(of: run).map { add(.double($0.greatest)) }
        default:
            for row in run.rows { add(try leaf.value(at: row)) }
        }
    }

    private mutating func add(_ sum: ColumnLeaf.IntSum) {
        add(sum: sum.low, count: 0)
        add(low: UInt64(bitPattern: sum.high << 32), high: sum.high >> 32)
        add(sum: 0, count: sum.count)
    }
}
