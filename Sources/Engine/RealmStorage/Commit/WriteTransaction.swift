// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// One write transaction: a private, changing view of the database that becomes the next version or nothing.
///
/// All changes go through its typed instructions (design decision 14): tables and columns in
/// `WriteTransaction+Schema`, objects in `+Objects`, values and links in `+Values` and `+Links`, collections in
/// `+Lists`, `+Sets`, `+Dictionaries` and `+Nested`.
/// Nodes are copied into the slab when they are first changed, so snapshots never see it. It ends with `commit()`,
/// with `rollback()`, or, rolled back, when it is let go. One thread at a time.
@usableFromInline
package final class WriteTransaction {
    package let database: Database
    package let baseVersion: UInt64
    package let store: NodeStore
    let base: Database.Committed
    var top: TopArray
    var directory: TableDirectory
    var directoryChanged = false
    /// Tombstones that were made, and may still wait for their first link when the commit comes.
    var unlinkedTombstones: [ObjectLink] = []
    /// By slot; nil where not decoded yet. Touched as `changedCollection`.
    @exclusivity(unchecked) private var tables: [Table?]
    private var pin: UInt64
    /// What this transaction is built on if that is not durable yet; it holds the write lock.
    private(set) var parentCommit: PreparedCommit?
    package private(set) var isOpen = true
    /// What an object begins with that gets nothing but defaults.
    private(set) lazy var defaults = RowValues(columnCount: 0)
    /// What the changes of this transaction make stale, for readers of its view and for what it remembers itself.
    ///
    @inlinable package var clock: ChangeClock { unsafe storedClock }
    /// Touched from one thread, never across a call that could come back here.
    @exclusivity(unchecked) @usableFromInline var storedClock = ChangeClock()
    /// The collection of a column that was changed last, as it is since then, if the stamp of its place is that of
    /// `clock`. Touched as `storedClock`.
    @exclusivity(unchecked) var changedCollection: ResolvedCollection?

    /// Touched as `storedClock`.
    @exclusivity(unchecked) var plainColumn = OverwritableColumn.none

    package var space: NodeSpace { store.space }
    /// Is told of instructions. Nil in a local database, and while changes are applied that others have made.
    package var recorder: (any WriteRecorder)? {
        get { unsafe storedRecorder }
        set { unsafe storedRecorder = newValue }
    }
    /// Touched as `storedClock`.
    @exclusivity(unchecked) private var storedRecorder: (any WriteRecorder)?
    var isRecorded: Bool { unsafe storedRecorder != nil }
    /// Writes the history of a synchronised file when this is committed.
    private(set) var historyWriter: (any WriteRecorder)?
    /// Whether what properties get now is what a new object begins with where the application gives no value. A
    /// recorder asks.
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

    /// Gives up all changes. Nothing was written, so nothing has to be undone.
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

    /// From now on the write lock is this transaction's own if its version is in the file, and otherwise the
    /// parentCommit's, as before.
    func leaveParentCommit(isStaged: Bool) {
        parentCommit?.childDidEnd(isStaged: isStaged)
        parentCommit = nil
    }

    /// Ends without releasing the write lock, which a transaction on top of this one's version has taken over.
    func transferWriteLock() {
        isOpen = false
        endRecording()
        unsafe tables.removeAll()
        database.unpin(pin)
    }

    // MARK: Changes

    /// Notes that `table` has to be written by the commit, for a change that may have moved objects.
    func changed(_ table: Table, _ changes: Table.Changes) {
        unsafe table.changes.formUnion(changes)
        record(.rows)
        unsafe table.rows = clock.rows
    }

    /// Notes a change of what is in `table` that moved no object to another row or another leaf.
    func changed(_ table: Table, in extent: ChangeExtent) {
        unsafe table.changes.formUnion(.contents)
        record(extent)
    }

    /// Notes a change that no table has to be written for, or none but those that are noted already.
    @inline(__always) func record(_ extent: ChangeExtent) { unsafe storedClock.record(extent) }

    /// Lets `body` change the column leaf of one column in the row of an object; nothing else of the table.
    ///
    /// The leaf in which it was done last is dirty, as is the one in which objects are appended, so that there is no
    /// way down from the root and none back up.
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

    /// Notes that a leaf was changed that may have been clean, and be elsewhere now.
    private func changedColumn(
        in leaf: Ref, _ row: Int, from found: Ref, of object: ObjectKey, in table: Table
    ) throws {
        try ClusterTreeEditor(store).replaceLeaf(&table.clusterRoot, object, found, with: leaf)
        changed(table, in: .clusterLeaf)
        unsafe table.changedLeaf = try LastEditedLeaf(space, leaf, row: row, key: object, at: table.rows)
    }

    /// The leaf and row of an object where no node above the column's own has to move; nil if that is not known.
    func dirtyPlace(of object: ObjectKey, in table: Table) -> (leaf: Ref, row: Int)? {
        let rows = unsafe table.rows
        if let changed = unsafe table.changedLeaf, changed.stamp == rows,
            let row = changed.leaf.row(of: object)
        {
            verify((changed.leaf.node.ref, row), of: object, in: table)
            return (changed.leaf.node.ref, row)
        }
        if let open = unsafe table.openCluster, open.stamp == rows, let row = open.row(of: object) {
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

    /// Enters a table that was just made into its slot.
    func install(_ table: Table) {
        let slot = table.key.slot
        while unsafe tables.count <= slot { unsafe tables.append(nil) }
        enter(table, slot)
        unsafe changedCollection = nil
    }

    private func enter(_ table: Table, _ slot: Int) {
        unsafe table.keyDistance = SequentialKeyPredictor()
        unsafe tables[slot] = table
    }

    func uninstall(slot: Int) {
        unsafe tables[slot] = nil
        unsafe changedCollection = nil
    }

    /// The tables that this transaction has decoded.
    var loadedTables: [Table] { unsafe tables.compactMap(\.self) }
}

extension WriteTransaction: TableSource {}
