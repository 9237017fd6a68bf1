// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

struct UndoCheck {
    let group: VersionHistory
    let later: VersionHistory
    private(set) var conflicts: [UndoConflict.Conflict] = []

    init(_ group: VersionHistory, until now: Snapshot) throws {
        self.group = group
        later = try VersionHistory(from: group.new, to: now).withoutEqualValues()
        for (key, changes) in group.tables.ordered(by: { $0.key < $1.key }) { try check(key, changes) }
    }

    private var now: Snapshot { later.new }

    private mutating func check(_ key: TableKey, _ changes: VersionHistory.TableChanges) throws {
        guard try hasSameProperties(key, changes) else { return }
        let later = self.later.tables[key] ?? VersionHistory.TableChanges()
        for object in changes.inserted { try checkInserted(object, key, later) }
        for object in changes.deleted { try checkDeleted(object, key, later) }
        for (object, columns) in changes.modified.ordered(by: { $0.key < $1.key }) {
            if later.isDeleted(object) {
                add(.deletedSince, object, key, in: group.new)
            } else {
                for column in columns where later.modified[object]?.contains(column) ?? false {
                    add(.modifiedSince, object, key, column, in: now)
                }
            }
        }
    }

    /// The columns of restored values must still exist. Columns that were added later keep their values.
    private mutating func hasSameProperties(
        _ key: TableKey, _ changes: VersionHistory.TableChanges
    ) throws -> Bool {
        guard let table = try now.table(key) else {
            add(.schemaChanged, changes.deleted.first ?? changes.inserted.first ?? .null, key, in: group.new)
            return false
        }
        if changes.deleted.isEmpty && changes.modified.isEmpty { return true }
        let old = try group.old.table(key)
        let wanted =
            changes.deleted.isEmpty
            ? changes.modified.values.reduce(into: Set()) { $0.formUnion($1) }
            : Set(old?.publicColumns.map(\.key) ?? [])
        if wanted.allSatisfy({ table.column($0) != nil }) { return true }
        add(.schemaChanged, changes.deleted.first ?? .null, key, in: group.old)
        return false
    }

    private mutating func checkInserted(
        _ object: ObjectKey, _ key: TableKey, _ later: VersionHistory.TableChanges
    ) throws {
        if later.isDeleted(object) { return add(.deletedSince, object, key, in: group.new) }
        for column in later.modified[object] ?? [] { add(.modifiedSince, object, key, column, in: now) }
        guard let table = try now.table(key) else { return }
        let origins = try OwnerSearch(source: now).outermostOrigins(of: object, in: table)
        if origins.contains(where: self.later.hasChanged) { add(.linkedSince, object, key, in: now) }
    }

    private mutating func checkDeleted(
        _ object: ObjectKey, _ key: TableKey, _ later: VersionHistory.TableChanges
    ) throws {
        guard let old = try group.old.table(key), let table = try now.table(key) else { return }
        if later.isInserted(object) { return add(.insertedSince, object, key, in: now) }
        guard let primaryKey = old.primaryKey, table.primaryKey == primaryKey else { return }
        // An object that the group itself inserted doesn't conflict, because it is deleted.
        if let other = try table.object(primaryKey: try old.value(primaryKey, of: object)),
            !(group.tables[key]?.isInserted(other) ?? false)
        {
            add(.insertedSince, other, key, in: now)
        }
    }

    private mutating func add(
        _ reason: UndoConflict.Reason, _ object: ObjectKey, _ table: TableKey, _ column: ColumnKey? = nil,
        in version: Snapshot
    ) {
        conflicts.append(
            UndoConflict.Conflict(reason: reason, table: table, object: object, column: column, version: version))
    }
}
