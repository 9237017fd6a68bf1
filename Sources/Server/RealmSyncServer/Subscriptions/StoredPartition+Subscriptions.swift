// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension StoredPartition: DocumentStore {
    var isFlexible: Bool { history.isFlexible }

    var nextVersion: PartitionHistory.NextVersion {
        PartitionHistory.NextVersion(salt: salt, time: StoredPartition.timestamp(options.clock()))
    }

    func rights(of user: String) -> UserRights { rights.map { $0[Text(user)] } ?? .unrestricted }

    package func rightsRevision(of user: String) -> UInt64 { rights?.revision(of: Text(user)) ?? 0 }

    // MARK: Documents

    /// Opens the documents again after an error, but only with durable versions.
    ///
    /// - Throws: `SessionError` with `other`, so that the client tries again.
    func openDocuments() throws(SessionError) -> QueryDocuments {
        if let queryDocuments, queryDocuments.isValid { return queryDocuments }
        queryDocuments = nil
        guard flushedVersion == newest.version else {
            throw SessionError(.other, "the documents are not available now")
        }
        do {
            let opened = try QueryDocuments(folder: folder, history.documentChanges(after: nil))
            queryDocuments = opened
            return opened
        } catch {
            throw SessionError(.other, "the documents cannot be opened")
        }
    }

    /// Runs a function with the documents, and translates its errors.
    private func withDocuments<Result>(
        _ body: (inout PartitionHistory, QueryDocuments) throws -> Result
    ) throws(SessionError) -> Result {
        let documents = try openDocuments()
        do { return try body(&history, documents) } catch let error as SessionError {
            throw error
        } catch let error as MergeError {
            if error == .tooLong { throw SessionError(.fileExpired, error.message) }
            throw SessionError(.badChangeset, "\(error)")
        } catch let error as StateError {
            throw SessionError(.badChangeset, "\(error)")
        } catch {
            documents.invalidate()
            throw SessionError(.other, "the documents are not available now")
        }
    }

    // MARK: Uploads

    /// Changes before one that can't be merged or applied are integrated.
    func integrateFlexible(
        _ changes: [UploadedChange], from ident: UInt64, _ budget: inout MergeBudget
    ) throws(SessionError) {
        var rest = budget
        let first = changes.first?.serverVersion ?? 0
        let known = history.files[ident]?.upload.clientVersion ?? 0
        let isNew = changes.contains { $0.clientVersion > known }
        let stored = try withDocuments { history, _ in
            isNew ? try history.loadBootstraps(of: ident, after: first, &rest) : [:]
        }
        defer { history.unloadBootstraps(stored, of: ident) }
        for change in changes {
            let records = try withDocuments { history, documents in
                try history.integrate(
                    change, from: ident, nextVersion, documents, rights(of: change.user), &rest)
            }
            write(records)
        }
        budget = rest
    }

    /// The maximum number of queries that are evaluated for an upload on the engine's thread, and whose results get its
    /// objects.
    private static let fewQueries = 256

    /// Returns whether an upload concerns many queries, according to the values before and after it. It's an estimate,
    /// because the upload isn't merged yet.
    func concernsManyQueries(_ entries: [ClientMessage.Upload.Entry]) -> Bool {
        let limit = StoredPartition.fewQueries
        guard history.registry.queries.count > limit else { return false }
        guard let queryDocuments, queryDocuments.isValid else { return true }
        let changes = entries.compactMap { try? Changeset(decoding: $0.changeset) }
        let objects = Array(Set(changes.flatMap(\.objects)))
        guard let located = try? queryDocuments.locate(objects, history.state) else { return true }
        let uploaded = UploadedValues(changes)
        var count = 0
        for name in Set(objects.lazy.map(\.table)) {
            let found = try? history.registry.count(of: name, limit: limit - count) { field in
                var values = try queryDocuments.values(field, of: name, located[name] ?? .init())
                values?.values += uploaded[name, field]
                return values
            }
            count += found ?? limit + 1
            if count > limit { return true }
        }
        return false
    }

    // MARK: Schema versions

    package func addFile(schemaVersion: UInt64) throws(SessionError) -> SaltedIdent {
        let file = try addFile()
        if schemaVersion > 0 { note(.schemaVersion(file.ident, schemaVersion)) }
        return file
    }

    package func migration(of ident: UInt64, to schemaVersion: UInt64) -> UInt64? {
        guard let gate = options.schema, let previous = history.files[ident]?.schemaVersion,
            gate.migrates(from: previous, to: schemaVersion)
        else { return nil }
        return previous
    }

    // MARK: Queries

    package func resume(
        _ ident: UInt64, with query: VersionedQuery, at version: UInt64, of user: String = ""
    ) throws(SessionError) -> Bool {
        guard let records = try history.resume(ident, with: query, at: version, rights(of: user)) else { return false }
        for record in records { note(record) }
        return true
    }

    package func subscribe(
        _ ident: UInt64, to query: VersionedQuery, at version: UInt64, of user: String = "", isStated: Bool = false
    ) throws(SessionError) -> QueryBootstrap {
        let (records, bootstrap) = try ServerSpan.bootstrap.run { () throws(SessionError) in
            try withDocuments { history, documents in
                try history.subscribe(
                    ident, to: query, at: version, nextVersion, documents, rights(of: user), isStated: isStated)
            }
        }
        write(records)
        return bootstrap
    }

    /// The maximum number of documents on which a query is evaluated on the engine's thread.
    private static let fewDocuments = 2_000

    package func effort(of query: VersionedQuery) -> UploadEffort {
        return history.state.objectCount > StoredPartition.fewDocuments || queryDocuments == nil && newest.version > 100
            ? .long : .short
    }

    package func downloads(
        for ident: UInt64, after version: UInt64, through end: UInt64, limit: Int
    ) throws(SessionError) -> DownloadBatch {
        do { return try history.downloads(for: ident, after: version, through: end, limit: limit) } catch {
            throw SessionError(.other, "the versions can't be read now")
        }
    }

    package func takeConcernedFiles() -> Set<UInt64>? { isFlexible ? history.takeConcernedFiles() : nil }

    package func reports(for ident: UInt64, after version: UInt64) -> [WriteReport] {
        history.reports(for: ident, after: version)
    }
}

/// The values to which uploaded changes set properties.
private struct UploadedValues {
    private struct Property: Hashable {
        let className: Text
        let field: Text
    }

    private var values: [Property: [StoredValue?]] = [:]

    init(_ changes: [Changeset]) {
        for instruction in changes.lazy.flatMap(\.instructions) {
            guard case .change(let place, .update(let value, _)) = instruction else { continue }
            values[Property(className: place.object.table, field: place.column), default: []].append(value.ordered)
        }
    }

    subscript(className: Text, field: Text) -> [StoredValue?] {
        values[Property(className: className, field: field)] ?? []
    }
}

extension SyncValue {
    /// The value in the order of its family.
    fileprivate var ordered: StoredValue? {
        switch self {
        case .int(let value): .int(value)
        case .double(let value): StoredValue.double(value).ordered
        case .string(let text): StoredValue.string(text.string).ordered
        case .timestamp(let value): .timestamp(value)
        case .objectId(let value): .objectId(value)
        case .uuid(let value): .uuid(value)
        default: nil
        }
    }
}
