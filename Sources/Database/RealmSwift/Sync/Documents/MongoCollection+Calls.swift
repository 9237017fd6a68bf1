// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension MongoCollection {
    // MARK: Insertion

    /// Inserts a document. If it has no `_id`, the server adds one.
    ///
    /// - Returns: The `_id` of the document.
    /// - Throws: `AppError`.
    @discardableResult
    public func insertOne(_ document: Document) async throws -> AnyBSON {
        let answer = try await call("insertOne", .init("document", document.json))
        guard let id = answer["insertedId"].flatMap({ AnyBSON($0) }) else { throw invalidAnswer("insertOne") }
        return id
    }

    /// Inserts documents, either all or none.
    ///
    /// - Returns: The values of `_id`, in the order of the documents.
    /// - Throws: `AppError`.
    @discardableResult
    public func insertMany(_ documents: [Document]) async throws -> [AnyBSON] {
        let answer = try await call("insertMany", .init("documents", .array(documents.map(\.json))))
        guard case .array(let elements)? = answer["insertedIds"] else { throw invalidAnswer("insertMany") }
        return elements.compactMap { AnyBSON($0) }
    }

    // MARK: Queries

    /// Returns the documents that satisfy the filter.
    ///
    /// - Throws: `AppError`.
    public func find(
        filter: Document, options: FindOptions = .init(), _isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Document] {
        try documents(
            try await call(
                "find", .init("query", filter.json), options.limitMember, options.projectionMember,
                options.sortMember), "find")
    }

    /// Returns a document that satisfies the filter, or `nil` if no document does.
    ///
    /// - Throws: `AppError`.
    public func findOneDocument(
        filter: Document, options: FindOptions = .init(), _isolation: isolated (any Actor)? = #isolation
    ) async throws -> Document? {
        try document(
            try await call("findOne", .init("query", filter.json), options.projectionMember, options.sortMember),
            "findOne")
    }

    /// Returns the results of a pipeline.
    ///
    /// - Throws: `AppError`.
    public func aggregate(pipeline: [Document]) async throws -> [Document] {
        try documents(try await call("aggregate", .init("pipeline", .array(pipeline.map(\.json)))), "aggregate")
    }

    /// Returns the number of documents that satisfy the filter, at most `limit`.
    ///
    /// - Throws: `AppError`.
    public func count(filter: Document, limit: Int? = nil) async throws -> Int {
        try count(
            try await call("count", .init("query", filter.json), limit.map { .init("limit", AnyBSON($0).json) }),
            "count")
    }

    // MARK: Deletion

    /// Deletes a document that satisfies the filter.
    ///
    /// - Returns: The number of deleted documents: 0 or 1.
    /// - Throws: `AppError`.
    @discardableResult
    public func deleteOneDocument(filter: Document) async throws -> Int {
        try count(try await call("deleteOne", .init("query", filter.json))["deletedCount"], "deleteOne")
    }

    /// Deletes all documents that satisfy the filter.
    ///
    /// - Returns: The number of deleted documents.
    /// - Throws: `AppError`.
    @discardableResult
    public func deleteManyDocuments(filter: Document) async throws -> Int {
        try count(try await call("deleteMany", .init("query", filter.json))["deletedCount"], "deleteMany")
    }

    // MARK: Updates

    /// Updates a document that satisfies the filter.
    ///
    /// - Parameters:
    ///   - filter: The condition on documents.
    ///   - update: Update operators such as `$set`.
    ///   - upsert: Whether a document is inserted if none satisfies the filter.
    /// - Throws: `AppError`.
    @discardableResult
    public func updateOneDocument(
        filter: Document, update: Document, upsert: Bool? = nil
    ) async throws -> UpdateResult {
        try await self.update("updateOne", filter, update, upsert)
    }

    /// Updates all documents that satisfy the filter.
    ///
    /// - Parameters:
    ///   - filter: The condition on documents.
    ///   - update: Update operators such as `$set`.
    ///   - upsert: Whether a document is inserted if none satisfies the filter.
    /// - Throws: `AppError`.
    @discardableResult
    public func updateManyDocuments(
        filter: Document, update: Document, upsert: Bool? = nil
    ) async throws -> UpdateResult {
        try await self.update("updateMany", filter, update, upsert)
    }

    private func update(
        _ command: String, _ filter: Document, _ update: Document, _ upsert: Bool?
    ) async throws -> UpdateResult {
        let answer = try await call(
            command, .init("query", filter.json), .init("update", update.json),
            upsert.map { .init("upsert", .bool($0)) })
        return UpdateResult(
            matchedCount: try count(answer["matchedCount"], command),
            modifiedCount: try count(answer["modifiedCount"], command),
            documentId: answer["upsertedId"].flatMap { AnyBSON($0) })
    }

    /// Updates a document that satisfies the filter.
    ///
    /// - Returns: The document before or after the update, depending on the options, or `nil` if it didn't exist.
    /// - Throws: `AppError`.
    @discardableResult
    public func findOneAndUpdate(
        filter: Document, update: Document, options: FindOneAndModifyOptions = .init(),
        _isolation: isolated (any Actor)? = #isolation
    ) async throws -> Document? {
        try await modify("findOneAndUpdate", filter, .init("update", update.json), options)
    }

    /// Replaces a document that satisfies the filter.
    ///
    /// - Returns: The document before or after the replacement, depending on the options, or `nil` if it didn't exist.
    /// - Throws: `AppError`.
    @discardableResult
    public func findOneAndReplace(
        filter: Document, replacement: Document, options: FindOneAndModifyOptions = .init(),
        _isolation: isolated (any Actor)? = #isolation
    ) async throws -> Document? {
        try await modify("findOneAndReplace", filter, .init("update", replacement.json), options)
    }

    /// Deletes a document that satisfies the filter.
    ///
    /// - Returns: The deleted document, or `nil` if none satisfied the filter.
    /// - Throws: `AppError`.
    @discardableResult
    public func findOneAndDelete(
        filter: Document, options: FindOneAndModifyOptions = .init(), _isolation: isolated (any Actor)? = #isolation
    ) async throws -> Document? {
        try await modify("findOneAndDelete", filter, nil, options)
    }

    private func modify(
        _ command: String, _ filter: Document, _ update: JSON.Member?, _ options: FindOneAndModifyOptions,
        _isolation: isolated (any Actor)? = #isolation
    ) async throws -> Document? {
        let answer = try await call(
            command, .init("filter", filter.json), update, options.projectionMember, options.sortMember,
            options.upsert ? .init("upsert", true) : nil,
            options.shouldReturnNewDocument ? .init("returnNewDocument", true) : nil)
        return try document(answer, command)
    }
}

