// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A write transaction: a private, mutable view of the database that becomes the next version or is discarded.
///
/// All changes are made by typed instructions (design decision 14). Instructions on objects and values are functions of
/// the transaction; the others are grouped by writers (`schema`, `indexes`, `links`, `tombstones`, `list(at:)`,
/// `set(at:)`, `dictionary(at:)`). Nodes are copied into the slab on their first change, so snapshots never see the
/// changes. It ends with `commit()` or `rollback()`; deallocating it rolls it back. Confined to one thread at a time.
@usableFromInline
package final class WriteTransaction {
    package let database: Database
    package let baseVersion: UInt64
    package let store: NodeStore
    let base: Database.Committed
    var top: TopArray
    var directory: TableDirectory
    var directoryChanged = false
    /// Tombstones created by this transaction that may have no links at the commit.
    var unlinkedTombstones: [ObjectLink] = []
    /// The tables by slot; nil until decoded. Accessed like `changedCollection`.
    @exclusivity(unchecked) private var tables: [Table?]
    private var pin: UInt64
    /// The commit on which this transaction is based, if that isn't durable yet. It holds the write lock.
    private(set) var parentCommit: PreparedCommit?
    package private(set) var isOpen = true
    private(set) lazy var defaults = RowValues(columnCount: 0)
    /// Invalidates the caches of readers and of this transaction.
    @inlinable package var clock: ChangeClock { unsafe storedClock }
    /// Accessed by one thread, and never across a call that could reenter.
    @exclusivity(unchecked) @usableFromInline var storedClock = ChangeClock()
    /// The last changed collection of a column, in its current state. Valid while the stamp of its location equals that
    /// of `clock`. Accessed like `storedClock`.
    @exclusivity(unchecked) var changedCollection: ResolvedCollection?

    /// Accessed like `storedClock`.
    @exclusivity(unchecked) var overwritableColumn = OverwritableColumn.none

    package var space: NodeSpace { store.space }
    /// Receives the instructions. Nil in a local database, and while changes of other participants are applied.
    package var recorder: (any WriteRecorder)? {
        get { unsafe storedRecorder }
        set { unsafe storedRecorder = newValue }
    }
    /// Accessed like `storedClock`.
    @exclusivity(unchecked) private var storedRecorder: (any WriteRecorder)?
    var isRecorded: Bool { unsafe storedRecorder != nil }
    private(set) var historyWriter: (any WriteRecorder)?
    /// Whether the values being set are the defaults of a new object, without a value from the application. Read by the
    /// recorder.
    package var givesDefaults = false

    init(database: Database, base: Database.Committed, pin: UInt64, on parentCommit: PreparedCommit? = nil) throws {
        self.database = database
        self.base = base
        self.pin = pin
        self.parentCommit = parentCommit
        baseVersion = base.version
        let space = NodeSpace(mapping: base.mapping, fileEnd: Ref(base.logicalSize), writable: true)
        store = NodeStore(space: space)
        if base.topRef == 0 {
            top = TopArray()
            directory = TableDirectory()
        } else {
            top = try TopArray(space, base.topRef, fileSize: base.logicalSize)
            directory = try TableDirectory(top, in: space)
        }
        unsafe tables = Array(repeating: nil, count: directory.count)
        historyWriter = (database.synchronisedHistory as? any RecordedHistory)?.recorder(for: self)
        recorder = historyWriter
    }

    deinit { if isOpen { end() } }

    package func rollback() {
        precondition(isOpen, "the write transaction has ended")
        end()
    }

    /// `keepingSlab`: the dirty nodes stay readable, as a view of the database that is never committed.
    func end(keepingSlab: Bool = false) {
        isOpen = false
        endRecording()
        unsafe tables.removeAll()
        if !keepingSlab, store.slabByteCount > FileMapping.keptSlabByteCount {
            base.mapping.discardSlab(from: FileMapping.keptSlabByteCount)
        }
        if parentCommit == nil { return database.endWrite(pin: pin) }
        database.unpin(pin)
        leaveParentCommit(isStaged: false)
    }

    private func endRecording() {
        recorder = nil
        historyWriter = nil
    }

    /// Afterwards this transaction owns the write lock if its version is in the file; otherwise the parent commit owns
    /// it.
    func leaveParentCommit(isStaged: Bool) {
        parentCommit?.childDidEnd(isStaged: isStaged)
        parentCommit = nil
    }

    /// Ends without releasing the write lock, which the child transaction now owns.
    func transferWriteLock() {
        isOpen = false
        endRecording()
        unsafe tables.removeAll()
        database.unpin(pin)
    }

    // MARK: Changes

    /// Marks `table` for encoding at the commit, after a change that may have moved objects.
    func changed(_ table: Table, _ changes: Table.Changes) {
        unsafe table.changes.formUnion(changes)
        record(.rows)
        unsafe table.rows = clock.rows
    }

    /// Marks `table` as changed, after a change that moved no object to another row or leaf.
    func changed(_ table: Table, in extent: ChangeExtent) {
        unsafe table.changes.formUnion(.contents)
        record(extent)
    }

    @inline(__always) func record(_ extent: ChangeExtent) { unsafe storedClock.record(extent) }

    /// `body` must change nothing else in the table.
    ///
    /// The last changed leaf is dirty, and so is the leaf of appends. Neither needs a descent from the root or an
    /// update of its ancestors.
    func changeColumn<Result>(
        _ leafIndex: Int, of object: ObjectKey, in table: Table, _ body: (inout Ref, Int) throws -> Result
    ) throws -> Result {
        let dirty = dirtyPlace(of: object, in: table)
        let (found, row) = try dirty ?? ClusterTreeEditor(store).place(table.clusterRoot, object)
        var leaf = found
        let result = try ClusterTreeEditor(store).changeColumn(&leaf, leafIndex) { try body(&$0, row) }
        if dirty != nil {
            precondition(leaf == found, "a dirty leaf of wide slots stays where it is")
            changed(table, in: .columnLeaf)
        } else {
            try changedColumn(in: leaf, row, from: found, of: object, in: table)
        }
        return result
    }

    private func changedColumn(
        in leaf: Ref, _ row: Int, from found: Ref, of object: ObjectKey, in table: Table
    ) throws {
        try ClusterTreeEditor(store).replaceLeaf(&table.clusterRoot, object, found, with: leaf)
        changed(table, in: .clusterLeaf)
        unsafe table.lastEditedLeaf = try LastEditedLeaf(space, leaf, row: row, key: object, at: table.rows)
    }

    /// Nil unless the leaf and all nodes above it are dirty and known.
    func dirtyPlace(of object: ObjectKey, in table: Table) -> (leaf: Ref, row: Int)? {
        let rows = unsafe table.rows
        if let changed = unsafe table.lastEditedLeaf, changed.stamp == rows,
            let row = changed.leaf.row(of: object)
        {
            verify((changed.leaf.node.ref, row), of: object, in: table)
            return (changed.leaf.node.ref, row)
        }
        if let open = unsafe table.appendCursor, open.stamp == rows, let row = open.row(of: object) {
            verify((open.leaf, row), of: object, in: table)
            return (open.leaf, row)
        }
        return nil
    }

    // MARK: Tables

    package func tableKeys() throws -> [TableKey] {
        try (0..<directory.count).compactMap { try table(slot: $0)?.key }
    }

    package func table(_ key: TableKey) throws -> Table? {
        guard let table = try table(slot: key.slot), table.key == key else { return nil }
        return table
    }

    package func unretainedTable(_ key: TableKey) throws -> Unmanaged<Table>? {
        unsafe try table(key).map { unsafe Unmanaged.passUnretained($0) }
    }

    package func table(named name: String) throws -> Table? {
        for slot in directory.names.indices where directory.names[slot].isIdentical(to: name) {
            if let table = try table(slot: slot) { return table }
        }
        return nil
    }

    func table(slot: Int) throws -> Table? {
        guard unsafe slot < tables.count else { return nil }
        if let table = unsafe tables[slot] { return table }
        let ref = directory.ref(slot)
        guard ref != 0 else { return nil }
        let table = try Table(space: space, ref: ref, slot: slot, name: directory.names[slot])
        enter(table, slot)
        return table
    }

    package func require(_ key: TableKey) throws -> Table {
        guard let table = try table(key) else { throw StorageError.absent("\(key) is gone") }
        return table
    }

    func install(_ table: Table) {
        let slot = table.key.slot
        while unsafe tables.count <= slot { unsafe tables.append(nil) }
        enter(table, slot)
        unsafe changedCollection = nil
    }

    private func enter(_ table: Table, _ slot: Int) {
        unsafe table.keyPredictor = SequentialKeyPredictor()
        unsafe tables[slot] = table
    }

    func uninstall(slot: Int) {
        unsafe tables[slot] = nil
        unsafe changedCollection = nil
    }

    var loadedTables: [Table] { unsafe tables.compactMap(\.self) }
}

extension WriteTransaction: TableSource {}
