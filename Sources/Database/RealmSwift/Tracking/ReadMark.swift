// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Something that was read within `withObservationTracking`, for as long as an observation waits for its change.
///
/// Observation keeps it, within a key path, and lets go of it after the change or with the observation. So nothing has
/// to be notified when an observation ends.
///
/// Touched at the place of its instance only, but for its end, which may come on any thread; hence `@unchecked`.
final class ReadMark: Hashable, @unchecked Sendable {
    let subject: ReadTracker.Subject
    /// Whether it was read in a state that is no version, so that it cannot be found out later whether it has changed.
    var isBaseless: Bool
    /// Of a query: itself in the version that the tracker compares with.
    private var core: ResultsCore?
    /// Of a query: its elements in that version, if they are known.
    private var contents: ResultsCore.Contents?

    init(_ subject: ReadTracker.Subject, isBaseless: Bool, _ core: ResultsCore? = nil) {
        self.subject = subject
        self.isBaseless = isBaseless
        self.core = core
    }

    static func == (lhs: ReadMark, rhs: ReadMark) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether a read gives something else in the newer version.
    func hasChanged(_ changes: VersionChanges) throws -> Bool {
        switch subject {
        case .property(let table, let object, let column):
            let changes = try changes.table(table)
            if changes.isDeleted(object) || changes.isInserted(object) { return true }
            return changes.modification(of: object)?.columns.contains(column) ?? false
        case .object(let table, let object):
            let changes = try changes.table(table)
            return changes.isDeleted(object) || changes.isInserted(object)
        case .collection(let path): return try hasChanged(path, changes)
        case .query(_, let deep): return try core.map { try hasChanged($0, deep, changes) } ?? true
        }
    }

    /// Whether the object that was read isn't in the newer version.
    func isDeleted(_ changes: VersionChanges) throws -> Bool {
        switch subject {
        case .property(let table, let object, _), .object(let table, let object):
            try changes.table(table).isDeleted(object)
        case .collection(let path): try changes.table(path.table).isDeleted(path.object)
        case .query: false
        }
    }

    private func hasChanged(_ path: CollectionPath, _ changes: VersionChanges) throws -> Bool {
        if changes.diff.isSame(path.table) { return false }
        switch (try changes.old.snapshot.collectionIfPresent(path), try changes.new.snapshot.collectionIfPresent(path))
        {
        case (.list?, .list?): return try changes.diff.list(at: path) != nil
        case (.set?, .set?): return try changes.diff.set(at: path) != nil
        case (.dictionary?, .dictionary?): return try changes.diff.dictionary(at: path) != nil
        case (nil, nil): return false
        default: return true
        }
    }

    private func hasChanged(_ core: ResultsCore, _ isDeep: Bool, _ changes: VersionChanges) throws -> Bool {
        if core.steps.isEmpty, !isDeep, let managed = core.wholeClass {
            let changes = try changes.table(managed.tableKey)
            return !changes.deletions.isEmpty || !changes.insertions.isEmpty
        }
        let finder = QueryFinder(core: core, filter: nil)
        guard try finder.mayHaveChanged(changes) else { return false }
        if isDeep { return true }
        let before = contents ?? finder.contents(in: changes.old)
        contents = finder.contents(in: changes.new)
        return !(before?.isSame(as: contents) ?? false)
    }

    /// From now on, what is read is compared with what it is in `version`, which the last comparison led to.
    func resolve(in version: ObservedVersion) { core = core?.transferred(to: version.instance) }

    /// Lets go of the version: it cannot be found out later whether anything has changed since.
    func forgetVersion() {
        isBaseless = true
        core = nil
        contents = nil
    }
}

extension ResultsCore.Contents {
    /// Whether these are the same elements in the same order. Of whole tables nothing is known.
    fileprivate func isSame(as other: Self?) -> Bool {
        switch (self, other) {
        case (.keys(let keys), .keys(let others)): keys == others
        case (.values(let values), .values(let others)): values == others
        default: false
        }
    }
}
