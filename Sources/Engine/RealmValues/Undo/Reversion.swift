// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Undoes a group of changes within a write transaction: restores the old version of everything they changed.
///
/// Objects are restored under their old keys, which other objects don't reuse, so that links and lists of the old
/// version can be restored as stored. Only embedded objects get new keys.
package struct Reversion {
    let group: VersionHistory
    let transaction: WriteTransaction
    private let before: Snapshot
    private let embeddedChanges: EmbeddedChanges

    package init(of group: VersionHistory, since before: Snapshot, in transaction: WriteTransaction) {
        self.group = group
        self.before = before
        embeddedChanges = EmbeddedChanges(before)
        self.transaction = transaction
    }

    var old: Snapshot { group.old }

    /// Throws `UndoConflict`, with nothing changed, if later changes conflict.
    package func run() throws {
        let check = try UndoCheck(group, until: before)
        if !check.conflicts.isEmpty { throw UndoConflict(conflicts: check.conflicts) }
        let tables = group.tables.ordered { $0.key < $1.key }
        for (key, changes) in tables {
            for object in changes.inserted { try transaction.removeObject(object, from: key) }
        }
        for (key, changes) in tables {
            for object in changes.deleted { try create(object, in: key) }
        }
        // Restored objects may link to each other, so their links are written after all of them exist.
        for (key, changes) in tables {
            guard let table = try old.table(key) else { continue }
            for object in changes.deleted { try restoreLinks(of: object, in: table) }
            for (object, columns) in changes.modified.ordered(by: { $0.key < $1.key }) {
                for column in table.publicColumns where columns.contains(column.key) {
                    try restore(column, of: object, from: object, in: table)
                }
            }
        }
    }

    private func create(_ object: ObjectKey, in key: TableKey) throws {
        guard let table = try old.table(key), let position = try table.find(object) else { return }
        var values: [ColumnKey: StoredValue] = [:]
        for column in table.publicColumns where !column.key.isCollection && column.type != .link {
            let value = try table.value(column, at: position)
            if !value.needsObject { values[column.key] = value }
        }
        try transaction.createObject(object, in: key, values)
    }

    private func restoreLinks(of object: ObjectKey, in table: Table) throws {
        for column in table.publicColumns {
            if !column.key.isCollection, column.type != .link {
                guard try table.value(column.key, of: object).needsObject else { continue }
            }
            try restore(column, of: object, from: object, in: table)
        }
    }

    // MARK: Properties

    /// Sets a property of `object` to its value in `source` in the old version. The keys differ only for embedded
    /// objects. `table` is that of the old version.
    func restore(_ column: Column, of object: ObjectKey, from source: ObjectKey, in table: Table) throws {
        let place = CollectionPath(column.key, of: object, in: table.key)
        if column.key.isList {
            try restoreList(column, place, try table.list(column.key, of: source), table)
        } else if column.key.isSet {
            try restoreSet(column, place, try table.set(column.key, of: source), table)
        } else if column.key.isDictionary {
            try restoreDictionary(column, place, try table.dictionary(column.key, of: source), table)
        } else if column.type == .link {
            try restoreLink(column, place, try table.value(column.key, of: source), table)
        } else {
            try restoreValue(try table.value(column.key, of: source), place, source)
        }
    }

    private func restoreValue(_ value: StoredValue, _ place: CollectionPath, _ source: ObjectKey) throws {
        try verifyTarget(of: value)
        guard let kind = NestedKind(value) else {
            return try transaction.set(value, place.column, of: place.object, in: place.table)
        }
        try transaction.set(.null, place.column, of: place.object, in: place.table)
        try transaction.setCollection(kind, at: place)
        try fill(place, with: value)
    }

    private func restoreLink(
        _ column: Column, _ place: CollectionPath, _ value: StoredValue, _ table: Table
    ) throws {
        guard case .link(let target) = value, !target.isNull, let embedded = try embeddedTarget(column, table) else {
            try verifyTarget(of: value, column, table)
            return try transaction.set(value, place.column, of: place.object, in: place.table)
        }
        if try current(place.table).value(place.column, of: place.object) == value {
            return try restoreKept(target, in: embedded)
        }
        let child = try transaction.links.createEmbedded(place.column, of: place.object, in: place.table)
        try fill(child, from: target, in: embedded)
    }

    // MARK: Embedded objects

    /// Returns nil if the column doesn't contain embedded objects.
    func embeddedTarget(_ column: Column, _ table: Table) throws -> Table? {
        guard column.type == .link, let target = try old.table(table.oppositeTables[column.leafIndex]),
            target.isEmbedded
        else {
            return nil
        }
        return target
    }

    /// Restores the changed values of an embedded object that still exists under its old key.
    func restoreKept(_ object: ObjectKey, in table: Table) throws {
        let changed = try embeddedChanges.columns(of: object, in: table)
        for column in table.publicColumns {
            // Objects embedded in this one may have changed although it did not.
            let isEmbedding = try embeddedTarget(column, table) != nil
            if isEmbedding || changed.contains(column.key) {
                try restore(column, of: object, from: object, in: table)
            }
        }
    }

    func fill(_ object: ObjectKey, from source: ObjectKey, in table: Table) throws {
        for column in table.publicColumns { try restore(column, of: object, from: source, in: table) }
    }

    // MARK: Tables and targets

    func current(_ key: TableKey) throws -> Table {
        guard let table = try transaction.table(key) else {
            throw StorageError.absent("\(key) is not in the file (any more)")
        }
        return table
    }

    func verifyTarget(of value: StoredValue, _ column: Column, _ table: Table) throws {
        guard case .link(let key) = value, !key.isNull else { return try verifyTarget(of: value) }
        try verifyTarget(of: .typedLink(ObjectLink(table: table.oppositeTables[column.leafIndex], object: key)))
    }

    func verifyTarget(of value: StoredValue) throws {
        guard case .typedLink(let link) = value else { return }
        if try transaction.table(link.table)?.contains(link.object) ?? false { return }
        let conflict = UndoConflict.Conflict(
            reason: .targetDeletedSince, table: link.table, object: link.object, column: nil, version: old)
        throw UndoConflict(conflicts: [conflict])
    }
}

extension StoredValue {
    fileprivate var needsObject: Bool {
        switch self {
        case .link, .typedLink, .list, .dictionary: true
        default: false
        }
    }
}

extension NestedKind {
    init?(_ value: StoredValue) {
        switch value {
        case .list: self = .list
        case .dictionary: self = .dictionary
        default: return nil
        }
    }
}

/// The differences of existing embedded objects, computed once for each table.
private final class EmbeddedChanges {
    private let before: Snapshot
    private var known: [TableKey: TableDiff] = [:]

    init(_ before: Snapshot) { self.before = before }

    /// Returns the columns whose values in an object differ from those of the old version, to which `table` belongs.
    func columns(of object: ObjectKey, in table: Table) throws -> Set<ColumnKey> {
        let diff = try known[table.key] ?? TableDiff(from: before.table(table.key), to: table)
        known[table.key] = diff
        return Set(diff.modification(of: object)?.columns ?? [])
    }
}
