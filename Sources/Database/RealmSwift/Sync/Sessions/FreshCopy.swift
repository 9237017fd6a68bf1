// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSync
import RealmSyncCore

/// A copy of the server's state, downloaded into a separate file next to the one to be reset (§7.2). It has its own
/// client file ident. Confined to the queue of the connection.
final class FreshCopy: SyncConnectionSession {
    private let path: String
    private let connection: SyncConnection
    private var session: UInt64?
    private(set) var database: Database?
    private var completion: ((ClientFailure?) -> Void)?
    /// The file's move to subscriptions, for which the copy waits for the schema.
    private var migration: PartitionMigration?

    /// - Parameters:
    ///   - move: The change of the file's mode after the reset, if any.
    ///   - completion: Called once, with the error that prevented the download, or `nil`.
    init(
        of file: SynchronisedFile, _ configuration: Realm.Configuration, _ move: ClientReset.Move?,
        _ completion: @escaping (ClientFailure?) -> Void
    ) throws {
        path = file.path + ".fresh"
        let isFlexible: Bool
        switch move {
        case .toSubscriptions(let migration): (isFlexible, self.migration) = (true, migration)
        case .toPartition: isFlexible = false
        case nil: isFlexible = file.isFlexible
        }
        connection = move == nil ? file.connection : file.sync.user.connection(isFlexible ? .flexible : .partition)
        self.completion = completion
        // Removes the copy left by a reset that was interrupted by the end of the process.
        _ = try DatabaseFiles.remove(at: path)
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory()
        let database = try Database.open(
            path, joining: .always, cipher: configuration.cipher(), options: options, holder: "client reset")
        self.database = database
        if move == nil, isFlexible, let original = file.database { try database.subscribe(as: original) }
        // The objects of a file that still has to migrate are those of its previous schema version (§5.9).
        let previous = try file.database.flatMap { try SchemaMigration.previousVersion(in: $0) }
        let flexible = SessionPurpose.clientReset.path(
            schemaVersion: previous ?? file.schemaVersion,
            migratedPartition: move == nil ? file.migration?.partition : nil)
        let path = isFlexible ? flexible : file.partition
        let session = connection.open(FileClientStore(database), path: path, mayUpload: false, self)
        self.session = session
        _ = connection.requestMark(session)
    }

    func didReachMark(_ request: UInt64) {
        if let migration {
            self.migration = nil
            do {
                let field = try migration.field()
                let isSubscribed = try database?.subscribe(migration, field: field) { ObjectId.generate().bits }
                guard isSubscribed == true, let session else { return end(nil) }
                connection.didCommit()
                _ = connection.requestMark(session)
            } catch {
                let error = ServerError("\(error)", .clientReset, canTryAgain: false)
                end(ClientFailure(code: SessionErrorCode.badQuery.rawValue, error))
            }
        } else if isComplete {
            end(nil)
        }
    }

    func subscriptionsDidChange() {
        guard case .error(let reason)? = status else {
            // The mark of a set that was added after the schema may precede its objects.
            if migration == nil, isComplete { end(nil) }
            return
        }
        end(
            ClientFailure(
                code: SessionErrorCode.badQuery.rawValue, ServerError(reason, .clientReset, canTryAgain: false)))
    }

    private var isComplete: Bool { status.map { $0 == .complete } ?? true }

    /// The status of the newest set; nil for a partition.
    private var status: SubscriptionStatus? {
        guard let database, let store = try? SubscriptionStore(try database.snapshot(label: "client reset")),
            let latest = try? store.latest
        else { return nil }
        return try? store.status(of: latest.version)
    }

    func didFail(_ failure: ClientFailure) {
        if !failure.error.canTryAgain || failure.isMove { end(failure) }
    }

    func didLoseUser(_ error: SyncError) {
        end(ClientFailure(code: 0, ServerError(error.description, .logOutUser, canTryAgain: false)))
    }

    func didIntegrate() {}
    func connectionDidChange(_ state: SyncSession.ConnectionState, _ error: (any Error)?) {}

    private func end(_ failure: ClientFailure?) {
        if let session { connection.close(session) }
        session = nil
        let completion = completion
        self.completion = nil
        completion?(failure)
    }

    func remove() {
        database = nil
        _ = try? DatabaseFiles.remove(at: path)
    }
}

extension PartitionMigration {
    /// Returns the property that the query compares with the partition value.
    func field() throws -> String {
        guard case .comparison(let comparison) = try Predicate(parsing: query, dialect: .query),
            case .path(let path) = comparison.left, path.steps.count == 1,
            case .property(let field)? = path.steps.first
        else { throw SessionError(.badQuery, "the query of the partition isn't a comparison: \(query)") }
        return field
    }
}
