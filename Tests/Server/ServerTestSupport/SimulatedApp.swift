// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// The stored documents of a flexible app in a simulation, whose server is killed, and the rights of its users.
    /// With several nodes, each connection uses one of them.
    final class SimulatedApp: PartitionDirectory {
        private static let expiry: UInt64 = 10_000

        private let folder: TemporaryFolder
        /// In seconds since 1970.
        private let clock = NIOLockedValueBox<UInt64>(1_700_000_000)
        /// The documents as each node has them.
        private(set) var nodes: [StoredPartition] = []
        private let shared: (any SharedStores)?
        /// Whether the only node holds the append lock all the time, and so behaves as a server with files.
        private let holdsLock: Bool
        /// The app of hostile clients.
        private let hostile: StoredPartition
        /// Hostile connections have no user.
        private var users: [UInt64: String] = [:]
        var rights: [String: UserRights] = [:]

        /// - Parameter stores: `nil` for files, or stores in memory for several nodes.
        init(nodes count: Int = 1, stores: (any SharedStores)? = nil) throws {
            folder = try TemporaryFolder()
            shared = stores ?? (count > 1 ? MemoryStores() : nil)
            holdsLock = count == 1 && stores != nil
            hostile = try SimulatedApp.open(folder.path + "/hostile", clock, nil)
            for node in 0..<count { nodes.append(try open(node)) }
            try fill()
        }

        /// Creates the schema and the counter, as a client that isn't used afterwards.
        private func fill() throws {
            try documents.lock()
            let file = try documents.addFile().ident
            documents.rights = nil
            for (number, changeset) in [
                SimulatedEditor.schema, Changeset([.createObject(SimulatedEditor.total.object)]),
            ].enumerated() {
                let query = number == 0 ? "{}" : #"{"Counter":"(TRUEPREDICATE)"}"#
                try documents.lock()
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
            try holdLock()
        }

        private func holdLock() throws { if holdsLock { try documents.lock() } }

        private static func open(
            _ folder: String, _ clock: NIOLockedValueBox<UInt64>, _ shared: (any SharedStores)?
        ) throws -> StoredPartition {
            var options = StoredPartition.Options()
            // Objects that haven't changed since the last commit are read from the documents.
            options.maxWhole = 0
            options.versionMemory = 2000
            options.clock = { clock.withLockedValue { $0 } }
            options.clientExpiry = SimulatedApp.expiry
            // Snapshots are due after a few hundred changes.
            options.smallLog = 64 << 10
            guard let shared else {
                return try StoredPartition(folder: folder, partition: "flexible", isFlexible: true, options)
            }
            return try StoredPartition(
                folder: folder, try shared.frames(app: "app", name: nil), title: folder, isFlexible: true, options)
        }

        private func path(_ node: Int) -> String { folder.path + "/flexible\(node)" }

        private func open(_ node: Int) throws -> StoredPartition {
            let documents = try SimulatedApp.open(path(node), clock, shared)
            documents.rights = GrantedRights()
            return documents
        }

        /// The documents of the first node.
        var documents: StoredPartition { nodes[0] }

        func node(of connection: UInt64) -> Int { Int(connection % UInt64(nodes.count)) }

        // MARK: Connections

        func admit(_ connection: UInt64, _ user: String?) { users[connection] = user }

        func isHonest(_ connection: UInt64) -> Bool { users[connection] != nil }

        func mode(of connection: UInt64) -> SyncMode? { .flexible }

        func user(of connection: UInt64) -> String { users[connection] ?? "" }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let user = users[connection] else { return hostile }
            let documents = nodes[node(of: connection)]
            documents.rights?.grant(rights[user] ?? .unrestricted, to: Text(user))
            return documents
        }

        func passTime() { clock.withLockedValue { $0 += SimulatedApp.expiry / 5 } }

        // MARK: Durability

        func flush() throws {
            for node in nodes { try node.flush(compacts: shared == nil) }
            if shared != nil { for node in nodes where node.isCompactionDue { try node.compact() } }
            try hostile.flush()
            try holdLock()
        }

        /// Commits the documents up to the newest durable version.
        func commitDocuments() throws {
            for documents in nodes where documents.areDocumentsBehind {
                documents.finishDocuments(.success(try documents.commitDocuments()))
            }
        }

        /// The server is killed, and opens the folder again.
        func restart() throws { for node in nodes.indices { try restart(node) } }

        func restart(_ node: Int) throws {
            nodes[node].abandon()
            nodes[node] = try open(node)
            try holdLock()
        }

        // MARK: Content

        /// The documents in the log.
        func model(_ node: Int = 0) throws -> SyncModel {
            var model = SyncModel()
            for changeset in try nodes[node].stateChangesets() { try model.apply(changeset) }
            return model
        }

        /// The documents in the file of a node.
        func storedModel(_ node: Int) throws -> SyncModel {
            let path = path(node) + "/documents.realm"
            return try StoredState.model(of: try Database.open(path, readOnly: true, joining: .always).snapshot())
        }
    }
#endif
