// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A test of a column of the table itself: a scan.
final class ColumnFilter: RowFilter {
    private let column: Column
    private let test: ValueTest
    private let comparison: Comparison
    /// Each thread of a scan has its own row filter, and no code called below reads it while it changes.
    @exclusivity(unchecked) private var leaves: ColumnLeaves
    /// nil unless the column is Mixed.
    private let mixed: MixedTest?
    /// nil unless the test is for certain bytes.
    private let sought: BytesLookup?
    /// nil unless the test is for exactly this range, which can be counted without a set of rows.
    private let range: ClosedRange<Int64>?

    init(_ column: Column, _ test: ValueTest, text: Comparison) {
        self.column = column
        self.test = test
        comparison = text
        unsafe leaves = ColumnLeaves(column)
        mixed = column.type == .mixed ? MixedTest(test) : nil
        sought =
            switch test.kind {
            case .string(let wanted): BytesLookup(Array(wanted.utf8))
            case .bytes(let wanted): BytesLookup(wanted)
            default: nil
            }
        let isPlain = !test.isNegated && !test.matchesNull && column.type == .int
        range = if case .int(let range) = test.kind, isPlain { range } else { nil }
    }

    override var text: String { comparison.planText }
    override var prefetchColumn: Column? { column }

    override var cost: Double {
        switch test.kind {
        case .never: 0
        case .int, .float: 0.3
        case .double, .date: 0.8
        case .objects, .ints: 2.5
        case .string, .bytes: 4
        case .doubles, .floats: 3
        case .byteOrder, .byteSet: 8
        case .data, .text: 15
        case .order, .between, .values: 20
        case .words: 200
        case .mixed(_, let patterns): 40 + 5 * Double(patterns.count)
        }
    }

    override var selectivity: Double {
        let accepted: Double =
            switch test.kind {
            case .never: 0
            case .int(let range) where range.lowerBound == range.upperBound:
                column.type == .bool ? 0.5 : 0.05
            case .string, .bytes, .objects, .order(.equal, _): 0.02
            case .ints, .doubles, .floats, .byteSet, .values, .mixed, .words, .text, .data: 0.1
            case .int, .float, .double, .date, .byteOrder, .order, .between: 0.35
            }
        return test.isNegated ? 1 - accepted : accepted
    }

    override func count(_ piece: ClusterPiece, of clusters: ClusterTree) throws -> Int {
        var found = 0
        try clusters.forEachColumnLeaf(in: piece, column.leafIndex, column.leafKind) { leaf, count in
            if let range {
                found &+= leaf.countInts(from: 0, count: count, in: range)
            } else {
                found &+= try filter(leaf, from: 0, RowSet(count: count), count: count).count
            }
        }
        return found
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try filter(unsafe leaves.leaf(of: block.leaf), from: block.start, rows, count: block.count)
    }

    private func filter(_ leaf: ColumnLeaf, from start: Int, _ rows: RowSet, count: Int) throws -> RowSet {
        let accepted = try accept(leaf, from: start, rows, count: count)
        if test.isNegated == test.matchesNull {
            // Null rows weren't accepted, so both cases already treat them correctly.
            return test.isNegated ? rows.subtracting(accepted) : accepted
        }
        let nulls = try leaf.nulls(from: start, rows, count: count)
        return test.isNegated ? rows.subtracting(accepted).subtracting(nulls) : accepted.union(nulls)
    }

    private func accept(_ leaf: ColumnLeaf, from start: Int, _ rows: RowSet, count: Int) throws -> RowSet {
        if let mixed { return try mixed.filter(leaf, from: start, rows, count: count) }
        // Not from the test: copying it for each leaf would make the threads of a scan count references to the bytes.
        if let sought { return try leaf.rows(from: start, rows, count: count, equalTo: sought) }
        switch test.kind {
        case .never: return RowSet()
        case .int(let range):
            // Every number except that of null is true.
            let stored = column.type == .bool && range.contains(1) ? range.lowerBound...2 : range
            return leaf.rows(from: start, count: count, in: stored).intersection(rows)
        case .float(let range): return leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .double(let range): return leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .date(let range): return try leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .objects(let set) where set.keys.count == 1:
            let stored = set.keys[0].rawValue + 1
            return leaf.rows(from: start, count: count, in: stored...stored).intersection(rows)
        case .objects(let set):
            return try leaf.filterLinks(from: start, rows) { key in key.map { set.contains($0) } ?? false }
        // The set is extracted from the test before the loop: copying it for each row would make the threads of a scan
        // count references to the same arrays.
        case .byteSet(let set):
            return unsafe try leaf.rows(from: start, rows, count: count, among: set.beginnings) { bytes in
                unsafe set.contains(bytes)
            }
        case .text(let patterns, _) where patterns.count == 1:
            guard case .plain(let pattern) = patterns[0] else { fallthrough }
            return try leaf.rows(from: start, rows, count: count, matching: pattern)
        case .string, .bytes, .byteOrder, .text, .words, .data:
            return unsafe try leaf.filterBytes(from: start, rows) { bytes in
                guard let bytes = unsafe bytes else { return false }
                return unsafe test.acceptsBytes(bytes)
            }
        case .ints(let list): return try acceptInts(leaf, from: start, rows, count: count, list)
        case .floats(let set):
            guard let range = set.range else { return RowSet() }
            return try leaf.rows(from: start, count: count, in: range).intersection(rows).filter {
                try leaf.float(at: start + $0).map { set.contains($0) } ?? false
            }
        case .doubles(let set):
            guard let range = set.range else { return RowSet() }
            return try leaf.rows(from: start, count: count, in: range).intersection(rows).filter {
                try leaf.double(at: start + $0).map { set.contains($0) } ?? false
            }
        case .order, .between, .values, .mixed: return try acceptValues(leaf, start, rows)
        }
    }

    /// If the set isn't a bit array, the range of its values excludes most rows of most leaves at once.
    private func acceptInts(
        _ leaf: ColumnLeaf, from start: Int, _ rows: RowSet, count: Int, _ set: IntegerSet
    ) throws -> RowSet {
        if column.type == .bool { return try acceptValues(leaf, start, rows) }
        guard let least = set.values.first, let greatest = set.values.last else { return RowSet() }
        if let bits = set.bits {
            return leaf.rows(from: start, count: count) { bits.flag($0) }.intersection(rows)
        }
        let inside = leaf.rows(from: start, count: count, in: least...greatest).intersection(rows)
        return try leaf.filterInts(from: start, inside) { set.contains($0) }
    }

    private func acceptValues(_ leaf: ColumnLeaf, _ start: Int, _ rows: RowSet) throws -> RowSet {
        let plain = ValueTest(kind: test.kind)
        return try rows.filter { plain.matches(try leaf.value(at: start + $0)) }
    }
}

/// The column leaves of one column. Caches the last one, which remains valid while a scan stays in a cluster leaf.
struct ColumnLeaves {
    let column: Column
    private var last: (cluster: Ref, leaf: ColumnLeaf)?

    init(_ column: Column) { self.column = column }

    mutating func leaf(of cluster: ClusterLeaf) throws -> ColumnLeaf {
        if let last, last.cluster == cluster.node.ref { return last.leaf }
        let leaf = try cluster.column(column.leafIndex, column.leafKind)
        last = (cluster.node.ref, leaf)
        return leaf
    }
}
