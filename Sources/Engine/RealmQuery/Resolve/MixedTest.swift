// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A test prepared for scans of Mixed columns. Its result for each type is computed once.
struct MixedTest {
    private let test: ValueTest
    private let scan: MixedScan
    private let bytes: ByteTest

    private enum ByteTest {
        case asValues
        case asBytes(texts: Bool, data: Bool)
        /// Compares strings, or data, with the constant by order.
        case order(ColumnType, ComparisonOperator, [UInt8])
    }

    init(_ test: ValueTest) {
        self.test = ValueTest(kind: test.kind)
        var bytes = ByteTest.asValues
        switch test.kind {
        case .never: scan = MixedScan([])
        case .string, .bytes, .byteSet, .byteOrder:
            (scan, bytes) = (MixedScan([.string, .binary]), .asBytes(texts: true, data: true))
        case .data(_, let includingText):
            (scan, bytes) = (MixedScan([.string, .binary]), .asBytes(texts: includingText, data: true))
        case .text(_, let includingData):
            (scan, bytes) = (MixedScan([.string, .binary]), .asBytes(texts: true, data: includingData))
        case .words: (scan, bytes) = (MixedScan([.string]), .asBytes(texts: true, data: false))
        case .order(let operation, .string(let text)):
            (scan, bytes) = (MixedScan([.string]), .order(.string, operation, Array(text.utf8)))
        case .order(let operation, .binary(let data)):
            (scan, bytes) = (MixedScan([.binary]), .order(.binary, operation, data))
        case .order(let operation, let constant):
            scan = MixedTest.scan(constant) {
                $0.range(operation)
            } _: {
                $0.range(operation)
            }
        case .between(let low, let high):
            scan = MixedTest.scan(low, high)
        default: scan = MixedScan(ColumnType.allCases)
        }
        self.bytes = bytes
    }

    /// Numbers match only numbers, and all other values only their own type. With decimals, each value is compared,
    /// because the bounds of decimals among Doubles aren't those of the order of all values (content 13.20).
    private static func scan(
        _ constant: StoredValue, _ ints: (Bounds<Int64>) -> ClosedRange<Int64>?,
        _ doubles: (Bounds<Double>) -> ClosedRange<Double>?
    ) -> MixedScan {
        guard constant.isNumber else { return MixedScan(ColumnType.allCases.filter { $0 != .int && $0 != .double }) }
        var scan = MixedScan([.int, .float, .double, .decimal])
        if case .decimal = constant { return scan }
        scan.ints = Bounds<Int64>(constant).map { ints($0) } ?? nil
        scan.doubles = Bounds<Double>(constant).map { doubles($0) } ?? nil
        return scan
    }

    private static func scan(_ low: StoredValue, _ high: StoredValue) -> MixedScan {
        guard low.isNumber, high.isNumber, let lows = Bounds<Double>(low), let highs = Bounds<Double>(high) else {
            return MixedScan(ColumnType.allCases)
        }
        if case .decimal = high { return MixedScan([.int, .float, .double, .decimal]) }
        return scan(low) { low in
            Bounds<Int64>(high).flatMap { low.range(to: $0) }
        } _: { _ in
            lows.range(to: highs)
        }
    }

    /// Returns those of the `count` rows that are in `rows`, not null, and accepted.
    func filter(_ leaf: ColumnLeaf, from start: Int, _ rows: RowSet, count: Int) throws -> RowSet {
        switch bytes {
        case .asValues:
            return unsafe try leaf.filterMixed(from: start, rows, count: count, scan, bytes: nil) { test.matches($0) }
        case .asBytes(let texts, let data):
            return unsafe try leaf.filterMixed(from: start, rows, count: count, scan) { bytes, type in
                (type == .string ? texts : data) && (unsafe test.acceptsBytes(bytes))
            } _: {
                test.matches($0)
            }
        case .order(let wanted, let operation, let bound):
            return unsafe try leaf.filterMixed(from: start, rows, count: count, scan) { bytes, type in
                type == wanted && operation.holds(unsafe ByteOrder.compare(bytes, bound))
            } _: {
                test.matches($0)
            }
        }
    }
}
