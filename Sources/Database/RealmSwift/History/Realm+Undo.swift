// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Realm {
    /// Takes a group of changes back, as one new commit, and returns what that changed: to take it back again redoes
    /// the group. An addition to Realm's API.
    ///
    /// ```swift
    /// let before = realm.freeze(label: "before the edit")
    /// try realm.write { … }
    /// let edit = try realm.changes(since: before)
    /// let redo = try realm.undo(edit)    // everything is as before
    /// try realm.undo(redo)               // and back again
    /// ```
    ///
    /// Inserted objects are deleted, deleted ones come back, with the same primary key and the same values, in the same
    /// lists, and modified properties get their old values. Later changes of other objects, and of other properties of
    /// the same objects, stay. Embedded objects that come back are new ones with the same values; whatever else comes
    /// back is the same object for all links to it.
    ///
    /// Waits for other writers.
    ///
    /// - Precondition: No write is in progress, and the Realm is neither frozen nor read-only.
    /// - Throws: `UndoConflict`, which names what it is, where a later change is in the way; otherwise `Realm.Error`.
    ///   Nothing is changed then.
    @discardableResult
    public func undo(_ changes: Changes) throws -> Changes {
        instance.verifyWritable()
        if isInWriteTransaction { throwRealmException("Cannot undo changes during a write transaction.") }
        guard changes.versions.history.new.database === instance.coordinator.database else {
            throwRealmException("Cannot undo changes of another file, or of one that was opened in another way.")
        }
        let names = ClassNames(instance.coordinator)
        try instance.throwing { try instance.writes.enter() }
        let before = try instance.writes.rollingBackOnError { () throws -> Snapshot in
            do {
                let before = try instance.baseOfWrite(label: Changes.label)
                let outcome = instance.change { transaction in
                    Result { try Reversion(changes.versions, before, transaction, names).run() }
                }
                try outcome?.get()
                return before
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

    /// Why changes cannot be taken back: what was changed since. An addition to Realm's API.
    public struct UndoConflict: Swift.Error, Sendable {
        /// A change in the way.
        public struct Conflict: Sendable, Hashable {
            /// What stands in the way.
            public enum Reason: Sendable, Hashable {
                /// An object that the group inserted or modified is gone.
                case deletedSince
                /// An object that the group inserted has other values now.
                case modifiedSince
                /// An object that the group deleted is there again, or another one with its primary key.
                case insertedSince
                /// Another object, changed since, links to an object that the group inserted.
                case linkedSince
                /// An object that an old value links to is gone.
                case targetDeletedSince
                /// The properties of the class are others now.
                case schemaChanged
            }

            /// The object in question.
            public let object: ObjectReference
            /// The property, if it is about one.
            public let property: String?
            /// What stands in the way.
            public let reason: Reason
        }

        /// All of them that are known.
        public let conflicts: [Conflict]
    }
}

extension Realm.UndoConflict: CustomStringConvertible {
    /// Names the first few of the changes.
    public var description: String {
        let shown = conflicts.prefix(5).map { "\($0)" }.joined(separator: "; ")
        let rest = conflicts.count > 5 ? "; and \(conflicts.count - 5) more" : ""
        return "Changes cannot be taken back, because others were made since: \(shown)\(rest)."
    }
}

extension Realm.UndoConflict.Conflict: CustomStringConvertible {
    /// Such as `Dog "Rex".age was changed`.
    public var description: String {
        let place = property.map { "\(object).\($0)" } ?? "\(object)"
        return switch reason {
        case .deletedSince: "\(place) was deleted"
        case .modifiedSince: "\(place) was changed"
        case .insertedSince: "\(place) is there again"
        case .linkedSince: "\(place) was linked to by an object that was changed"
        case .targetDeletedSince: "\(place), which an old value links to, was deleted"
        case .schemaChanged: "the properties of \(object.className) are others now"
        }
    }
}

extension RealmInstance {
    /// The version that the write in progress began with. No other writer commits meanwhile, so it is the newest one,
    /// as soon as commits of ours that wait for the disk are there.
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
