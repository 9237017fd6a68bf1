// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The integration of an upload or of a query. A long one runs on another thread, while the server serves other
/// partitions.
///
/// Its state and its partition are guarded by the partition's `isBusy`: from its creation to `SyncServer.finish` only
/// the thread that runs it accesses them.
package final class UploadIntegration: @unchecked Sendable {
    enum Input {
        case upload([ClientMessage.Upload.Entry], isReadOnly: Bool)
        /// `version` is the last server version that was sent to the file.
        case query(VersionedQuery, at: UInt64, any DocumentStore, isStated: Bool)
    }

    package let store: any PartitionStore
    let input: Input
    package let file: UInt64
    private let user: String
    private let migratedPartition: PartitionValue?
    package let effort: UploadEffort
    var session: (connection: UInt64, session: UInt64) = (0, 0)
    private(set) var failure: SessionError?
    private(set) var bootstrap: QueryBootstrap?

    init(
        _ entries: [ClientMessage.Upload.Entry], of file: UInt64, into store: any PartitionStore, isReadOnly: Bool,
        user: String = "", migratedPartition: PartitionValue? = nil
    ) {
        (self.file, self.store, self.user, self.migratedPartition) = (file, store, user, migratedPartition)
        input = .upload(entries, isReadOnly: isReadOnly)
        effort = store.effort(of: entries, from: file)
    }

    /// - Parameter isStated: Whether the client has the query already, or the server has accepted it. The client then
    ///   counts on its validity.
    init(
        _ query: VersionedQuery, of file: UInt64, at version: UInt64, into store: any DocumentStore, isStated: Bool,
        user: String
    ) {
        (self.file, self.store, self.user, migratedPartition) = (file, store, user, nil)
        input = .query(query, at: version, store, isStated: isStated)
        effort = store.effort(of: query)
    }

    package func run() {
        do throws(SessionError) {
            switch input {
            case .upload(let entries, let isReadOnly): failure = try integrate(entries, isReadOnly: isReadOnly)
            case .query(let query, let version, let documents, let isStated):
                bootstrap = try documents.subscribe(file, to: query, at: version, of: user, isStated: isStated)
            }
        } catch {
            failure = error
        }
    }

    private func integrate(
        _ entries: [ClientMessage.Upload.Entry], isReadOnly: Bool
    ) throws(SessionError) -> SessionError? {
        let (changes, refusal) = changes(entries, isReadOnly: isReadOnly)
        try store.integrate(changes, from: file)
        return refusal
    }

    private func changes(
        _ entries: [ClientMessage.Upload.Entry], isReadOnly: Bool
    ) -> ([UploadedChange], SessionError?) {
        var changes: [UploadedChange] = []
        for entry in entries {
            do throws(SessionError) {
                var change = try UploadedChange(
                    entry, from: file, user: user, migratedPartition: migratedPartition)
                if isReadOnly { try change.requireNothingWritten() }
                changes.append(change)
            } catch {
                return (changes, error)
            }
        }
        return (changes, nil)
    }
}

extension UploadIntegration: Hashable {
    package static func == (a: UploadIntegration, b: UploadIntegration) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
