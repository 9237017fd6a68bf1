// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools
import RealmValues

/// The changes of a commit, so that they can be undone and redone: objects added and removed, and the values of changed
/// ones. Values are stored outside the file, so no version of it is retained for them.
struct UndoStep {
    private var created: [WholeObject] = []
    private var removed: [WholeObject] = []
    private var changed: [Change] = []

    fileprivate struct WholeObject {
        let table: TableKey
        let key: ObjectKey
        let values: [ColumnKey: DetachedValue]
    }

    private struct Change {
        let table: TableKey
        let key: ObjectKey
        let column: ColumnKey
        let before: DetachedValue
        let after: DetachedValue
    }

    init(from old: Snapshot, to new: Snapshot, budget: ReadBudget) throws {
        let (before, after) = (ObjectReader(old, budget: budget), ObjectReader(new, budget: budget))
        let diff = try VersionDiff(from: old, to: new)
        for key in diff.changedTables {
            guard let oldTable = try old.table(key), let newTable = try new.table(key) else { continue }
            let changes = try diff.table(key)
            // Embedded objects are added and removed with the values that own them.
            if !newTable.isEmbedded {
                created += try changes.insertions.map { try UndoStep.whole($0, newTable, after) }
                removed += try changes.deletions.map { try UndoStep.whole($0, oldTable, before) }
            }
            for change in changes.modifications {
                let (was, now) = (try oldTable.requireObject(change.object), try newTable.requireObject(change.object))
                for column in newTable.publicColumns where change.columns.contains(column.key) {
                    changed.append(
                        Change(
                            table: key, key: change.object, column: column.key,
                            before: try before.value(column, of: oldTable, at: was),
                            after: try after.value(column, of: newTable, at: now)))
                }
            }
        }
    }

    var isEmpty: Bool { created.isEmpty && removed.isEmpty && changed.isEmpty }

    private static func whole(_ key: ObjectKey, _ table: Table, _ reader: ObjectReader) throws -> WholeObject {
        let values = try reader.values(of: table, at: try table.requireObject(key))
        return WholeObject(
            table: table.key, key: key,
            values: Dictionary(zip(table.publicColumns.map(\.key), values)) { first, _ in first })
    }

    // MARK: Taking back

    /// Undoes or redoes the commit. Throws if another program has changed the same values meanwhile.
    func apply(to write: WriteTransaction, isUndo: Bool) throws {
        let (gone, back) = isUndo ? (created, removed) : (removed, created)
        try requireUnchanged(write, isUndo)
        // Objects are created first, because they may link to each other.
        for object in back { try object.begin(in: write) }
        for object in back { try object.fill(in: write) }
        for change in changed {
            let table = try write.require(change.table)
            guard try table.find(change.key) != nil else { continue }
            let column = try table.require(change.column)
            try FileEditor.writer(write).set(
                isUndo ? change.before : change.after, column, of: change.key, in: table.key)
        }
        for object in gone where try write.require(object.table).find(object.key) != nil {
            try write.removeObject(object.key, from: object.table)
        }
    }

    private func requireUnchanged(_ write: WriteTransaction, _ isUndo: Bool) throws {
        let reader = ObjectReader(write, budget: ReadBudget(byteCount: 1 << 30))
        for change in changed {
            let table = try write.require(change.table)
            guard let position = try table.find(change.key) else {
                // A replaced embedded object is part of its owner's value.
                if table.isEmbedded { continue }
                throw UndoStep.conflict
            }
            let value = try reader.value(try table.require(change.column), of: table, at: position)
            guard UndoStep.text(value) == UndoStep.text(isUndo ? change.after : change.before) else {
                throw UndoStep.conflict
            }
        }
    }

    private static let conflict = StudioError("another program has changed the same object since; nothing was done")

    /// Values are compared by their printed form.
    private static func text(_ value: DetachedValue) -> String { String(describing: value) }
}

extension UndoStep.WholeObject {
    /// Creates the object with its plain values; links and collections follow later.
    fileprivate func begin(in write: WriteTransaction) throws {
        let table = try write.require(table)
        guard try table.find(key) == nil else { throw StudioError("there is another object in its place") }
        var simple: [ColumnKey: StoredValue] = [:]
        for column in table.publicColumns where !column.key.isCollection && column.type != .link {
            if case .plain(let value)? = values[column.key] { simple[column.key] = value }
        }
        try write.createObject(key, in: table.key, simple)
    }

    fileprivate func fill(in write: WriteTransaction) throws {
        let table = try write.require(table)
        for column in Array(table.publicColumns) {
            guard let value = values[column.key] else { continue }
            if case .plain = value, !column.key.isCollection, column.type != .link { continue }
            try FileEditor.writer(write).set(value, column, of: key, in: table.key, isNew: true)
        }
    }
}
