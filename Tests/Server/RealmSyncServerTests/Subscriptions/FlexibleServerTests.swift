// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Client files with subscriptions and a server on the loopback address.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct FlexibleServerTests {
        private typealias Note = FlexibleClient.Note

        private static func server(_ folder: TemporaryFolder? = nil) async throws -> TestServer {
            try await TestServer(folder) { $0.flexibleApps = ["app"] }
        }

        private static func requireNoFailures(_ clients: FlexibleClient...) async throws {
            for client in clients { #expect(try await client.takeFailures().isEmpty) }
        }

        @Test func aClientReceivesTheObjectsOfItsQuery() async throws {
            let (server, folder) = (try await Self.server(), try TemporaryFolder())
            let all = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            for key in 1...5 { try await all.commit(SimpleChanges.create(Int64(key), n: Int64(key))) }
            try await all.commit(SimpleChanges.insert("a", at: 0, of: 0, in: 4))
            try await all.waitForUpload()
            let some = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n > 3", "n == 1")
            #expect(
                try some.notes == [1: Note(n: 1, tags: []), 4: Note(n: 4, tags: ["a"]), 5: Note(n: 5, tags: [])])
            let version = try await some.subscribe("n < 2")
            try await some.waitForSubscriptions()
            #expect(try some.status(of: version) == .complete)
            #expect(try some.notes == [1: Note(n: 1, tags: [])])
            try await some.subscribe(to: [])
            try await some.waitForSubscriptions()
            #expect(try some.notes.isEmpty)
            try await Self.requireNoFailures(all, some)
        }

        @Test func objectsMoveIntoAndOutOfAView() async throws {
            let (server, folder) = (try await Self.server(), try TemporaryFolder())
            let all = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let some = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n > 3")
            try await all.commit(
                SimpleChanges.create(1, n: 1), SimpleChanges.insert("a", at: 0, of: 0, in: 1),
                SimpleChanges.create(2, n: 5))
            try await FlexibleClient.settle(all, some)
            #expect(try some.notes == [2: Note(n: 5, tags: [])])
            try await all.commit(SimpleChanges.set(4, of: 1), SimpleChanges.set(0, of: 2))
            try await FlexibleClient.settle(all, some)
            #expect(try some.notes == [1: Note(n: 4, tags: ["a"])])
            // A write moves an object out of the writer's own view.
            try await some.commit(SimpleChanges.set(2, of: 1))
            try await FlexibleClient.settle(some, all)
            #expect(try some.notes.isEmpty)
            #expect(try all.notes == [1: Note(n: 2, tags: ["a"]), 2: Note(n: 0, tags: [])])
            try await all.commit(Changeset([.eraseObject(SimpleChanges.object(1))]))
            try await FlexibleClient.settle(all, some)
            try await Self.requireNoFailures(all, some)
        }

        /// The original's clients write text with quotes or letters beyond ASCII as base 64.
        @Test func textInBase64IsText() async throws {
            let (server, folder) = (try await Self.server(), try TemporaryFolder())
            let all = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let some = try await FlexibleClient.start(
                server, folder, "bob", subscribesTo: "ANY tags == B64\"w6QiJw==\"")
            try await all.commit(
                SimpleChanges.create(1, n: 1), SimpleChanges.insert("ä\"'", at: 0, of: 0, in: 1),
                SimpleChanges.create(2, n: 5))
            try await FlexibleClient.settle(all, some)
            #expect(try some.notes == [1: Note(n: 1, tags: ["ä\"'"])])
            try await Self.requireNoFailures(all, some)
        }

        @Test func writesOutsideTheViewAreReverted() async throws {
            let (server, folder) = (try await Self.server(), try TemporaryFolder())
            let all = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let some = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n > 3")
            try await all.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(all, some)
            // A new object outside the view, a new one inside it, and one that exists outside the view.
            try await some.commit(
                Changeset(
                    SimpleChanges.create(2, n: 2).instructions + SimpleChanges.create(4, n: 4).instructions
                        + SimpleChanges.create(1, n: 9).instructions))
            try await FlexibleClient.settle(some, all)
            #expect(try some.notes == [4: Note(n: 4, tags: [])])
            #expect(try all.notes == [1: Note(n: 1, tags: []), 4: Note(n: 4, tags: [])])
            let failures = try await some.takeFailures()
            #expect(failures.map(\.code) == [SessionErrorCode.compensatingWrite.rawValue])
            let updates = failures.first?.error.rejection?.updates ?? []
            #expect(Set(updates.map(\.object)) == [SimpleChanges.object(1), SimpleChanges.object(2)])
            #expect(updates.allSatisfy { $0.reason.hasSuffix("object is outside of the current query view") })
            // The rejected object can be created again once it's in the view.
            try await some.commit(SimpleChanges.create(2, n: 7))
            try await FlexibleClient.settle(some, all)
            #expect(try all.notes[2] == Note(n: 7, tags: []) && some.notes[2] == Note(n: 7, tags: []))
            try await Self.requireNoFailures(all, some)
        }

        @Test func aQueryThatIsNotSupportedIsRejectedWithItsReason() async throws {
            let (server, folder) = (try await Self.server(), try TemporaryFolder())
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n == 1")
            try await client.commit(SimpleChanges.create(1, n: 1))
            let reasons = [
                "n > ": "expected a property", "missing == 1": "has no property",
                "n == 1 SORT(n ASC)": "expected AND, OR",
                "@links.@count == 0": "the object's own properties", "n == 'text'": "is invalid",
            ]
            for (query, reason) in reasons {
                let version = try await client.subscribe(query)
                try await client.waitForSubscriptions()
                guard case .error(let text) = try client.status(of: version) else {
                    Issue.record("\(query) wasn't rejected")
                    continue
                }
                #expect(text.contains(reason), "\(text)")
            }
            let version = try await client.subscribe("TRUEPREDICATE", className: "Other")
            try await client.waitForSubscriptions()
            guard case .error = try client.status(of: version) else { throw Failure("an unknown class was accepted") }
            try await FlexibleClient.settle(client)
            #expect(try client.notes == [1: Note(n: 1, tags: [])])
            try await Self.requireNoFailures(client)
        }

        @Test func theServerRestoresViewsAndReports() async throws {
            let folder = try TemporaryFolder()
            let first = try await Self.server()
            let port = NIOLockedValueBox(first.port)
            let clients = try ["ann", "bob"].map { name in
                try FlexibleClient(folder.path + "/\(name).realm", user: name, seed: 1) { port.withLockedValue { $0 } }
            }
            for (client, query) in zip(clients, ["TRUEPREDICATE", "n > 3"]) {
                try await client.commit(SimpleChanges.schema)
                try await client.subscribe(query)
                try await client.waitForSubscriptions()
            }
            try await clients[0].commit(SimpleChanges.create(1, n: 5), SimpleChanges.create(2, n: 1))
            try await FlexibleClient.settle(clients[0], clients[1])
            try await first.stop()
            // Both write while there's no server.
            try await clients[0].commit(SimpleChanges.set(6, of: 2), SimpleChanges.insert("x", at: 0, of: 0, in: 1))
            try await clients[1].commit(
                SimpleChanges.insert("y", at: 0, of: 0, in: 1), SimpleChanges.create(3, n: 0),
                SimpleChanges.create(4, n: 8))
            let second = try await Self.server(first.folder)
            port.withLockedValue { $0 = second.port }
            try await FlexibleClient.settle(clients[0], clients[1])
            try await FlexibleClient.settle(clients[1], clients[0])
            let all = try clients[0].notes
            #expect(all.mapValues(\.n) == [1: 5, 2: 6, 4: 8] && all[1].map { Set($0.tags) } == ["x", "y"])
            #expect(try clients[1].notes == all)
            #expect(try await clients[1].takeFailures().map(\.code) == [231])
            // The documents are an ordinary file, and follow the log.
            try await second.stop()
            let third = try await Self.server(first.folder)
            port.withLockedValue { $0 = third.port }
            try await clients[0].waitForDownload()
            let path = first.folder.path + "/apps/app/flexible/documents.realm"
            let documents = try Database.open(path, readOnly: true, joining: .always)
            var stored: [Int64: Note] = [:]
            for _ in 0..<500 where stored != all {
                try await Task.sleep(for: .milliseconds(20))
                stored = try FlexibleClient.notes(in: try documents.snapshot(label: "test"))
            }
            #expect(stored == all)
        }

        @Test func clientsOfTheWrongModeAreRejected() async throws {
            let server = try await Self.server()
            for (mode, code) in [(SyncMode.partition, 113), (.flexible, 114)] {
                let app = mode == .partition ? "app" : "other"
                let client = try await MessageClient(
                    port: server.port, uri: WebSocketClient.uri(user: "ann", app: app), mode: mode)
                let path = mode == .partition ? "\"p\"" : SessionPurpose.ordinary.path()
                try await client.send(.bind(ClientMessage.Bind(session: 1, path: path, needsIdent: true)))
                guard case .jsonError(0, code, let error) = try await client.next() else {
                    throw Failure("no error \(code)")
                }
                #expect(error.action == .applicationBug)
            }
        }
    }
#endif
