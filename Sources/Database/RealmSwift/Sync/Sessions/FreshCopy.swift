// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

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

    /// - Parameter completion: Called once, with the error that prevented the download, or `nil`.
    init(
        of file: SynchronisedFile, _ configuration: Realm.Configuration,
        _ completion: @escaping (ClientFailure?) -> Void
    ) throws {
        path = file.path + ".fresh"
        connection = file.connection
        self.completion = completion
        // Removes the copy left by a reset that was interrupted by the end of the process.
        _ = try DatabaseFiles.remove(at: path)
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory()
        let database = try Database.open(
            path, joining: .always, cipher: configuration.cipher(), options: options, holder: "client reset")
        self.database = database
        if file.sync.isFlexible, let original = file.database { try database.subscribe(as: original) }
        // The objects of a file that still has to migrate are those of its previous schema version (§5.9).
        let previous = try file.database.flatMap { try SchemaMigration.previousVersion(in: $0) }
        let flexible = SessionPurpose.clientReset.path(schemaVersion: previous ?? file.schemaVersion)
        let path = file.sync.isFlexible ? flexible : file.partition
        let session = connection.open(FileClientStore(database), path: path, mayUpload: false, self)
        self.session = session
        _ = connection.requestMark(session)
    }

    func didReachMark(_ request: UInt64) { if isComplete { end(nil) } }

    func subscriptionsDidChange() {
        guard case .error(let reason)? = status else { return }
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
        if !failure.error.canTryAgain { end(failure) }
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