// MARK: Completion handlers

/// These forms call `completion` on any thread.
extension MongoCollection {
    /// Inserts a document as `insertOne(_:)` does, and calls `completion` on any thread.
    @preconcurrency public func insertOne(_ document: Document, _ completion: @escaping MongoInsertBlock) {
        completing(completion) { try await insertOne(document) }
    }

    /// Inserts documents as `insertMany(_:)` does, and calls `completion` on any thread.
    @preconcurrency public func insertMany(_ documents: [Document], _ completion: @escaping MongoInsertManyBlock) {
        completing(completion) { try await insertMany(documents) }
    }

    /// Finds documents as `find(filter:options:)` does, and calls `completion` on any thread.
    @preconcurrency public func find(
        filter: Document, options: FindOptions = FindOptions(), _ completion: @escaping MongoFindBlock
    ) {
        completing(completion) { try await find(filter: filter, options: options) }
    }

    /// Finds a document as `findOneDocument(filter:options:)` does, and calls `completion` on any thread.
    @preconcurrency public func findOneDocument(
        filter: Document, options: FindOptions = FindOptions(), _ completion: @escaping MongoFindOneBlock
    ) {
        completing(completion) { try await findOneDocument(filter: filter, options: options) }
    }

    /// Runs a pipeline as `aggregate(pipeline:)` does, and calls `completion` on any thread.
    @preconcurrency public func aggregate(pipeline: [Document], _ completion: @escaping MongoFindBlock) {
        completing(completion) { try await aggregate(pipeline: pipeline) }
    }

    /// Counts documents as `count(filter:limit:)` does, and calls `completion` on any thread.
    @preconcurrency public func count(
        filter: Document, limit: Int? = nil, _ completion: @escaping MongoCountBlock
    ) {
        completing(completion) { try await count(filter: filter, limit: limit) }
    }

    /// Deletes a document as `deleteOneDocument(filter:)` does, and calls `completion` on any thread.
    @preconcurrency public func deleteOneDocument(filter: Document, _ completion: @escaping MongoCountBlock) {
        completing(completion) { try await deleteOneDocument(filter: filter) }
    }

    /// Deletes documents as `deleteManyDocuments(filter:)` does, and calls `completion` on any thread.
    @preconcurrency public func deleteManyDocuments(filter: Document, _ completion: @escaping MongoCountBlock) {
        completing(completion) { try await deleteManyDocuments(filter: filter) }
    }

    /// Updates a document as `updateOneDocument(filter:update:upsert:)` does, and calls `completion` on any thread.
    @preconcurrency public func updateOneDocument(
        filter: Document, update: Document, upsert: Bool = false, _ completion: @escaping MongoUpdateBlock
    ) {
        completing(completion) { try await updateOneDocument(filter: filter, update: update, upsert: upsert) }
    }

    /// Updates documents as `updateManyDocuments(filter:update:upsert:)` does, and calls `completion` on any thread.
    @preconcurrency public func updateManyDocuments(
        filter: Document, update: Document, upsert: Bool = false, _ completion: @escaping MongoUpdateBlock
    ) {
        completing(completion) { try await updateManyDocuments(filter: filter, update: update, upsert: upsert) }
    }

    /// Updates a document as `findOneAndUpdate(filter:update:options:)` does, and calls `completion` on any thread.
    @preconcurrency public func findOneAndUpdate(
        filter: Document, update: Document, options: FindOneAndModifyOptions = .init(),
        _ completion: @escaping MongoFindOneBlock
    ) {
        completing(completion) { try await findOneAndUpdate(filter: filter, update: update, options: options) }
    }

    /// Replaces a document as `findOneAndReplace(filter:replacement:options:)` does, and calls `completion` on any
    /// thread.
    @preconcurrency public func findOneAndReplace(
        filter: Document, replacement: Document, options: FindOneAndModifyOptions = .init(),
        _ completion: @escaping MongoFindOneBlock
    ) {
        completing(completion) {
            try await findOneAndReplace(filter: filter, replacement: replacement, options: options)
        }
    }

    /// Deletes a document as `findOneAndDelete(filter:options:)` does, and calls `completion` on any thread.
    @preconcurrency public func findOneAndDelete(
        filter: Document, options: FindOneAndModifyOptions = .init(), _ completion: @escaping MongoFindOneBlock
    ) {
        completing(completion) { try await findOneAndDelete(filter: filter, options: options) }
    }
}
