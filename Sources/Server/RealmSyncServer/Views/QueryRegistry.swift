// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The queries of all client files. Equal queries of a class are one, so that a change is evaluated once for all files
/// that have it.
struct QueryRegistry {
    struct Query {
        let id: UInt64
        let name: QueryName
        /// The properties that the query mentions.
        let fields: Set<Text>
        let restriction: QueryRestriction?
        fileprivate(set) var form = QueryForm()
        /// The number of views with the query, by file.
        fileprivate(set) var files: [UInt64: Int] = [:]

        var className: Text { name.className }

        /// A query that can't be parsed matches nothing.
        init(id: UInt64, _ name: QueryName) {
            (self.id, self.name) = (id, name)
            let query = try? SubscriptionQuery(name.className, parsing: name.text.string)
            fields = query?.fields ?? []
            restriction = query.flatMap { QueryRestriction($0.predicate) }
        }
    }

    private(set) var queries: [UInt64: Query] = [:]
    private var ids: [QueryName: UInt64] = [:]
    private var classes: [Text: ClassQueries] = [:]
    private(set) var lastId: UInt64 = 0

    func id(_ name: QueryName) -> UInt64? { ids[name] }

    /// Returns the queries that can match one of some objects of a class.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the objects.
    ///   - values: Returns the values of these objects for a property, or `nil` if they aren't those of intervals.
    func matches(
        of className: Text, _ numbers: [Int], _ values: (Text) throws -> ClassQueries.Values?
    ) rethrows -> ClassQueries.Matches {
        try classes[className]?.matches(numbers, values) ?? ClassQueries.Matches()
    }

    /// Returns the number of queries that can match one of some objects of a class, or more than `limit`.
    func count(
        of className: Text, limit: Int, _ values: (Text) throws -> ClassQueries.Values?
    ) rethrows -> Int {
        try classes[className]?.count(limit: limit, values) ?? 0
    }

    mutating func add(_ id: UInt64, _ name: QueryName) {
        let query = Query(id: id, name)
        queries[id] = query
        ids[name] = id
        classes[name.className, default: ClassQueries()].insert(query)
        lastId = max(lastId, id)
    }

    /// Retains the form of a query that was evaluated before it was added.
    mutating func adopt(_ query: Query) { queries[query.id]?.form = query.form }

    mutating func retain(_ view: FileView, of file: UInt64) {
        for id in view.queries.values { queries[id]?.files[file, default: 0] += 1 }
    }

    /// Removes the queries that no view has.
    mutating func release(_ view: FileView, of file: UInt64) {
        for id in view.queries.values {
            guard let count = queries[id]?.files[file] else { continue }
            queries[id]?.files[file] = count > 1 ? count - 1 : nil
            if let query = queries[id], query.files.isEmpty { remove(query) }
        }
    }

    private mutating func remove(_ query: Query) {
        queries[query.id] = nil
        ids[query.name] = nil
        classes[query.className]?.remove(query)
        if classes[query.className]?.isEmpty == true { classes[query.className] = nil }
    }
}

/// A query of a class, as text.
struct QueryName: Hashable {
    let className: Text
    let text: Text

    init(_ className: Text, _ text: Text) { (self.className, self.text) = (className, text) }
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
