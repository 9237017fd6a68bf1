// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The initial single values of a new object, by leaf index. Other columns get their default.
///
/// A class, because it's passed through many functions and reused for each row. Used by one thread only; no access to
/// its storage lasts longer than a call.
package final class RowValues {
    @exclusivity(unchecked) private var values: [StoredValue?]
    /// The columns that may have a value.
    @exclusivity(unchecked) private var columns: [ColumnKey] = []

    package init(columnCount: Int) {
        unsafe values = Array(repeating: nil, count: columnCount)
        unsafe columns.reserveCapacity(columnCount)
    }

    /// Reserves space for values of these columns, whose leaf indexes must be below `columnCount`; `give` stores them.
    /// A caller that creates many objects creates the list once.
    package func begin(columns: [ColumnKey], columnCount: Int) {
        while unsafe values.count < columnCount { unsafe values.append(nil) }
        unsafe self.columns = columns
    }

    package func clear() {
        for index in unsafe values.indices { unsafe values[index] = nil }
        unsafe columns = []
    }

    package convenience init(_ values: [ColumnKey: StoredValue]) {
        self.init(columnCount: (values.keys.map(\.leafIndex).max() ?? -1) + 1)
        for (column, value) in values { self[column] = value }
    }

    package subscript(column: ColumnKey) -> StoredValue? {
        get { self[leafIndex: column.leafIndex] }
        set {
            while unsafe values.count <= column.leafIndex { unsafe values.append(nil) }
            if unsafe values[column.leafIndex] == nil { unsafe columns.append(column) }
            unsafe values[column.leafIndex] = newValue
        }
    }

    /// `column` must be one of those passed to `begin`.
    package func give(_ value: StoredValue, _ column: ColumnKey) {
        unsafe values[column.leafIndex] = value
    }

    /// Calls `body` for each column that has a value. `body` mustn't change the values.
    @inline(__always)
    package func forEach(_ body: (ColumnKey, StoredValue) throws -> Void) rethrows {
        // Indexes, because a loop over the array would retain it once for each new object.
        for place in unsafe columns.indices {
            let column = unsafe columns[place]
            if let value = self[column] { try body(column, value) }
        }
    }

    func copy() -> RowValues {
        let copy = RowValues(columnCount: 0)
        unsafe copy.values = unsafe values
        unsafe copy.columns = unsafe columns
        return copy
    }

    subscript(leafIndex index: Int) -> StoredValue? {
        unsafe index < values.count ? values[index] : nil
    }
}
