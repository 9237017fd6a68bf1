// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmSystem
    import RealmTestSupport
    import SyncTestSupport

    /// The stored documents of a flexible app in a simulation, whose server is killed, and its users.
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
        private var sessions: [UInt64: String] = [:]
        let users: SimulatedUsers
        private var rights: [String: UserRights] = [:]
        private(set) var requests: SimulatedDocuments

        /// - Parameter stores: `nil` for files, or stores in memory for several nodes.
        init(nodes count: Int = 1, stores: (any SharedStores)? = nil) throws {
            folder = try TemporaryFolder()
            shared = stores ?? (count > 1 ? MemoryStores() : nil)
            holdsLock = count == 1 && stores != nil
            hostile = try SimulatedApp.open(folder.path + "/hostile", clock, nil)
            let accounts = folder.path + "/accounts"
            try Folder.create(accounts)
            users = try SimulatedUsers(folder: accounts)
            requests = SimulatedDocuments(users)
            rights = try users.grantedRights()
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

        func admit(_ connection: UInt64, _ user: String?) { sessions[connection] = user }

        func isHonest(_ connection: UInt64) -> Bool { sessions[connection] != nil }

        func mode(of connection: UInt64) -> SyncMode? { .flexible }

        func user(of connection: UInt64) -> String { sessions[connection] ?? "" }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let user = sessions[connection] else { return hostile }
            let documents = nodes[node(of: connection)]
            documents.rights?.grant(rights[user] ?? .none, to: Text(user))
            return documents
        }

        // MARK: Users

        /// Returns the users whose rights have changed, by the number.
        func changeRights(_ user: Int, _ generator: inout SeededGenerator) throws -> Set<String> {
            try users.change(user, &generator)
            let before = rights
            rights = try users.grantedRights()
            return Set(rights.keys.filter { rights[$0] != before[$0] })
        }

        /// Makes the changed rights effective for the sessions of a node.
        func grantRights(to changed: Set<String>, at node: Int) -> Bool {
            var isChanged = false
            for user in changed where nodes[node].rights?.contains(Text(user)) == true {
                guard let rights = rights[user] else { continue }
                if nodes[node].rights?.grant(rights, to: Text(user)) == true { isChanged = true }
            }
            return isChanged
        }

        /// Makes a request at a node whose documents are durable and can be changed.
        func request(_ user: Int, at node: Int, _ generator: inout SeededGenerator) throws {
            try requests.request(user, of: node, in: self, &generator)
        }

        /// Verifies the documents that all users read. All must be durable.
        func verifyReads() throws {
            for node in nodes.indices {
                for user in 0..<users.count { try requests.read(user, node, self) }
            }
        }

        func passTime() { clock.withLockedValue { $0 += SimulatedApp.expiry / 5 } }

        // MARK: Durability

        func flush() throws {
            for node in nodes.indices { try flush(node, compacts: shared == nil) }
            if shared != nil { for node in nodes where node.isCompactionDue { try node.compact() } }
            try hostile.flush()
            try holdLock()
        }

        func flush(_ node: Int, compacts: Bool = false) throws {
            try nodes[node].flush(compacts: compacts)
            try requests.finish(node, isDurable: true)
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
            try requests.finish(node, isDurable: false)
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
