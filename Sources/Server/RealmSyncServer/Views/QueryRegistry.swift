// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The queries of all client files. Equal queries of a class are one, so that a change is evaluated once for all files
/// that have it.
struct QueryRegistry {
    struct Query {
        let id: UInt64
        let className: Text
        let text: Text
        /// The number of views with the query.
        fileprivate(set) var viewCount = 0

        init(id: UInt64, className: Text, text: Text) {
            (self.id, self.className, self.text) = (id, className, text)
        }
    }

    private struct Name: Hashable {
        let className: Text
        let text: Text
    }

    private(set) var queries: [UInt64: Query] = [:]
    private var ids: [Name: UInt64] = [:]
    private var classes: [Text: Set<UInt64>] = [:]
    private(set) var lastId: UInt64 = 0

    func id(_ className: Text, _ text: Text) -> UInt64? { ids[Name(className: className, text: text)] }

    func queries(of className: Text) -> [Query] {
        (classes[className] ?? []).compactMap { queries[$0] }
    }

    mutating func add(_ id: UInt64, _ className: Text, _ text: Text) {
        queries[id] = Query(id: id, className: className, text: text)
        ids[Name(className: className, text: text)] = id
        classes[className, default: []].insert(id)
        lastId = max(lastId, id)
    }

    mutating func retain(_ view: FileView) {
        for id in view.queries.values { queries[id]?.viewCount += 1 }
    }

    /// Removes the queries that no view has.
    mutating func release(_ view: FileView) {
        for id in view.queries.values {
            queries[id]?.viewCount -= 1
            if let query = queries[id], query.viewCount <= 0 { remove(query) }
        }
    }

    private mutating func remove(_ query: Query) {
        queries[query.id] = nil
        ids[Name(className: query.className, text: query.text)] = nil
        classes[query.className]?.remove(query.id)
        if classes[query.className]?.isEmpty == true { classes[query.className] = nil }
    }
}

/// The queries of a client file, from the version of their bootstrap.
struct FileView {
    /// The version of the bootstrap.
    let start: UInt64
    let queryVersion: UInt64
    /// The ids by class.
    let queries: [Text: UInt64]
    /// The fields that the file receives, of classes with hidden fields.
    var fields: [Text: FieldSelection] = [:]

    func shows(_ instruction: Instruction) -> Bool {
        guard case .change(let place, _) = instruction else { return true }
        return fields[place.object.table]?.contains(place.column) != false
    }
}

/// The changes of a version that only one file receives.
struct FileChange {
    /// For a bootstrap, the objects that it replaces or removes, as erasures: merges discard other changes of them.
    var changeset: Changeset
    /// The bootstrap is sent in parts that aren't stored.
    var isBootstrap: Bool
    /// The version of the file whose writes are reverted.
    var clientVersion: UInt64 = 0
    var rejected: [ServerError.Rejection.Update] = []
    /// The objects of uploads that were merged with the bootstrap. A file that misses the bootstrap needs them again.
    var lost: Set<ObjectReference> = []
}
