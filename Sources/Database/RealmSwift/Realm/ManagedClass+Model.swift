// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The class of the program that a file stores, with the property wrappers of its accessors.
///
/// Immutable, and therefore safe to share between threads; the metatypes it holds are constants of the program.
@safe final class ClassModel: @unchecked Sendable {
    let info: ClassInfo
    /// The property wrappers of an accessor, with their keys, in the order of `info.allProperties`. Empty for a dynamic
    /// class.
    let bindings: [Binding]
    /// The first of `bindings`, with their columns, for adding an object. The memory can be read without an array
    /// access.
    let contents: UnsafeBufferPointer<Content>
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

    fileprivate init(_ info: ClassInfo, _ columns: [ColumnKey], _ backlinks: [ColumnKey]) {
        self.info = info
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
    }

    deinit { unsafe contents.deallocate() }
}

extension ManagedClass {
    /// The class of the program, which all classes of this module have.
    @inline(__always) var own: ClassModel { unsafe unsafeDowncast(model, to: ClassModel.self) }

    var info: ClassInfo { own.info }

    convenience init(_ info: ClassInfo, table: Table, columns: [ColumnKey], backlinks: [ColumnKey]) {
        self.init(info, table.key, table.primaryKey, columns, backlinks)
    }

    convenience init(unstored info: ClassInfo) {
        self.init(
            info, .null, nil, Array(repeating: .null, count: info.properties.count),
            Array(repeating: .null, count: info.computedProperties.count))
    }

    private convenience init(
        _ info: ClassInfo, _ table: TableKey, _ primaryKey: ColumnKey?, _ columns: [ColumnKey], _ backlinks: [ColumnKey]
    ) {
        self.init(
            info.name, table, primaryKey, columns: columns, backlinks: backlinks,
            propertyNames: info.allProperties.map(\.name), model: ClassModel(info, columns, backlinks))
    }

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

    func column(named name: String) -> ColumnKey? {
        info.properties.firstIndex { $0.name == name }.map { columns[$0] }
    }

    func propertyTarget(_ column: ColumnKey) -> String? {
        columns.firstIndex(of: column).flatMap { info.properties[$0].objectClassName }
    }
}
