// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport

    /// A flexible app on disk, with clients whose files have random subscriptions. Their users have random rights, and
    /// read and change documents over HTTP.
    ///
    /// At the end each file equals the answer of its queries and its user's rights on the documents of the server, and
    /// no acknowledged change is lost.
    package final class FlexibleWorld: SimulatedWorld {
        private static let maxClients = 8

        private let app: SimulatedApp
        private var generator: SeededGenerator
        private var subscriptions = 0
        private var changesOfRights = 0
        /// The documents of the server and the files at the end.
        package private(set) var content: [SyncModel] = []

        /// - Parameters:
        ///   - nodes: The number of servers that share the app.
        ///   - stores: The stores of the servers, or `nil` for files, or stores in memory for several servers.
        package init(seed: UInt64, nodes: Int = 1, stores: (any SharedStores)? = nil) throws {
            generator = SeededGenerator(seed: seed)
            app = try SimulatedApp(nodes: nodes, stores: stores)
        }

        package var mode: SyncMode { .flexible }
        package var directory: any PartitionDirectory { app }
        package var faults: [String] { [] }
        package var newestVersion: UInt64 { app.nodes.map(\.newest.version).max() ?? 0 }

        package func path(_ purpose: SessionPurpose) -> String { purpose.path() }

        // MARK: The server

        package func sync() throws {
            try app.flush()
            // A server commits the documents later than the log, and may be killed between the two.
            if generator.chance(30) { try app.commitDocuments() }
        }

        package func crash() throws { try app.restart() }

        package func admit(_ connection: UInt64, of client: Int?) {
            app.admit(connection, client.map { app.users.id(ofClient: $0) })
        }

        /// Acquires the append lock of the connection's node. Another node commits first, or has lost its lock.
        package func prepare(_ connection: UInt64, _ server: inout SyncServer) throws -> Set<UInt64> {
            guard app.nodes.count > 1, app.isHonest(connection) else { return [] }
            return try lock(app.node(of: connection), &server)
        }

        private func lock(_ node: Int, _ server: inout SyncServer) throws -> Set<UInt64> {
            var dropped: Set<UInt64> = []
            for other in app.nodes.indices where other != node && app.nodes[other].isLocked {
                if generator.chance(10) {
                    dropped.formUnion(server.drop(app.nodes[other]))
                    try app.restart(other)
                } else {
                    try app.flush(other)
                }
            }
            let documents = app.nodes[node]
            guard !documents.isLocked else { return dropped }
            do { try documents.lock() } catch is SharedLogError {
                return dropped.union(try reload(node, &server))
            }
            didFollow(documents, &server)
            if documents.takeLockRequest() {
                server.touchFiles()
                server.pumpAll(documents)
            }
            return dropped
        }

        /// A snapshot has replaced the next frames of the node.
        private func reload(_ node: Int, _ server: inout SyncServer) throws -> Set<UInt64> {
            let dropped = server.drop(app.nodes[node])
            try app.restart(node)
            return dropped
        }

        private func didFollow(_ documents: StoredPartition, _ server: inout SyncServer) {
            server.closeSessions(of: documents.takeForeignFiles(), in: documents)
            server.didChange(documents)
        }

        package func follow(_ server: inout SyncServer) throws -> Set<UInt64> {
            guard app.nodes.count > 1 else { return [] }
            var dropped: Set<UInt64> = []
            for (node, documents) in app.nodes.enumerated() where !documents.isLocked {
                if documents.isLockDue {
                    dropped.formUnion(try lock(node, &server))
                } else if generator.chance(30) {
                    do { try documents.follow() } catch is SharedLogError {
                        dropped.formUnion(try reload(node, &server))
                        continue
                    }
                    didFollow(documents, &server)
                }
            }
            return dropped
        }

        /// Only time makes files expire.
        package func expire(_ file: SaltedIdent) {}

        package func passTime() { app.passTime() }

        package func disturb(_ client: Int, _ generator: inout SeededGenerator) throws -> Set<Int> {
            guard generator.chance(8) else { return [] }
            changesOfRights += 1
            let users = try app.changeRights(app.users.index(ofClient: client), &generator)
            return Set((0..<FlexibleWorld.maxClients).filter { users.contains(app.users.id(ofClient: $0)) })
        }

        package func request(_ client: Int, _ server: inout SyncServer) throws -> Set<UInt64> {
            if generator.chance(3) { try changeRights(client, &server) }
            guard generator.chance(70) else { return [] }
            try app.flush()
            let node = generator.below(app.nodes.count)
            var dropped: Set<UInt64> = []
            if app.nodes.count > 1 {
                dropped = try lock(node, &server)
                guard app.nodes[node].isLocked, !app.nodes[node].isDirty else { return dropped }
            }
            try app.request(app.users.index(ofClient: client), at: node, &generator)
            server.didChange(app.nodes[node])
            return dropped
        }

        /// The sessions continue with the other rights.
        private func changeRights(_ client: Int, _ server: inout SyncServer) throws {
            changesOfRights += 1
            let users = try app.changeRights(app.users.index(ofClient: client), &generator)
            for node in app.nodes.indices where app.grantRights(to: users, at: node) {
                server.pumpAll(app.nodes[node])
            }
        }

        // MARK: The clients

        package func makeFile(of client: Int) throws -> any SimulatedFile {
            try SimulatedDatabaseFile(isFlexible: true, isCheckedByPython: client == 0)
        }

        private func database(of file: any SimulatedFile) throws -> Database {
            guard let file = file as? SimulatedDatabaseFile else { throw Failure("a file of another kind") }
            return file.database
        }

        package func makeCopy(for file: any SimulatedFile) throws -> any SimulatedFile {
            let copy = try SimulatedDatabaseFile(isCheckedByPython: false)
            try copy.database.subscribe(as: try database(of: file))
            return copy
        }

        package func isComplete(_ copy: any SimulatedFile) -> Bool {
            (try? sets(of: copy).last?.state) == .complete
        }

        private func sets(of file: any SimulatedFile) throws -> [SubscriptionSet] {
            try SubscriptionStore(try database(of: file).snapshot())?.all ?? []
        }

        package func begin(_ client: Int, _ file: any SimulatedFile, timestamp: UInt64) throws {
            try file.commit(SimulatedEditor.schema, timestamp: timestamp)
            try subscribe(file, [SimulatedQuery.all[0].text])
        }

        private func subscribe(_ file: any SimulatedFile, _ queries: [String]) throws {
            subscriptions += 1
            let all = [SimulatedEditor.mark, SimulatedEditor.counter].map { ($0, "TRUEPREDICATE") }
            var draft = SubscriptionDraft([])
            for (index, (name, query)) in (all + queries.map { (SimulatedEditor.item, $0) }).enumerated() {
                try draft.add(ObjectIdBytes(high: 0, low: UInt32(index)), named: nil, name.string, query)
            }
            try database(of: file).write { transaction in
                _ = try SubscriptionStore(transaction)?.add(draft.subscriptions)
            }
        }

        package func write(
            mark: UInt64, _ client: Int, _ file: any SimulatedFile, timestamp: UInt64,
            _ generator: inout SeededGenerator
        ) throws -> Bool {
            if generator.chance(10) {
                var queries = (0..<generator.below(3)).map { _ in generator.pick(SimulatedQuery.all).text }
                if generator.chance(10) { queries.append(generator.pick(SimulatedQuery.unsupported)) }
                try subscribe(file, queries)
            }
            // A client has the counter after its first bootstrap.
            var editor = SimulatedEditor(file.model)
            let isCounting = editor.model.content(at: SimulatedEditor.total) != nil
            if isCounting { try editor.edit(mark: mark, &generator) } else { try editor.editItems(&generator) }
            try file.commit(editor.changeset, timestamp: timestamp)
            return isCounting
        }

        package func noteRecovered(_ changeset: Changeset, mark: UInt64, on state: SyncModel) -> Bool {
            state.tables[SimulatedEditor.mark]?.objects[.int(Int64(mark))] != nil
        }

        /// A file without a complete set has lost its content, and maybe its subscriptions.
        package func didReset(_ client: Int, _ file: any SimulatedFile) throws {
            if try sets(of: file).last?.subscriptions.isEmpty != false {
                try subscribe(file, [SimulatedQuery.all[0].text])
            }
        }

        package func isSettled(_ file: any SimulatedFile) -> Bool {
            guard file.isUploaded, let sets = try? sets(of: file) else { return false }
            return !sets.contains { $0.state.isPending || $0.state == .awaitingMark }
        }

        // MARK: Verification

        package func verify(
            _ files: [any SimulatedFile], acknowledged: Set<UInt64>, _ report: inout SimulationReport
        ) throws {
            report.subscriptions += subscriptions
            report.changesOfRights += changesOfRights
            try app.flush()
            report.requests += app.requests.count
            report.refusals += app.requests.refusals
            for node in app.nodes.indices where !app.nodes[node].isLocked {
                do { try app.nodes[node].follow() } catch { try app.restart(node) }
            }
            try app.commitDocuments()
            let server = try app.model()
            content = [server] + files.map(\.model)
            for node in app.nodes.indices {
                try require(try app.model(node) == server, "node \(node) has another state")
                try require(try app.storedModel(node) == server, "the documents of node \(node) differ from the log")
                for version in 1...app.documents.newest.version {
                    let salts = Set(app.nodes.compactMap { $0.salt(of: version) })
                    try require(salts.count <= 1, "the nodes have different versions \(version)")
                }
            }
            for (client, file) in files.enumerated() {
                try withTrace("client \(client)") { try verify(file, of: client, server) }
            }
            try app.verifyReads()
            var marks = Set((server.tables[SimulatedEditor.mark]?.objects ?? [:]).keys)
            for mark in app.requests.marks.sorted() {
                try require(marks.contains(.int(mark)), "the acknowledged insertion of \(mark) is lost")
            }
            marks = marks.filter { $0 < .int(SimulatedDocuments.firstMark) }
            for mark in acknowledged.sorted() {
                try require(marks.contains(.int(Int64(mark))), "the acknowledged change \(mark) is lost")
            }
            report.integrations += marks.count
            guard case .value(.int(let total)) = server.content(at: SimulatedEditor.total) ?? .value(.int(0)) else {
                throw Failure("the total isn't a number")
            }
            // A reset recovers changes that may have arrived.
            let least = marks.count + app.requests.additions
            let greatest = least + report.recovered + app.requests.uncertainAdditions
            try require((least...greatest).contains(Int(total)), "the total is \(total), not in \(least)...\(greatest)")
        }

        private func verify(_ file: any SimulatedFile, of client: Int, _ server: SyncModel) throws {
            let user = app.users.index(ofClient: client)
            let (rights, model) = (app.users.rights(ofUser: user), file.model)
            let active = try sets(of: file).last { $0.state.isActive }
            let subscribed = (active?.subscriptions ?? []).filter { $0.objectClass == SimulatedEditor.item.string }
            // The server accepts a disjunction with a query that it rejects alone, if the other one always holds.
            let matchesAll = subscribed.contains { $0.query == SimulatedQuery.all[0].text }
            let queries = try subscribed.compactMap { subscription -> SimulatedQuery? in
                let query = SimulatedQuery.all.first { $0.text == subscription.query }
                guard query != nil || matchesAll else { throw Failure("the set has the query \(subscription.query)") }
                return query
            }
            for (name, table) in server.tables where table.definition.kind != .embedded {
                var expected = table.objects
                if name == SimulatedEditor.item {
                    expected = expected.filter { object in
                        rights.canRead(object.key, object.value)
                            && queries.contains { $0.holds(object.key, object.value) }
                    }
                    for (column, definition) in table.columns where rights.unreadable.contains(column) {
                        for key in expected.keys { expected[key]?[column] = SyncModel.empty(definition) }
                    }
                }
                let found = model.tables[name]?.objects ?? [:]
                let different = Set(expected.keys).union(found.keys).sorted().first { expected[$0] != found[$0] }
                guard let different else { continue }
                throw Failure(
                    """
                    \(name) \(different), for \(queries.map(\.text)), of \(app.users.describe(user: user)): the file \
                    has \
                    \(found[different].map { "\($0)" } ?? "no object") in place of \
                    \(expected[different].map { "\($0)" } ?? "none")
                    """)
            }
        }
    }
#endif
