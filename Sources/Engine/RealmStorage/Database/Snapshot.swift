// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// An immutable view of one committed version, usable from any thread.
///
/// It pins its version, so the file can't reuse the version's space while the snapshot exists. Tables are decoded at
/// their first use. Their cache, which any thread can read, and the state guarded by `lock` are the only mutable state.
@usableFromInline
package final class Snapshot: @unchecked Sendable {
    package let database: Database
    package let version: UInt64
    package let space: NodeSpace
    package let top: TopArray?
    /// Nonzero only in the view of an older file, whose nodes, beginning with the top array, are in the slab.
    let slabByteCount: Int
    /// Keeps the addresses in `space` valid.
    private let mapping: FileMapping
    private let directory: TableDirectory
    private let state: Database.Committed
    private let pin: UInt64
    /// Those of the version's commit; nil if it was durable when the snapshot was created.
    private let failures: RelaxedCounter?
    private let tables: PublishedPlaces<Table>
    private let lock = Lock()
    /// The slots of the tables by name, created at the first lookup by name; guarded by `lock`.
    private var slots: [ByteText: Int]?
    /// The number of columns of the tables decoded so far; guarded by `lock`. Bounded, because tables of a hostile file
    /// can share their bytes, unlike those of a valid one.
    private var columnCount = 0

    init(database: Database, state: Database.Committed, pin: UInt64, failures: RelaxedCounter? = nil) throws {
        self.database = database
        self.pin = pin
        self.failures = failures
        self.state = state
        version = state.version
        mapping = state.mapping
        slabByteCount = state.slabByteCount
        space = NodeSpace(
            mapping: state.mapping, fileEnd: Ref(state.logicalSize), writable: state.slabByteCount > 0)
        if state.topRef == 0 {
            top = nil
            directory = TableDirectory()
        } else {
            let top = try TopArray(space, state.topRef, fileSize: state.logicalSize)
            self.top = top
            directory = try TableDirectory(top, in: space)
        }
        tables = PublishedPlaces(count: directory.count)
    }

    deinit { database.unpin(pin) }

    /// The new snapshot has a separate pin; `label` identifies its holder.
    package func again(label: String) throws -> Snapshot {
        try Snapshot(database: database, state: state, pin: try database.pin(state, label), failures: failures)
    }

    /// Whether the commit of this version has failed, so that the version must no longer be read. Another commit may
    /// have its number, and even its top ref.
    package var isVoid: Bool { failures.map { $0.value > 0 } ?? false }

    package var record: VersionRecord { state.record }

    /// An upper bound of the slots of table keys.
    package var slotCount: Int { directory.count }

    package func tableKeys() throws -> [TableKey] {
        try (0..<directory.count).compactMap { directory.ref($0) == 0 ? nil : try table(slot: $0)?.key }
    }

    /// 0 if there is no table. If two versions have an equal ref, nothing in the table has changed.
    package func tableRef(slot: Int) -> Ref { directory.ref(slot) }

    /// Empty for a vacant slot. Doesn't read from the file.
    package func tableName(slot: Int) -> String { directory.names[slot] }

    /// Doesn't decode the table.
    package func tableKey(slot: Int) throws -> TableKey? {
        let ref = directory.ref(slot)
        guard ref != 0 else { return nil }
        let key = TableKey(UInt32(truncatingIfNeeded: try space.refs(ref).tagged(FileFormat.Table.key)))
        guard key.slot == slot else { throw StorageError.corrupt("a table whose key names another slot", at: ref) }
        return key
    }

    package func table(_ key: TableKey) throws -> Table? {
        guard let table = try table(slot: key.slot), table.key == key else { return nil }
        return table
    }

    package func unretainedTable(_ key: TableKey) throws -> Unmanaged<Table>? {
        guard directory.ref(key.slot) != 0 else { return nil }
        if let known = unsafe tables.unretained(key.slot) {
            return unsafe known._withUnsafeGuaranteedRef { $0.key == key } ? known : nil
        }
        return unsafe try table(key).map { unsafe Unmanaged.passUnretained($0) }
    }

    package func table(named name: String) throws -> Table? {
        try lock.locked { slot(named: name) }.flatMap { try table(slot: $0) }
    }

    private func slot(named name: String) -> Int? {
        if let slots { return slots[ByteText(name)] }
        let slots = directory.slotsByName()
        self.slots = slots
        return slots[ByteText(name)]
    }

    private func table(slot: Int) throws -> Table? {
        let ref = directory.ref(slot)
        guard ref != 0 else { return nil }
        if let table = tables[slot] { return table }
        return try lock.locked {
            if let table = tables[slot] { return table }
            let table = try Table(space: space, ref: ref, slot: slot, name: directory.names[slot])
            columnCount += table.columns.count
            guard columnCount <= Int(space.fileEnd) else {
                throw StorageError.corrupt("more columns than a file of this size can hold", at: ref)
            }
            return tables.publish(table, at: slot)
        }
    }

    package func freeList() throws -> FreeList {
        guard let top else { return FreeList([]) }
        return try FreeList(top, in: space, era)
    }

    /// Nil for the current format.
    var era: LegacyFormat? { LegacyFormat(state.header.format) }
}

extension Snapshot: TableSource {}
