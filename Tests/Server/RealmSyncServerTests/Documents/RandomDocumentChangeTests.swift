// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Random changes of documents and of clients with subscriptions, on a server that restarts.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct RandomDocumentChangeTests {
        private typealias Note = FlexibleClient.Note

        private static let place = DocumentPlace(app: "app", name: nil)

        private static func documents(_ server: TestServer) -> EngineDocuments {
            EngineDocuments { [engine = server.server.engine] in engine.post($0) }
        }

        private static func notes(_ server: TestServer) async throws -> [Int64: Note] {
            try await documents(server).read(place) { try $0.map { try FlexibleClient.notes(in: $0) } ?? [:] }
        }

        /// Changes a note if the rights permit it.
        private static func change(
            _ key: Int64, _ choice: UInt64, by rights: UserRights, _ server: TestServer
        ) async throws {
            do {
                try await documents(server).change(place, by: rights) { snapshot in
                    let object = SimpleChanges.object(key)
                    let n = Int64(choice >> 8 % 7) - 3
                    guard let note = try snapshot.flatMap({ try FlexibleClient.notes(in: $0)[key] }) else {
                        return (SimpleChanges.create(key, n: n), ())
                    }
                    switch choice % 4 {
                    case 0: return (Changeset([.eraseObject(object)]), ())
                    case 1: return (SimpleChanges.insert("d", at: 0, of: note.tags.count, in: key), ())
                    default: return (SimpleChanges.set(n, of: key), ())
                    }
                }
            } catch let refusal as ServiceRefusal where refusal.reason == .notPermitted {}
        }

        @Test func viewsFollowTheDocuments() async throws {
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
            print("viewsFollowTheDocuments: seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            var server = try await TestServer { $0.flexibleApps = ["app"] }
            let data = server.folder
            let texts = ["TRUEPREDICATE", "n > 0", "ANY tags == 'd' OR n == -1"]
            let holds: [(Note) -> Bool] = [
                { _ in true }, { $0.n > 0 }, { $0.tags.contains("d") || $0.n == -1 },
            ]
            var limited = UserRights.unrestricted
            limited.others.write = .matching("n >= 0")
            var model: [Int64: Note] = [:]
            for round in 0..<3 {
                var clients: [FlexibleClient] = []
                for (index, text) in texts.enumerated() {
                    let name = "user\(index)-\(round)"
                    clients.append(try await FlexibleClient.start(server, folder, name, subscribesTo: text))
                }
                for _ in 0..<60 {
                    let (key, choice) = (Int64.random(in: 0..<8, using: &random), random.next())
                    switch random.next() % 6 {
                    case 0, 1:
                        try await clients[0].commit { transaction in
                            let isThere = try FlexibleClient.notes(in: transaction)[key] != nil
                            let n = Int64(choice % 5) - 2
                            return isThere ? SimpleChanges.set(n, of: key) : SimpleChanges.create(key, n: n)
                        }
                    case 2:
                        try await clients[0].waitForUpload()
                        let before = try await Self.notes(server)[key]
                        try await Self.change(key, choice, by: limited, server)
                        let after = try await Self.notes(server)[key]
                        // A changed note is writable before and after.
                        #expect(before == after || [before, after].allSatisfy { $0?.n ?? 0 >= 0 }, "seed \(seed)")
                    default: try await Self.change(key, choice, by: .unrestricted, server)
                    }
                }
                for client in clients { try await client.waitForUpload() }
                model = try await Self.notes(server)
                for (index, client) in clients.enumerated() {
                    try await client.waitForDownload()
                    #expect(
                        try client.notes == model.filter { holds[index]($0.value) }, "seed \(seed): \(texts[index])")
                    #expect(try await client.takeFailures().isEmpty, "seed \(seed)")
                    client.stop()
                }
                // The next server has the same documents: the log and the file agree.
                try await server.stop()
                server = try await TestServer(data) { $0.flexibleApps = ["app"] }
                #expect(try await Self.notes(server) == model, "seed \(seed)")
            }
        }

        @Test func aRefusedChangeLeavesNoTrace() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer { $0.flexibleApps = ["app"] }
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await client.commit(SimpleChanges.create(1, n: 1), SimpleChanges.create(2, n: -1))
            try await FlexibleClient.settle(client)
            let version = try await server.status().partitions.first?.version
            var rights = UserRights.unrestricted
            rights.others.write = .matching("n >= 0")
            let changes = [
                SimpleChanges.set(5, of: 2), SimpleChanges.set(-5, of: 1),
                Changeset(SimpleChanges.set(4, of: 1).instructions + SimpleChanges.set(5, of: 2).instructions),
                Changeset(SimpleChanges.create(3, n: 3).instructions + SimpleChanges.create(4, n: -4).instructions),
            ]
            for change in changes {
                await #expect(throws: ServiceRefusal.self, "\(change)") {
                    try await Self.documents(server).change(Self.place, by: rights) { _ in (change, ()) }
                }
                #expect(try await Self.notes(server).mapValues(\.n) == [1: 1, 2: -1], "\(change)")
            }
            #expect(try await server.status().partitions.first?.version == version)
            // The refused changes aren't part of the next one.
            try await Self.documents(server).change(Self.place, by: rights) { _ in (SimpleChanges.set(6, of: 1), ()) }
            try await FlexibleClient.settle(client)
            #expect(try client.notes.mapValues(\.n) == [1: 6, 2: -1])
            #expect(try await Self.notes(server).mapValues(\.n) == [1: 6, 2: -1])
        }

        /// The objects of asymmetric classes aren't documents that clients could synchronise.
        @Test func asymmetricClassesAreNotCollections() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer { $0.flexibleApps = ["app"] }
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let key = PrimaryKeyColumn("_id", .int, isNullable: false)
            try await client.commit(Changeset([.addTable(TableDefinition("Reading", .asymmetric(key)))]))
            try await FlexibleClient.settle(client)
            let target = DocumentTarget(place: Self.place, rights: .unrestricted, partitionKey: nil)
            try await Self.documents(server).read(Self.place) { snapshot in
                #expect(throws: ServiceRefusal.self) {
                    _ = try DocumentScope(snapshot, className: "Reading", target)
                }
                let notes = try DocumentScope(snapshot, className: "Note", target)
                #expect(notes != nil)
            }
        }
    }
#endif
