// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A read within `withObservationTracking`. It exists while an observation waits for its change.
///
/// Observation retains it in a key path, and releases it after the change or with the observation. So nothing has to be
/// done when an observation ends.
///
/// Unchecked, because it may be deallocated on any thread. All other uses are confined like the instance.
final class ReadMark: Hashable, @unchecked Sendable {
    let subject: ReadTracker.Subject
    /// Whether the state that was read isn't a version, so that changes can't be detected later.
    var isBaseless: Bool
    private let query: ObservedQuery?
    /// The elements of the query in the base version of the tracker, if known.
    private var contents: QueryContents?

    init(_ subject: ReadTracker.Subject, isBaseless: Bool, _ query: ObservedQuery? = nil) {
        self.subject = subject
        self.isBaseless = isBaseless
        self.query = query
    }

    static func == (lhs: ReadMark, rhs: ReadMark) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func hasChanged(_ changes: ObservedChanges) throws -> Bool {
        switch subject {
        case .property(let table, let object, let column):
            let changes = try changes.versions.table(table)
            if changes.isDeleted(object) || changes.isInserted(object) { return true }
            return changes.modification(of: object)?.columns.contains(column) ?? false
        case .object(let table, let object):
            let changes = try changes.versions.table(table)
            return changes.isDeleted(object) || changes.isInserted(object)
        case .collection(let path): return try hasChanged(path, changes.versions)
        case .query(_, let deep): return try query.map { try hasChanged($0, deep, changes) } ?? true
        }
    }

    func isDeleted(_ changes: ObservedChanges) throws -> Bool {
        switch subject {
        case .property(let table, let object, _), .object(let table, let object):
            try changes.versions.table(table).isDeleted(object)
        case .collection(let path): try changes.versions.table(path.table).isDeleted(path.object)
        case .query: false
        }
    }

    private func hasChanged(_ path: CollectionPath, _ changes: VersionChanges) throws -> Bool {
        if changes.diff.isSame(path.table) { return false }
        switch (try changes.old.collectionIfPresent(path), try changes.new.collectionIfPresent(path)) {
        case (.list?, .list?): return try changes.diff.list(at: path) != nil
        case (.set?, .set?): return try changes.diff.set(at: path) != nil
        case (.dictionary?, .dictionary?): return try changes.diff.dictionary(at: path) != nil
        case (nil, nil): return false
        default: return true
        }
    }

    private func hasChanged(_ query: ObservedQuery, _ isDeep: Bool, _ changes: ObservedChanges) throws -> Bool {
        if query.steps.isEmpty, !isDeep, let table = query.wholeTable {
            let changes = try changes.versions.table(table)
            return !changes.deletions.isEmpty || !changes.insertions.isEmpty
        }
        guard try QueryDetector(query, filter: nil).mayHaveChanged(changes) else { return false }
        if isDeep { return true }
        let before = contents ?? query.contents(in: changes.old)
        let after = query.contents(in: changes.new)
        contents = after
        return !before.isSame(as: after)
    }

    /// Called when later changes can't be detected.
    func forgetVersion() {
        isBaseless = true
        contents = nil
    }
}

extension QueryContents {
    /// Also false for whole tables, whose elements aren't listed.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.keys(let keys), .keys(let others)): keys == others
        case (.values(let values), .values(let others)): values == others
        default: false
        }
    }
}
