// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A test of a column of the table itself: a scan.
final class ColumnRunner: Runner {
    private let column: Column
    private let test: ValueTest
    private let name: String
    private var leaves: ColumnLeaves

    init(_ column: Column, _ test: ValueTest, text: String) {
        self.column = column
        self.test = test
        name = text
        leaves = ColumnLeaves(column)
    }

    override var text: String { name }

    override var cost: Double {
        switch test.kind {
        case .never, .int, .double, .float, .objects: 1
        case .date: 2
        case .bytes: 4
        case .ints, .doubles, .floats: 5
        case .byteOrder, .order, .between: 8
        case .data, .values, .byteSet: 12
        case .text: 20
        case .words: 60
        case .mixed(let list, let patterns): 20 + Double(list.count + patterns.count)
        }
    }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        let leaf = try leaves.leaf(of: block.leaf)
        let accepted = try accept(leaf, block, rows)
        if test.isNegated == test.matchesNull {
            // Null rows were not accepted, so both readings already treat them as they should.
            return test.isNegated ? rows.subtracting(accepted) : accepted
        }
        let nulls = try leaf.nulls(from: block.start, rows, count: block.count)
        return test.isNegated ? rows.subtracting(accepted).subtracting(nulls) : accepted.union(nulls)
    }

    /// Those of `rows` whose value is not null and is accepted by the test's kind.
    private func accept(_ leaf: ColumnLeaf, _ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        let (start, count) = (block.start, block.count)
        switch test.kind {
        case .never: return RowSet()
        case .int(let range):
            // Any number but the one for null is true.
            let stored = column.type == .bool && range.contains(1) ? range.lowerBound...2 : range
            return leaf.rows(from: start, count: count, in: stored).intersection(rows)
        case .float(let range): return leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .double(let range): return leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .date(let range): return try leaf.rows(from: start, count: count, in: range).intersection(rows)
        case .objects(let keys) where keys.count == 1:
            let stored = keys[0].rawValue + 1
            return leaf.rows(from: start, count: count, in: stored...stored).intersection(rows)
        case .objects(let keys):
            return try rows.filter { try leaf.linkedObject(at: start + $0).map { keys.hasSorted($0) } ?? false }
        case .bytes(let wanted): return try leaf.rows(from: start, rows, equalTo: wanted)
        case .byteSet, .byteOrder, .text, .words, .data:
            guard column.type != .mixed else { return try acceptValues(leaf, start, rows) }
            return unsafe try leaf.filterBytes(from: start, rows) { bytes in
                guard let bytes = unsafe bytes else { return false }
                return unsafe test.acceptsBytes(bytes)
            }
        case .ints(let list): return try acceptInts(leaf, start, rows, list)
        case .floats, .doubles, .order, .between, .values, .mixed: return try acceptValues(leaf, start, rows)
        }
    }

    private func acceptInts(_ leaf: ColumnLeaf, _ start: Int, _ rows: RowSet, _ list: [Int64]) throws -> RowSet {
        if column.type == .bool { return try acceptValues(leaf, start, rows) }
        if column.key.isNullable {
            return try rows.filter { try leaf.optionalInt(at: start + $0).map { list.hasSorted($0) } ?? false }
        }
        return try rows.filter { list.hasSorted(try leaf.int(at: start + $0)) }
    }

    private func acceptValues(_ leaf: ColumnLeaf, _ start: Int, _ rows: RowSet) throws -> RowSet {
        let plain = ValueTest(kind: test.kind)
        return try rows.filter { plain.matches(try leaf.value(at: start + $0)) }
    }
}

/// The column leaves of one column; remembers the last one, which is the next one as well while a scan stays in a
/// cluster leaf.
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
