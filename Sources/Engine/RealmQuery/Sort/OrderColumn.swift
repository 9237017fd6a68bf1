// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The values of one path for many objects, by which these are sorted or distinguished.
///
/// Borrows nodes, so it's confined to one call on a snapshot or write transaction.
class OrderColumn {
    let ascending: Bool

    fileprivate init(ascending: Bool) { self.ascending = ascending }

    func append(_ run: RowRun) throws {}

    /// Returns numbers in the order of the values.
    func columns() -> [SortKeyColumn] { [] }

    /// Returns numbers that are equal if the values are equal.
    func numbers() -> [SortKeyColumn] { columns() }

    /// Returns all objects in ascending order; nil if the numbers are required for this.
    func sorted() -> [Int32]? { nil }

    /// Returns the first object of each value; nil if the numbers are required for this.
    func distinct() -> [Int32]? { nil }

    static func make(
        _ path: SortPath, of table: Table, in source: any TableSource, capacity: Int
    ) throws -> OrderColumn {
        let (scalar, type) = (path.path, path.path.column.type ?? .mixed)
        if scalar.isPlain, path.collation == nil {
            let column = try table.require(scalar.column)
            if type == .string { return OrderedTexts(column, ascending: path.ascending, capacity) }
            if SortKeyEncoding.serve(type) { return OrderedNumbers(column, type, ascending: path.ascending, capacity) }
        }
        return OrderedValues(try ScalarReader(scalar, in: source), SortColumn(path), ascending: path.ascending)
    }
}

/// Values that are represented by words, read from the column leaves.
private final class OrderedNumbers: OrderColumn {
    private let column: Column
    private var words: SortKeyEncoding

    init(_ column: Column, _ type: ColumnType, ascending: Bool, _ capacity: Int) {
        self.column = column
        words = SortKeyEncoding(type, capacity: capacity)
        super.init(ascending: ascending)
    }

    override func append(_ run: RowRun) throws {
        try words.append(try run.leaf.column(column.leafIndex, column.leafKind), run)
    }

    override func columns() -> [SortKeyColumn] { words.columns(ascending: ascending) }
}

/// Strings, which are compared in place.
private final class OrderedTexts: OrderColumn {
    private let column: Column
    private var texts: TextRows

    init(_ column: Column, ascending: Bool, _ capacity: Int) {
        self.column = column
        texts = TextRows(capacity: capacity)
        super.init(ascending: ascending)
    }

    override func append(_ run: RowRun) throws {
        try texts.append(try run.leaf.column(column.leafIndex, column.leafKind), run)
    }

    override func columns() -> [SortKeyColumn] { [SortKeyColumn(texts.ranks(), ascending: ascending)] }
    override func numbers() -> [SortKeyColumn] { [SortKeyColumn(texts.numbers())] }
    override func sorted() -> [Int32]? { ascending ? texts.sorted() : nil }
    override func distinct() -> [Int32]? { texts.distinct() }
}

/// All other values: after links and subscripts, in an order other than that of bytes, or of types that compare by
/// value.
private final class OrderedValues: OrderColumn {
    private var reader: ScalarReader
    private var values: SortColumn

    init(_ reader: ScalarReader, _ values: SortColumn, ascending: Bool) {
        self.reader = reader
        self.values = values
        super.init(ascending: ascending)
    }

    override func append(_ run: RowRun) throws {
        for row in run.rows { values.append(try reader.value(ClusterTree.Position(leaf: run.leaf, row: row))) }
    }

    override func columns() -> [SortKeyColumn] { values.columns() }
}
