// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The single values that a new object begins with, by leaf index; columns without one get their default.
package struct RowValues {
    private var values: [StoredValue?]
    /// The columns that may have been given, for validation.
    package private(set) var columns: [ColumnKey] = []

    /// Room for a table of `columnCount` leaf indexes.
    package init(columnCount: Int) {
        values = Array(repeating: nil, count: columnCount)
        columns.reserveCapacity(columnCount)
    }

    /// Makes room for values of these columns, whose leaf indexes are below `columnCount`: `give` takes them. Whoever
    /// makes many objects has the list once.
    package mutating func begin(columns: [ColumnKey], columnCount: Int) {
        while values.count < columnCount { values.append(nil) }
        self.columns = columns
    }

    /// Forgets the values and keeps the room, for the next object.
    package mutating func clear() {
        for index in values.indices { values[index] = nil }
        columns = []
    }

    package init(_ values: [ColumnKey: StoredValue]) {
        self.init(columnCount: (values.keys.map(\.leafIndex).max() ?? -1) + 1)
        for (column, value) in values { self[column] = value }
    }

    package subscript(column: ColumnKey) -> StoredValue? {
        get { self[leafIndex: column.leafIndex] }
        set {
            while values.count <= column.leafIndex { values.append(nil) }
            if values[column.leafIndex] == nil { columns.append(column) }
            values[column.leafIndex] = newValue
        }
    }

    /// The value of one of the columns that this was made for.
    package mutating func give(_ value: StoredValue, _ column: ColumnKey) {
        values[column.leafIndex] = value
    }

    subscript(leafIndex index: Int) -> StoredValue? { index < values.count ? values[index] : nil }
}
