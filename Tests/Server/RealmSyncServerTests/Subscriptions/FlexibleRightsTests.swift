// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Users with different rights on the documents of one app. Ann has all rights.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct FlexibleRightsTests {
        private typealias Note = FlexibleClient.Note

        private static func server(_ bob: NIOLockedValueBox<DocumentAccess.OnClass>) async throws -> TestServer {
            try await TestServer {
                $0.flexibleApps = ["app"]
                $0.documentAccess = { user in
                    DocumentAccess(others: user.user == "bob" ? bob.withLockedValue { $0 } : .all)
                }
            }
        }

        @Test func aUserReceivesOnlyTheReadableDocumentsAndFields() async throws {
            var access = DocumentAccess.OnClass.readOnly
            access.read = .matching("n > 0")
            access.readableFields = .allBut(["tags"])
            let (server, folder) = (try await Self.server(NIOLockedValueBox(access)), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(
                SimpleChanges.create(1, n: -1), SimpleChanges.create(2, n: 3),
                SimpleChanges.insert("a", at: 0, of: 0, in: 2))
            try await FlexibleClient.settle(ann)
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            #expect(try bob.notes == [2: Note(n: 3, tags: [])])
            // Objects move into the readable documents, and change there.
            try await ann.commit(
                SimpleChanges.insert("b", at: 0, of: 0, in: 1), SimpleChanges.set(5, of: 1),
                SimpleChanges.insert("c", at: 0, of: 1, in: 2), SimpleChanges.set(4, of: 2))
            try await FlexibleClient.settle(ann, bob)
            #expect(try bob.notes == [1: Note(n: 5, tags: []), 2: Note(n: 4, tags: [])])
            try await ann.commit(SimpleChanges.set(0, of: 2))
            try await FlexibleClient.settle(ann, bob)
            #expect(try bob.notes == [1: Note(n: 5, tags: [])])
            // A query on a hidden field would reveal it.
            let version = try await bob.subscribe("ANY tags == 'b'")
            try await bob.waitForSubscriptions()
            guard case .error(let text) = try bob.status(of: version) else {
                throw Failure("a hidden field was queried")
            }
            #expect(text.contains("can't read the property 'tags'"))
        }

        /// The two sessions of one user have their own rights.
        @Test func rightsDependOnTheRequest() async throws {
            let server = try await TestServer {
                $0.flexibleApps = ["app"]
                $0.documentAccess = { user in
                    DocumentAccess(others: user.user == "ann" || user.request?.address == "10.0.0.2" ? .all : .none)
                }
            }
            let folders = try (0..<3).map { _ in try TemporaryFolder() }
            let ann = try await FlexibleClient.start(server, folders[0], "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(ann)
            let uri = WebSocketClient.uri(user: "bob") + "&client=10.0.0."
            let near = try await FlexibleClient.start(
                server, folders[1], "bob", uri: uri + "2", subscribesTo: "TRUEPREDICATE")
            let far = try await FlexibleClient.start(
                server, folders[2], "bob", uri: uri + "3", subscribesTo: "TRUEPREDICATE")
            await server.server.rightsChanged(of: "bob", in: "app")
            try await near.commit(SimpleChanges.create(2, n: 2))
            try await far.commit(SimpleChanges.create(3, n: 3))
            try await FlexibleClient.settle(near, ann, far)
            let notes = [1: Note(n: 1, tags: []), 2: Note(n: 2, tags: [])] as [Int64: Note]
            #expect(try near.notes == notes)
            #expect(try ann.notes == notes)
            try await far.waitForNotes { $0.isEmpty }
        }

        @Test func writesWithoutTheRightAreReverted() async throws {
            var access = DocumentAccess.OnClass.all
            (access.write, access.canDelete, access.writableFields) = (.matching("n > 5"), false, .allBut(["tags"]))
            let (server, folder) = (try await Self.server(NIOLockedValueBox(access)), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(
                SimpleChanges.create(2, n: 3), SimpleChanges.insert("a", at: 0, of: 0, in: 2),
                SimpleChanges.create(3, n: 7))
            try await FlexibleClient.settle(ann, bob)
            try await bob.commit(SimpleChanges.set(8, of: 3), SimpleChanges.create(4, n: 6))
            try await FlexibleClient.settle(bob, ann)
            #expect(try await bob.takeFailures().isEmpty)
            let expected: [Int64: Note] = [
                2: Note(n: 3, tags: ["a"]), 3: Note(n: 8, tags: []), 4: Note(n: 6, tags: []),
            ]
            #expect(try ann.notes == expected && bob.notes == expected)
            let forbidden = [
                SimpleChanges.set(9, of: 2), SimpleChanges.set(4, of: 3), SimpleChanges.create(5, n: 2),
                Changeset([.eraseObject(SimpleChanges.object(3))]), SimpleChanges.insert("x", at: 0, of: 0, in: 3),
            ]
            for change in forbidden {
                try await bob.commit(change)
                try await FlexibleClient.settle(bob, ann)
                #expect(try await bob.takeFailures().map(\.code) == [231], "\(change)")
                #expect(try ann.notes == expected && bob.notes == expected, "\(change)")
            }
        }

        @Test func anInvalidQueryIsRejectedAlsoWithoutRights() async throws {
            let access = NIOLockedValueBox(DocumentAccess.OnClass.none)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            _ = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n > 0")
            let version = try await bob.subscribe("missing == 1")
            try await bob.waitForSubscriptions()
            guard case .error(let text) = try bob.status(of: version) else {
                throw Failure("an unknown property was queried")
            }
            #expect(text.contains("missing"))
        }

        @Test func newRightsReplaceTheView() async throws {
            let access = NIOLockedValueBox(DocumentAccess.OnClass.none)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(SimpleChanges.create(1, n: 1), SimpleChanges.insert("a", at: 0, of: 0, in: 1))
            try await FlexibleClient.settle(ann)
            let first = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            #expect(try first.notes.isEmpty)
            first.stop()
            var fields = DocumentAccess.OnClass.readOnly
            fields.readableFields = .only(["n"])
            for (rights, note) in [
                (fields, Note(n: 1, tags: [])), (.readOnly, Note(n: 1, tags: ["a"])), (fields, Note(n: 1, tags: [])),
                (.none, nil), (.all, Note(n: 1, tags: ["a"])),
            ] {
                access.withLockedValue { $0 = rights }
                let port = server.port
                let bob = try FlexibleClient(folder.path + "/bob.realm", user: "bob", seed: 1) { port }
                try await bob.waitForDownload()
                #expect(try bob.notes[1] == note, "\(rights)")
                bob.stop()
            }
        }
    }
#endif
