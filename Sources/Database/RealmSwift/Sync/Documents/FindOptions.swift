// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The options of a query of a ``MongoCollection``. Change them only before the call.
public final class FindOptions: @unchecked Sendable {
    // Unchecked, because users of the original API change options. Only the creator does so, before a call.

    /// The maximum number of documents. 0 means all.
    public var limit: Int
    /// The fields to return: 1 includes a field, 0 excludes it. `nil` returns all fields.
    public var projection: Document?
    /// The fields by which the documents are sorted: 1 ascending, -1 descending. The first document has the highest
    /// priority.
    public var sorting: [Document]

    /// The fields by which the documents are sorted, in the order of their names.
    @available(*, deprecated, message: "Use `sorting`")
    public var sort: Document? {
        get { sorting.first }
        set { sorting = newValue.map { [$0] } ?? [] }
    }

    /// Creates options.
    public init(_ limit: Int = 0, _ projection: Document? = nil, _ sorting: [Document] = []) {
        (self.limit, self.projection, self.sorting) = (limit, projection, sorting)
    }

    /// Creates options with one document of sort fields.
    @available(*, deprecated, message: "Use init(limit:projection:sorting:)")
    public convenience init(_ limit: Int?, _ projection: Document?, _ sort: Document?) {
        self.init(limit ?? 0, projection, sort.map { [$0] } ?? [])
    }

    /// Creates options with one document of sort fields.
    @available(*, deprecated, message: "Use init(limit:projection:sorting:)")
    public convenience init(limit: Int?, projection: Document?, sort: Document?) {
        self.init(limit ?? 0, projection, sort.map { [$0] } ?? [])
    }

    var limitMember: JSON.Member? { limit == 0 ? nil : .init("limit", AnyBSON(limit).json) }
    var projectionMember: JSON.Member? { projection.map { .init("project", $0.json) } }
    var sortMember: JSON.Member? { sorting.sortMember }
}

/// The options of a call that finds and changes a document of a ``MongoCollection``. Change them only before the call.
public final class FindOneAndModifyOptions: @unchecked Sendable {
    // Unchecked for the same reason as in `FindOptions`.

    /// The fields to return: 1 includes a field, 0 excludes it. `nil` returns all fields.
    public var projection: Document?
    /// The fields by which the documents are sorted to find the first: 1 ascending, -1 descending.
    public var sorting: [Document]
    /// A Boolean value that indicates whether a document is inserted if none satisfies the filter.
    public var upsert: Bool
    /// A Boolean value that indicates whether the call returns the document after the change instead of before.
    public var shouldReturnNewDocument: Bool

    /// The fields by which the documents are sorted, in the order of their names.
    @available(*, deprecated, message: "Use `sorting`")
    public var sort: Document? {
        get { sorting.first }
        set { sorting = newValue.map { [$0] } ?? [] }
    }

    /// Creates options that return all fields of the document before the change.
    public convenience init() { self.init(nil, [Document]()) }

    /// Creates options.
    public init(
        _ projection: Document?, _ sorting: [Document] = [], _ upsert: Bool = false,
        _ shouldReturnNewDocument: Bool = false
    ) {
        (self.projection, self.sorting) = (projection, sorting)
        (self.upsert, self.shouldReturnNewDocument) = (upsert, shouldReturnNewDocument)
    }

    /// Creates options with one document of sort fields.
    @available(*, deprecated, message: "Use init(projection:sorting:upsert:shouldReturnNewDocument:)")
    public convenience init(
        _ projection: Document?, _ sort: Document?, _ upsert: Bool = false, _ shouldReturnNewDocument: Bool = false
    ) {
        self.init(projection, sort.map { [$0] } ?? [], upsert, shouldReturnNewDocument)
    }

    /// Creates options with one document of sort fields.
    @available(*, deprecated, message: "Use init(projection:sorting:upsert:shouldReturnNewDocument:)")
    public convenience init(
        projection: Document?, sort: Document?, upsert: Bool = false, shouldReturnNewDocument: Bool = false
    ) {
        self.init(projection, sort.map { [$0] } ?? [], upsert, shouldReturnNewDocument)
    }

    var projectionMember: JSON.Member? { projection.map { .init("projection", $0.json) } }
    var sortMember: JSON.Member? { sorting.sortMember }
}

extension [Document] {
    /// The order of the members is significant.
    fileprivate var sortMember: JSON.Member? {
        isEmpty ? nil : .init("sort", ExtendedJSON.document(flatMap(\.members)).json)
    }
}

extension AnyBSON {
    var json: JSON { ExtendedJSON(self).json }
}

/// The result of an update of documents.
public struct UpdateResult: Sendable {
    /// The number of documents that satisfied the filter.
    public let matchedCount: Int
    /// The number of documents that the update changed.
    public let modifiedCount: Int
    /// The `_id` of the inserted document, or `nil` if none was inserted.
    public let documentId: AnyBSON?

    /// The `_id` of the inserted document if it's an `ObjectId`.
    @available(*, deprecated, message: "Use `documentId`")
    public var objectId: ObjectId? { documentId?.objectIdValue }
}
