// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A table of one snapshot or of a write transaction: its columns, and the roots of its contents (content 3).
///
/// A snapshot's table is immutable after it was decoded, which makes the class `Sendable`. A write transaction decodes
/// and changes its own tables, which only its thread uses (design decision 2).
/// Properties with unchecked exclusivity are never accessed across a call that could reenter here.
package final class Table: @unchecked Sendable {
    package let space: NodeSpace
    package let key: TableKey
    /// The table's top array in the file; 0 for a table that this transaction created.
    var ref: Ref
    package internal(set) var name: String { didSet { className = Table.className(name) } }
    /// The name of the class that the table stores; nil if it isn't an application's.
    package private(set) var className: String?
    package internal(set) var kind: TableKind {
        get { unsafe storedKind }
        set { unsafe storedKind = newValue }
    }
    @exclusivity(unchecked) private var storedKind: TableKind
    /// In the order of the spec: public columns first, then backlink columns.
    package internal(set) var columns: [Column] {
        get { unsafe storedColumns }
        set { unsafe storedColumns = newValue }
    }
    @exclusivity(unchecked) private var storedColumns: [Column]
    /// The root of the clusters. They contain exactly the rows of the table's objects.
    package internal(set) var clusterRoot: Ref {
        get {
            // A failure is recorded in the transaction, which then can't be committed.
            if hasDeferredDeletes { try? flushDeletes() }
            return unsafe storedClusterRoot
        }
        set { unsafe storedClusterRoot = newValue }
    }
    @exclusivity(unchecked) var storedClusterRoot: Ref
    /// The pending deletes of a transaction's table.
    @exclusivity(unchecked) var deferredDeletes: DeferredDeletes?
    package internal(set) var tombstoneRoot: Ref {
        get { unsafe storedTombstoneRoot }
        set { unsafe storedTombstoneRoot = newValue }
    }
    @exclusivity(unchecked) private var storedTombstoneRoot: Ref
    @exclusivity(unchecked) var indexes: TableIndexes
    /// The table and the column at the other end of a link, by leaf index.
    package internal(set) var oppositeTables: [TableKey]
    package internal(set) var oppositeColumns: [ColumnKey]
    package internal(set) var primaryKey: ColumnKey? {
        get { unsafe storedPrimaryKey }
        set { unsafe storedPrimaryKey = newValue }
    }
    @exclusivity(unchecked) private var storedPrimaryKey: ColumnKey?
    var specRef: Ref
    var indexesRef: Ref
    var oppositeTablesRef: Ref
    var oppositeColumnsRef: Ref
    var collisionsRef: Ref
    var columnKeyCounter: UInt64
    var contentVersion: UInt64
    @exclusivity(unchecked) package internal(set) var sequence: UInt64
    /// Slot 12, including its unknown bits.
    var flags: UInt64
    /// The parts that a commit must write. `.contents` includes roots and counters; `.schema` also includes the spec
    /// and the arrays by leaf index.
    @exclusivity(unchecked) var changes: Changes = []
    /// An upper bound of the integer primary keys in a transaction's table, once computed.
    @exclusivity(unchecked) var primaryKeyBound: Int64?
    /// The number of searches for primary keys in a transaction's table before the bound was computed.
    var primaryKeySearches = 0
    /// Predicts primary key searches in a transaction's table.
    @exclusivity(unchecked) var keyPredictor: SequentialKeyPredictor?
    /// The transaction's stamp after the last change that may have moved an object of a transaction's table. A dirty
    /// leaf doesn't move while the stamp is current.
    @exclusivity(unchecked) var rows: ChangeStamp<RowExtent> = .first
    /// The leaf in which a transaction's table last stored a value.
    @exclusivity(unchecked) var lastEditedLeaf: LastEditedLeaf?
    /// The end of a transaction's table at which an object was last appended.
    @exclusivity(unchecked) var appendCursor: AppendCursor?
    /// The position in `columns` by leaf index, or -1.
    @exclusivity(unchecked) private var positions: [Int32] = []
    package var layout: ClusterLayout { unsafe storedLayout }
    @exclusivity(unchecked) private var storedLayout = ClusterLayout(columns: [])
    @exclusivity(unchecked) private(set) var hasEnumeratedColumns = false
    /// Whether an object can have links or backlinks.
    @exclusivity(unchecked) private(set) var hasLinks = false

    struct Changes: OptionSet {
        let rawValue: Int
        static let contents = Changes(rawValue: 1)
        static let indexes = Changes(rawValue: 2)
        static let schema = Changes(rawValue: 4)
    }

    init(space: NodeSpace, key: TableKey, name: String, kind: TableKind) {
        self.space = space
        self.key = key
        self.name = name
        className = Table.className(name)
        unsafe storedKind = kind
        ref = 0
        unsafe storedColumns = []
        (specRef, indexesRef) = (0, 0)
        unsafe (storedClusterRoot, storedTombstoneRoot, storedPrimaryKey) = (0, 0, nil)
        (oppositeTablesRef, oppositeColumnsRef, collisionsRef) = (0, 0, 0)
        unsafe indexes = TableIndexes()
        (oppositeTables, oppositeColumns) = ([], [])
        (columnKeyCounter, contentVersion) = (0, 0)
        unsafe sequence = 0
        flags = UInt64(kind.rawValue)
        unsafe changes = [.contents, .indexes, .schema]
    }

    init(space: NodeSpace, ref: Ref, slot: Int, name: String) throws {
        typealias Slot = FileFormat.Table
        let top = try space.refs(ref)
        guard Slot.legalCounts.contains(top.count) else {
            throw StorageError.corrupt("a table of \(top.count) slots", at: ref)
        }
        self.space = space
        self.ref = ref
        self.name = name
        className = Table.className(name)
        key = TableKey(UInt32(truncatingIfNeeded: try top.tagged(Slot.key)))
        guard key.slot == slot else { throw StorageError.corrupt("a table whose key names another slot", at: ref) }
        specRef = try top.child(Slot.spec)
        unsafe storedClusterRoot = try top.child(Slot.clusters)
        indexesRef = try top.child(Slot.indexes)
        oppositeTablesRef = try top.child(Slot.oppositeTables)
        oppositeColumnsRef = try top.child(Slot.oppositeColumns)
        collisionsRef = try top.child(Slot.collisions)
        columnKeyCounter = try top.tagged(Slot.columnKeyCounter)
        contentVersion = try top.tagged(Slot.contentVersion)
        unsafe sequence = try top.tagged(Slot.sequence)
        let primary = try top.element(Slot.primaryKey)
        unsafe storedPrimaryKey = primary == 0 ? nil : ColumnKey(Tagged.decode(primary))
        flags = top.count > Slot.flags ? try top.tagged(Slot.flags) : 0
        unsafe storedKind = TableKind(rawValue: Int(flags & 3)) ?? .topLevel
        unsafe storedTombstoneRoot = top.count > Slot.tombstones ? try top.child(Slot.tombstones) : 0
        // A ref that is written again unread must at least lead to a node.
        for carried in unsafe [storedClusterRoot, collisionsRef, storedTombstoneRoot] where carried != 0 {
            _ = try space.refs(carried)
        }
        unsafe indexes = TableIndexes(roots: try space.refs(indexesRef).byLeafIndex().childRefs())
        let (tables, columns) = try (
            space.integers(oppositeTablesRef).byLeafIndex(), space.integers(oppositeColumnsRef).byLeafIndex()
        )
        oppositeTables = (0..<tables.count).map { TableKey(UInt32(truncatingIfNeeded: tables[$0])) }
        oppositeColumns = (0..<columns.count).map { ColumnKey(UInt64(bitPattern: columns[$0])) }
        unsafe storedColumns = try TableSpec.decode(specRef, in: space)
        columnsChanged()
        try validateColumns()
    }

    /// Checks the columns against each other. Call this after `columnsChanged`.
    private func validateColumns() throws {
        for (position, column) in columns.enumerated() {
            let index = column.leafIndex
            guard unsafe positions[index] == position, unsafe index < indexes.count, index < oppositeTables.count,
                index < oppositeColumns.count
            else { throw StorageError.corrupt("a table whose columns contradict each other", at: ref) }
        }
        if let primaryKey, column(primaryKey) == nil {
            throw StorageError.corrupt("a table whose primary key isn't one of its columns", at: ref)
        }
    }

    /// Updates the derived state. Call this after every change of `columns`.
    func columnsChanged() {
        let size = (columns.map(\.leafIndex).max() ?? -1) + 1
        unsafe positions = Array(repeating: -1, count: size)
        for (position, column) in columns.enumerated() { unsafe positions[column.leafIndex] = Int32(position) }
        unsafe hasEnumeratedColumns = columns.contains { $0.enumKeys != 0 }
        unsafe hasLinks = columns.contains { $0.isBacklink || $0.type == .link || $0.type == .mixed }
        // A null primary key may have become a number.
        unsafe primaryKeyBound = nil
        unsafe storedLayout = ClusterLayout(
            columns: columns.map {
                ClusterLayout.Column(leafIndex: $0.leafIndex, kind: $0.leafKind, defaultValue: $0.defaultValue)
            })
    }

    /// Returns the position in `columns`; nil for a stale key (content 1.2).
    package func position(of key: ColumnKey) -> Int? {
        let index = key.leafIndex
        guard unsafe index < positions.count, unsafe positions[index] >= 0 else { return nil }
        let position = unsafe Int(positions[index])
        return unsafe storedColumns[position].key == key ? position : nil
    }

    func leafKind(ofIndexed key: ColumnKey) -> LeafKind? {
        guard hasIndex(key), !key.isCollection, let position = position(of: key),
            unsafe !storedColumns[position].isFullTextIndexed
        else { return nil }
        return unsafe storedColumns[position].leafKind
    }

    func column(leafIndex index: Int) -> Column? {
        unsafe index < positions.count && positions[index] >= 0 ? storedColumns[Int(positions[index])] : nil
    }

    package func column(_ key: ColumnKey) -> Column? {
        guard let column = column(leafIndex: key.leafIndex), column.key == key else { return nil }
        return column
    }

    package func column(named name: String) -> Column? {
        columns.first { !$0.isBacklink && $0.name.isIdentical(to: name) }
    }

    package var publicColumns: ArraySlice<Column> { columns.prefix { !$0.isBacklink } }
    package var backlinkColumns: ArraySlice<Column> { columns.drop { !$0.isBacklink } }

    package var clusters: ClusterTree { ClusterTree(space, root: clusterRoot) }
    package var tombstones: ClusterTree? { tombstoneRoot == 0 ? nil : ClusterTree(space, root: tombstoneRoot) }
    package func count() throws -> Int { try clusters.count() }

    package var isEmbedded: Bool { kind == .embedded }

    private static func className(_ name: String) -> String? {
        name.hasPrefix(FileFormat.classPrefix) ? String(name.dropFirst(FileFormat.classPrefix.count)) : nil
    }
}

extension Node {
    /// The node itself. Throws if it has more elements than leaf indexes exist: elements of width 0 use no bytes, so
    /// the file's size doesn't limit their number.
    func byLeafIndex() throws -> Node {
        guard count <= FileFormat.leafIndexCount else {
            throw StorageError.corrupt("a table with more columns than there can be", at: ref)
        }
        return self
    }

    func childRefs() throws -> [Ref] { try (0..<count).map { try child($0) } }
}
