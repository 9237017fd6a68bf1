// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The objects of a partition at its newest version (§3.6). Changes that no client can apply are rejected here, so they
/// are never sent.
///
/// The objects are in `documents.realm`; only those that changed since its version are in memory (`StoredRows`). A
/// small partition is in memory as a whole, so that many small partitions don't need open files.
///
/// Links to missing objects are retained: they resolve when the object is created, and lists count them.
///
/// Each instruction costs at most logarithmic time in the number of objects, except that erasing a class costs the time
/// to free it.
struct PartitionObjects {
    typealias Content = ObjectContent
    typealias Row = ObjectRow

    /// The version of the objects that aren't in memory.
    struct Stored {
        let version: SaltedVersion
        /// The last generation whose changes the version contains.
        let generation: UInt64
    }

    var tables: [Text: ObjectClass] = [:]
    /// Whether rows also have the properties whose initial content was assigned.
    var retainsInitialContent = false
    /// `nil` if all objects are in memory.
    var stored: Stored?
    /// The objects of `stored`.
    var storedRows: StoredRows?
    /// Incremented before each attempt to store the objects.
    var generation: UInt64 = 1
    /// Whether `stored` may be set to the version of an earlier generation.
    var isStoring = false
    /// The objects that were read for changes which can be taken back.
    var loaded: [ObjectReference] = []
    var undo: [Step] = []
    /// The changes that `undo` can take back.
    var tentative: [Changeset] = []

    /// A database's collections aren't nested deeper.
    static let longestPath = 128
    /// A client's file has a few additional tables.
    static let maximumTableCount = FileFormat.maximumTableCount - 64

    // MARK: Reading

    /// Whether the objects of the class that aren't in memory are stored.
    func isStored(_ name: Text) -> Bool {
        guard let stored, let generation = tables[name]?.generation else { return false }
        return generation <= stored.generation
    }

    /// - Throws: `StorageError`.
    func holds(_ object: ObjectReference) throws -> Bool {
        if let exists = tables[object.table]?.rows[object.key]?.exists { return exists }
        return isStored(object.table) ? try storedRows?.contains(object) == true : false
    }

    /// Returns `nil` if the object doesn't exist.
    ///
    /// - Throws: `StorageError`.
    func row(of object: ObjectReference) throws -> Row? {
        if let entry = tables[object.table]?.rows[object.key] { return entry.row }
        return try storedRow(of: object)
    }

    func storedRow(of object: ObjectReference) throws -> Row? {
        guard isStored(object.table) else { return nil }
        return try storedRows?.row(of: object) { slots(of: $0) }
    }

    /// Returns the keys in rows of the properties of a stored class. Contents of erased properties are omitted.
    func slots(of found: RowReader.Class) -> [Text?] {
        guard let stored, let columns = tables[found.definition.name]?.columns else { return [] }
        return found.slots.map { property in
            property.flatMap { columns[$0] }.flatMap { $0.generation <= stored.generation ? $0.slot : nil }
        }
    }

    /// Passes the objects that exist, in the given order. Consecutive objects of the stored file are read faster than
    /// others.
    ///
    /// - Throws: `StorageError`, or any error of `body`.
    func forEachRow(of objects: [ObjectReference], _ body: (ObjectReference, Row) throws -> Void) throws {
        var known: [Text: [Text?]] = [:]
        var last: (name: Text, rows: [PrimaryKey: ObjectClass.Entry], isStored: Bool) = ("", [:], false)
        for object in objects {
            if last.name != object.table {
                last = (object.table, tables[object.table]?.rows ?? [:], isStored(object.table))
            }
            if let entry = last.rows[object.key] {
                if let row = entry.row { try body(object, row) }
                continue
            }
            guard last.isStored else { continue }
            let row = try storedRows?.row(of: object) { found in
                if let slots = known[found.definition.name] { return slots }
                let slots = slots(of: found)
                known[found.definition.name] = slots
                return slots
            }
            if let row { try body(object, row) }
        }
    }

    var columnsBySlot: [Text: [Text: ColumnDefinition]] {
        tables.mapValues { table in
            Dictionary(uniqueKeysWithValues: table.columns.values.map { ($0.slot, $0.definition) })
        }
    }

    /// Reads an object into memory. Returns whether it exists.
    mutating func load(_ object: ObjectReference) throws -> Bool {
        if let exists = tables[object.table]?.rows[object.key]?.exists { return exists }
        guard isStored(object.table) else { return false }
        let row = try storedRow(of: object)
        tables[object.table]?.rows[object.key] = ObjectClass.Entry(row: row, generation: 0)
        loaded.append(object)
        return row != nil
    }

    /// Returns the keys of the objects of a class, in order.
    ///
    /// - Throws: `StorageError`.
    func keys(of name: Text) throws -> [PrimaryKey] {
        guard let table = tables[name] else { return [] }
        var keys = table.rows.compactMap { $0.value.exists ? $0.key : nil }
        if isStored(name) { keys += try storedRows?.keys(of: name).filter { table.rows[$0] == nil } ?? [] }
        return keys.sorted()
    }

    var objectCount: Int { tables.values.reduce(0) { $0 + $1.count } }
}
