// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A class as one file stores it: its table, and the column of each property.
///
/// Immutable, and therefore safe to share between threads; the metatypes it holds are constants of the program.
@usableFromInline
@safe final class ManagedClass: @unchecked Sendable {
    let info: ClassInfo
    let tableKey: TableKey
    let primaryKey: ColumnKey?
    /// The columns of `info.properties`, in the same order.
    let columns: [ColumnKey]
    /// The columns of `info.computedProperties`, in the same order.
    let backlinks: [ColumnKey]
    /// The columns of single values other than links.
    let scalarColumns: [ColumnKey]
    /// The leaf indexes of the first few scalar columns, which are likely to be read after an object is looked up.
    let firstColumns: [Int]
    /// One more than the largest leaf index of `columns`.
    let leafIndexCount: Int
    /// The property wrappers of an accessor, with their keys, in the order of `info.allProperties`. Empty for a dynamic
    /// class.
    let bindings: [Binding]
    /// The first of `bindings`, with their columns, for adding an object. The memory can be read without an array
    /// access.
    let contents: UnsafeBufferPointer<Content>
    private let byLeafIndex: [ColumnKey?]
    private let names: [String]

    /// The key and the offset of each wrapper in an accessor fresh from its initialiser.
    let keyStores: [KeyStore]
    /// The additional bindings of wrappers that return the same collection instance at each read.
    let collectionBindings: [Binding]

    struct Binding {
        let field: PropertyField
        let key: PropertyKey

        /// Whether the wrapper in the object at `start` needs more than its key. A wrapper that begins with a reference
        /// needs more once that reference is set.
        func isNeeded(at start: UnsafeMutableRawPointer) -> Bool {
            unsafe !field.beginsWithReference || start.load(fromByteOffset: field.offset, as: UInt.self) != 0
        }
    }

    struct Content {
        let field: PropertyField
        let column: ColumnKey
    }

    struct KeyStore {
        let offset: Int
        let key: PropertyKey
    }

    var isStored: Bool { tableKey != .null }

    convenience init(_ info: ClassInfo, table: Table, columns: [ColumnKey], backlinks: [ColumnKey]) {
        self.init(info, table.key, table.primaryKey, columns, backlinks)
    }

    convenience init(unstored info: ClassInfo) {
        self.init(
            info, .null, nil, Array(repeating: .null, count: info.properties.count),
            Array(repeating: .null, count: info.computedProperties.count))
    }

    private init(
        _ info: ClassInfo, _ table: TableKey, _ primaryKey: ColumnKey?, _ columns: [ColumnKey], _ backlinks: [ColumnKey]
    ) {
        self.info = info
        tableKey = table
        self.primaryKey = primaryKey
        self.columns = columns
        scalarColumns = columns.filter { !$0.isCollection && $0.type != .link }
        firstColumns = scalarColumns.prefix(8).map(\.leafIndex)
        leafIndexCount = (columns.filter { $0 != .null }.map(\.leafIndex).max() ?? -1) + 1
        self.backlinks = backlinks
        let all = (columns + backlinks).filter { $0 != .null }
        bindings =
            info.isDynamic
            ? []
            : zip(info.allProperties, all).map { Binding(field: $0.field, key: PropertyKey($1.leafIndex)) }
        let contents = UnsafeMutableBufferPointer<Content>.allocate(capacity: info.isDynamic ? 0 : columns.count)
        _ = unsafe contents.initialize(from: zip(bindings, columns).map { Content(field: $0.field, column: $1) })
        unsafe self.contents = UnsafeBufferPointer(contents)
        keyStores = bindings.filter { !$0.field.wrapper.keepsManagedValue || $0.field.beginsWithReference }
            .map { KeyStore(offset: $0.field.keyOffset, key: $0.key) }
        collectionBindings = bindings.filter { $0.field.wrapper.keepsManagedValue }
        var byLeafIndex = [ColumnKey?](repeating: nil, count: (all.map(\.leafIndex).max() ?? -1) + 1)
        for column in all { byLeafIndex[column.leafIndex] = column }
        self.byLeafIndex = byLeafIndex
        var names = [String](repeating: "?", count: byLeafIndex.count)
        for (column, property) in zip(all, info.allProperties) { names[column.leafIndex] = property.name }
        self.names = names
    }

    deinit { unsafe contents.deallocate() }

    /// Reuses the last class created from `info` if it is equal, because the files of a program usually have the same
    /// columns.
    static func of(
        _ info: ClassInfo, table: Table, columns: [ColumnKey], backlinks: [ColumnKey]
    ) -> ManagedClass {
        if let last = info.lastManaged.withLock({ $0 }), last.tableKey == table.key,
            last.primaryKey == table.primaryKey, last.columns == columns, last.backlinks == backlinks
        {
            return last
        }
        let managed = ManagedClass(info, table: table, columns: columns, backlinks: backlinks)
        // Classes of the program are never deallocated, so caching is safe; caching a dynamic class would retain it.
        if !info.isDynamic { info.lastManaged.withLock { $0 = managed } }
        return managed
    }

    @inline(__always) func columnKey(_ key: PropertyKey) -> ColumnKey {
        Int(key) < byLeafIndex.count ? byLeafIndex[Int(key)] ?? .null : .null
    }

    func column(named name: String) -> ColumnKey? {
        info.properties.firstIndex { $0.name == name }.map { columns[$0] }
    }

    func propertyTarget(_ column: ColumnKey) -> String? {
        columns.firstIndex(of: column).flatMap { info.properties[$0].objectClassName }
    }

    func propertyName(_ key: PropertyKey) -> String {
        Int(key) < names.count ? names[Int(key)] : "?"
    }
}
