// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// The stored documents of a flexible app in a simulation, whose server is killed, and the rights of its users.
    final class SimulatedApp: PartitionDirectory {
        private static let expiry: UInt64 = 10_000

        private let folder: TemporaryFolder
        /// In seconds since 1970.
        private let clock = NIOLockedValueBox<UInt64>(1_700_000_000)
        private var opened: StoredPartition?
        /// The app of hostile clients.
        private let hostile: StoredPartition
        /// Hostile connections have no user.
        private var users: [UInt64: String] = [:]
        var rights: [String: UserRights] = [:]

        init() throws {
            folder = try TemporaryFolder()
            hostile = try SimulatedApp.open(folder.path + "/hostile", clock)
            try open()
            try fill()
        }

        /// Creates the schema and the counter, as a client that isn't used afterwards.
        private func fill() throws {
            let file = try documents.addFile().ident
            documents.rights = nil
            for (number, changeset) in [
                SimulatedEditor.schema, Changeset([.createObject(SimulatedEditor.total.object)]),
            ].enumerated() {
                let query = number == 0 ? "{}" : #"{"Counter":"(TRUEPREDICATE)"}"#
                let version = documents.newest.version
                _ = try documents.subscribe(
                    file, to: VersionedQuery(version: UInt64(number), text: query), at: version)
                let change = UploadedChange(
                    clientVersion: UInt64(number) + 1, serverVersion: documents.newest.version,
                    order: ChangeOrder(timestamp: 1, fileIdent: file), changeset: changeset)
                try documents.integrate([change], from: file)
                try documents.flush()
            }
            documents.rights = GrantedRights()
        }

        private static func open(_ folder: String, _ clock: NIOLockedValueBox<UInt64>) throws -> StoredPartition {
            var options = StoredPartition.Options()
            options.clock = { clock.withLockedValue { $0 } }
            options.clientExpiry = SimulatedApp.expiry
            // Snapshots are due after a few hundred changes.
            options.smallLog = 64 << 10
            return try StoredPartition(folder: folder, partition: "flexible", isFlexible: true, options)
        }

        private func open() throws {
            let documents = try SimulatedApp.open(folder.path + "/flexible", clock)
            documents.rights = GrantedRights()
            opened = documents
        }

        var documents: StoredPartition {
            guard let opened else { preconditionFailure("the server isn't running") }
            return opened
        }

        // MARK: Connections

        func admit(_ connection: UInt64, _ user: String?) { users[connection] = user }

        func mode(of connection: UInt64) -> SyncMode { .flexible }

        func user(of connection: UInt64) -> String { users[connection] ?? "" }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let user = users[connection] else { return hostile }
            documents.rights?.grant(rights[user] ?? .unrestricted, to: Text(user))
            return documents
        }

        func passTime() { clock.withLockedValue { $0 += SimulatedApp.expiry / 5 } }

        // MARK: Durability

        func flush() throws {
            try documents.flush()
            try hostile.flush()
        }

        /// Commits the documents up to the newest durable version.
        func commitDocuments() throws {
            guard documents.areDocumentsBehind else { return }
            documents.finishDocuments(.success(try documents.commitDocuments()))
        }

        /// The server is killed, and opens the folder again.
        func restart() throws {
            opened = nil
            try open()
        }

        // MARK: Content

        /// The documents in the log.
        func model() throws -> SyncModel {
            var model = SyncModel()
            for changeset in documents.stateChangesets { try model.apply(changeset) }
            return model
        }

        /// The documents in the file.
        func storedModel() throws -> SyncModel {
            let path = folder.path + "/flexible/documents.realm"
            return try StoredState.model(of: try Database.open(path, readOnly: true, joining: .always).snapshot())
        }
    }
#endif
