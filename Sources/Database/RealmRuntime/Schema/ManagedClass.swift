// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A class as one file stores it: its table, and the column of each property.
///
/// Immutable, and therefore safe to share between threads, as is `model`.
@usableFromInline
@safe package final class ManagedClass: @unchecked Sendable {
    /// The name in the file.
    package let name: String
    package let tableKey: TableKey
    package let primaryKey: ColumnKey?
    /// The columns of the stored properties, in the order of the model.
    package let columns: [ColumnKey]
    /// The columns of the inverse properties, in the order of the model.
    package let backlinks: [ColumnKey]
    /// The columns of single values other than links.
    package let scalarColumns: [ColumnKey]
    /// The leaf indexes of the first few scalar columns, which are likely to be read after an object is looked up.
    package let firstColumns: [Int]
    /// One more than the largest leaf index of `columns`.
    package let leafIndexCount: Int
    /// The class of the program, which the module with models defines. Immutable.
    package let model: AnyObject
    /// The last one is null, and stands for all leaf indexes without a column.
    @usableFromInline let byLeafIndex: [ColumnKey]
    private let names: [String]

    /// `propertyNames` are those of `columns` and then of `backlinks`.
    package init(
        _ name: String, _ table: TableKey, _ primaryKey: ColumnKey?, columns: [ColumnKey], backlinks: [ColumnKey],
        propertyNames: [String], model: AnyObject
    ) {
        self.name = name
        tableKey = table
        self.primaryKey = primaryKey
        self.columns = columns
        scalarColumns = columns.filter { !$0.isCollection && $0.type != .link }
        firstColumns = scalarColumns.prefix(8).map(\.leafIndex)
        leafIndexCount = (columns.filter { $0 != .null }.map(\.leafIndex).max() ?? -1) + 1
        self.backlinks = backlinks
        self.model = model
        let all = (columns + backlinks).filter { $0 != .null }
        var byLeafIndex = [ColumnKey](repeating: .null, count: (all.map(\.leafIndex).max() ?? -1) + 2)
        for column in all { byLeafIndex[column.leafIndex] = column }
        self.byLeafIndex = byLeafIndex
        var names = [String](repeating: "?", count: byLeafIndex.count)
        for (column, name) in zip(all, propertyNames) { names[column.leafIndex] = name }
        self.names = names
    }

    package var isStored: Bool { tableKey != .null }

    /// Returns the column whose leaf index is the key of a property; null if the class has none.
    @inlinable @inline(__always) package func columnKey(_ key: UInt16) -> ColumnKey {
        byLeafIndex[min(Int(key), byLeafIndex.count - 1)]
    }

    package func propertyName(_ key: UInt16) -> String {
        Int(key) < names.count ? names[Int(key)] : "?"
    }
}
