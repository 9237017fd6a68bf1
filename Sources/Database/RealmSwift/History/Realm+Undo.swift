// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmValues

extension Realm {
    /// Reverts a group of changes in one new commit, and returns the changes of that commit. Revert these to redo the
    /// group. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = try realm.snapshot(label: "before the edit")
    /// try realm.write { … }
    /// let edit = try realm.diff(since: before)
    /// let reverted = try realm.revert(edit)    // everything is as before
    /// try realm.revert(reverted)               // and back again
    /// ```
    ///
    /// Inserted objects are deleted; deleted objects are restored with the same primary key, the same values, in the
    /// same lists; modified properties get their old values. Later changes of other objects, and of other properties of
    /// the same objects, are kept. A restored embedded object is a new object with the same values. Links to any other
    /// restored object refer to it again.
    ///
    /// Waits for other writers.
    ///
    /// - Precondition: No write is in progress, and the Realm is neither frozen nor read-only.
    /// - Throws: `UndoConflict`, which lists the conflicts, if a later change conflicts; otherwise `Realm.Error`. In
    ///   both cases nothing is changed.
    @discardableResult
    public func revert(_ changes: Changes) throws -> Changes {
        instance.verifyWritable()
        if isInWriteTransaction { throwRealmException("Cannot revert changes during a write transaction.") }
        guard changes.versions.history.new.database === instance.coordinator.database else {
            throwRealmException("Cannot revert changes of another file, or of one that was opened in another way.")
        }
        let names = ClassNames(instance.coordinator)
        try instance.throwing { try instance.writes.enter() }
        let before = try instance.writes.rollingBackOnError { () throws -> Snapshot in
            do {
                let before = try instance.baseOfWrite(label: Changes.label)
                let outcome = instance.change { transaction in
                    Result { try Reversion(of: changes.versions.history, since: before, in: transaction).run() }
                }
                try outcome?.get()
                return before
            } catch let error as RealmValues.UndoConflict {
                throw UndoConflict(conflicts: try error.conflicts.map { try UndoConflict.Conflict($0, names) })
            } catch let error as StorageError {
                throw Realm.Error(error)
            }
        }
        try commitWrite()
        do {
            return try Changes(
                from: before, to: try instance.coordinator.database.snapshot(label: Changes.label), names)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// The later changes that prevent reverting a group of changes. An addition to Realm's API.
    public struct UndoConflict: Swift.Error, Sendable {
        /// A conflicting change.
        public struct Conflict: Sendable, Hashable {
            /// The reason for a conflict.
            public enum Reason: Sendable, Hashable {
                /// An object that the group inserted or modified was deleted.
                case deletedSince
                /// An object that the group inserted was modified, or a property that the group modified.
                case modifiedSince
                /// An object that the group deleted was recreated, or another one has its primary key.
                case insertedSince
                /// Another object, changed since, that links to an object that the group inserted.
                case linkedSince
                /// The target of an old link was deleted.
                case targetDeletedSince
                /// The properties of the class have changed.
                case schemaChanged
            }

            /// The object in conflict.
            public let object: ObjectReference
            /// The property in conflict, if there is one.
            public let property: String?
            /// The reason for the conflict.
            public let reason: Reason
        }

        /// All conflicts that were found.
        public let conflicts: [Conflict]
    }
}

extension Realm.UndoConflict: CustomStringConvertible {
    /// The first few conflicts as text.
    public var description: String {
        let shown = conflicts.prefix(5).map { "\($0)" }.joined(separator: "; ")
        let rest = conflicts.count > 5 ? "; and \(conflicts.count - 5) more" : ""
        return "Changes cannot be reverted because of later changes: \(shown)\(rest)."
    }
}

extension Realm.UndoConflict.Conflict: CustomStringConvertible {
    /// The conflict as text, such as `Dog "Rex".age was changed`.
    public var description: String {
        let place = property.map { "\(object).\($0)" } ?? "\(object)"
        return switch reason {
        case .deletedSince: "\(place) was deleted"
        case .modifiedSince: "\(place) was changed"
        case .insertedSince: "\(place) was created again"
        case .linkedSince: "\(place) was linked to by an object that was changed"
        case .targetDeletedSince: "\(place), which an old value links to, was deleted"
        case .schemaChanged: "the properties of \(object.className) have changed"
        }
    }
}

extension Realm.UndoConflict.Conflict {
    fileprivate init(_ conflict: RealmValues.UndoConflict.Conflict, _ names: ClassNames) throws {
        let table = try conflict.version.table(conflict.table)
        let reader = ChangeReader(version: conflict.version, names: names)
        object =
            try reader.reference(to: conflict.object, in: conflict.table)
            ?? Realm.ObjectReference(
                className: table?.className ?? "", primaryKey: nil, objectKey: conflict.object.rawValue)
        property = conflict.column.flatMap { key in
            table.flatMap { table in table.column(key).map { names.property($0, table) } }
        }
        reason = Reason(conflict.reason)
    }
}

extension Realm.UndoConflict.Conflict.Reason {
    fileprivate init(_ reason: RealmValues.UndoConflict.Reason) {
        self =
            switch reason {
            case .deletedSince: .deletedSince
            case .modifiedSince: .modifiedSince
            case .insertedSince: .insertedSince
            case .linkedSince: .linkedSince
            case .targetDeletedSince: .targetDeletedSince
            case .schemaChanged: .schemaChanged
            }
    }
}

extension RealmInstance {
    /// Returns the version at the beginning of the write in progress. No other writer commits in the meantime, so it is
    /// the newest one once our own pending commits are on disk.
    fileprivate func baseOfWrite(label: String) throws -> Snapshot {
        let newest = try coordinator.database.snapshot(label: label)
        if newest.version == transaction?.baseVersion { return newest }
        if let group = writes.waiting.group { return try group.newest.snapshot(label: label) }
        writes.finishCommits()
        let base = try coordinator.database.snapshot(label: label)
        guard base.version == transaction?.baseVersion else {
            throw StorageError(.fileAccess, "a commit before this one could not be made durable")
        }
        return base
    }
}
