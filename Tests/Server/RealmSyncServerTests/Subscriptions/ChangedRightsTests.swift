// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Rights that change while their users' files synchronise.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ChangedRightsTests {
        private typealias Note = FlexibleClient.Note
        private typealias Access = NIOLockedValueBox<DocumentAccess.OnClass>

        private static func server(_ bob: Access, fails: NIOLockedValueBox<Bool>? = nil) async throws -> TestServer {
            try await TestServer {
                $0.flexibleApps = ["app"]
                $0.documentAccess = { user in
                    if user.user == "bob", fails?.withLockedValue({ $0 }) == true { throw Failure("no decision") }
                    return DocumentAccess(others: user.user == "bob" ? bob.withLockedValue { $0 } : .all)
                }
            }
        }

        private static func connection(of user: String, _ server: TestServer) async throws -> UInt64? {
            try await server.server.status().sessions.first { $0.user == user }?.connection
        }

        @Test func objectsAppearAndDisappearDuringASession() async throws {
            let access = Access(.none)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(
                SimpleChanges.create(1, n: 1), SimpleChanges.create(5, n: 5),
                SimpleChanges.insert("a", at: 0, of: 0, in: 5))
            try await FlexibleClient.settle(ann)
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n >= 0")
            let connection = try await Self.connection(of: "bob", server)
            var (few, fields) = (DocumentAccess.OnClass.readOnly, DocumentAccess.OnClass.readOnly)
            few.read = .matching("n > 3")
            fields.readableFields = .only(["n"])
            var unreadable = DocumentAccess.OnClass.readOnly
            unreadable.readableFields = .only(["tags"])
            let all = [1: Note(n: 1, tags: []), 5: Note(n: 5, tags: ["a"])] as [Int64: Note]
            let steps: [(DocumentAccess.OnClass, [Int64: Note])] = [
                (few, all.filter { $0.key == 5 }), (.all, all), (fields, all.mapValues { Note(n: $0.n, tags: []) }),
                (.none, [:]), (.readOnly, all), (unreadable, [:]), (few, all.filter { $0.key == 5 }),
            ]
            for (rights, expected) in steps {
                access.withLockedValue { $0 = rights }
                await server.server.rightsChanged(of: "bob", in: "app")
                try await bob.waitForNotes { $0 == expected }
            }
            // The view of the last rights continues.
            try await ann.commit(SimpleChanges.set(4, of: 1), SimpleChanges.set(0, of: 5))
            try await FlexibleClient.settle(ann, bob)
            #expect(try bob.notes == [1: Note(n: 4, tags: [])])
            #expect(try await bob.takeFailures().isEmpty)
            #expect(try await Self.connection(of: "bob", server) == connection)
        }

        /// Returns the events of the notes for a user, each with the type and the key.
        private static func events(
            of user: String, expiry: Int64 = .max, after position: String? = nil, _ server: TestServer
        ) async throws -> AsyncThrowingMapSequence<AsyncThrowingStream<String, any Error>, [String]> {
            let calls = DocumentCalls(
                name: "mongodb-atlas", access: EngineDocuments { [engine = server.server.engine] in engine.post($0) },
                gate: server.server.engine.gate, partitionKey: "_partition")
            let resumeAfter = position.map { #","resumeAfter":{"_data":"\#($0)"}"# } ?? ""
            let arguments = try JSON(parsing: #"[{"database":"any","collection":"Note"\#(resumeAfter)}]"#)
            let grant = AccessGrant(app: "app", user: user, session: "of \(user)", expiry: expiry)
            return try await calls.stream(ServiceCall(grant, name: "watch", arguments: arguments)).map { text in
                let event = try JSON(parsing: text)
                let key = event["documentKey"]?["_id"]?["$numberLong"]?.text
                return [try #require(event["operationType"]?.text), try #require(key)]
            }
        }

        @Test func aWatchFollowsTheRights() async throws {
            let (access, fails) = (Access(.readOnly), NIOLockedValueBox(false))
            let (server, folder) = (try await Self.server(access, fails: fails), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            var events = try await Self.events(of: "bob", server).makeAsyncIterator()
            try await ann.commit(SimpleChanges.create(1, n: 1))
            #expect(try await events.next() == ["insert", "1"])
            var few = DocumentAccess.OnClass.readOnly
            few.read = .matching("n > 3")
            access.withLockedValue { $0 = few }
            await server.server.rightsChanged(of: "bob", in: "app")
            try await ann.commit(SimpleChanges.create(2, n: 2), SimpleChanges.create(5, n: 5))
            #expect(try await events.next() == ["insert", "5"])
            access.withLockedValue { $0 = .readOnly }
            await server.server.rightsChanged(in: "app")
            try await ann.commit(SimpleChanges.set(3, of: 2))
            #expect(try await events.next() == ["update", "2"])
            fails.withLockedValue { $0 = true }
            await server.server.rightsChanged(of: "bob", in: "app")
            await #expect(throws: ServiceRefusal.self) { _ = try await events.next() }
        }

        @Test func aWatchEndsWithTheSessionOfItsUser() async throws {
            let (server, folder) = (try await Self.server(Access(.readOnly)), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            var bob = try await Self.events(of: "bob", server).makeAsyncIterator()
            var other = try await Self.events(of: "other", server).makeAsyncIterator()
            try await ann.commit(SimpleChanges.create(1, n: 1))
            for event in [try await bob.next(), try await other.next()] { #expect(event == ["insert", "1"]) }
            server.server.engine.revoke(Revocation(app: "app", user: "bob", session: nil))
            await #expect(throws: ServiceRefusal.revoked) { _ = try await bob.next() }
            try await ann.commit(SimpleChanges.create(2, n: 2))
            #expect(try await other.next() == ["insert", "2"])
        }

        /// Returns a change that becomes one version.
        private static func creations(_ keys: ClosedRange<Int64>) -> Changeset {
            Changeset(keys.flatMap { SimpleChanges.create($0, n: $0).instructions })
        }

        @Test func waitingEventsOfARevokedUserAreNotSent() async throws {
            let (server, folder) = (try await Self.server(Access(.readOnly)), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            var bob = try await Self.events(of: "bob", server).makeAsyncIterator()
            try await ann.commit(Self.creations(1...3))
            // The other two events are waiting now.
            #expect(try await bob.next() == ["insert", "1"])
            server.server.engine.revoke(Revocation(app: "app", user: "bob", session: nil))
            _ = try await server.server.engine.report()
            await #expect(throws: ServiceRefusal.revoked) { _ = try await bob.next() }
        }

        @Test func waitingEventsFollowTheNewRights() async throws {
            let access = Access(.readOnly)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            var bob = try await Self.events(of: "bob", server).makeAsyncIterator()
            try await ann.commit(Self.creations(1...6))
            #expect(try await bob.next() == ["insert", "1"])
            var few = DocumentAccess.OnClass.readOnly
            few.read = .matching("n == 1 OR n > 4")
            access.withLockedValue { $0 = few }
            await server.server.rightsChanged(of: "bob", in: "app")
            #expect(try await bob.next() == ["insert", "5"])
            access.withLockedValue { $0 = .readOnly }
            await server.server.rightsChanged(of: "bob", in: "app")
            #expect(try await bob.next() == ["insert", "6"])
            try await ann.commit(SimpleChanges.set(3, of: 2))
            #expect(try await bob.next() == ["update", "2"])
        }

        @Test func aWatchEndsWithItsTokenAndAnotherContinuesIt() async throws {
            let (server, folder) = (try await Self.server(Access(.readOnly)), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let expiry = CurrentProcess.time / 1_000_000_000 + 1
            var first = try await Self.events(of: "bob", expiry: expiry, server).makeAsyncIterator()
            var position: String?
            do { while try await first.next() != nil {} } catch let end as StreamExpiry { position = end.position }
            #expect(CurrentProcess.time / 1_000_000_000 >= expiry)
            let end: String = try #require(position)
            try await ann.commit(Self.creations(1...2), SimpleChanges.set(7, of: 1))
            try await FlexibleClient.settle(ann)
            var second = try await Self.events(of: "bob", after: end, server).makeAsyncIterator()
            for event in [["insert", "1"], ["insert", "2"], ["update", "1"]] {
                #expect(try await second.next() == event)
            }
            for position in ["1-2-0", "ffff-1-0"] {
                var wrong = try await Self.events(of: "bob", after: position, server).makeAsyncIterator()
                await #expect(throws: ServiceRefusal.removedVersions) { _ = try await wrong.next() }
            }
            await #expect(throws: ServiceRefusal.self) { _ = try await Self.events(of: "bob", after: "x", server) }
        }

        @Test func aWriteThatBecameForbiddenIsReverted() async throws {
            let access = Access(.all)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            try await bob.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(bob)
            access.withLockedValue { $0 = .readOnly }
            await server.server.rightsChanged(in: "app")
            try await bob.commit(SimpleChanges.set(2, of: 1), SimpleChanges.create(2, n: 2))
            try await FlexibleClient.settle(bob)
            #expect(try bob.notes == [1: Note(n: 1, tags: [])])
            #expect(try await bob.takeFailures().map(\.code) == [231, 231])
            access.withLockedValue { $0 = .all }
            await server.server.rightsChanged(in: "app")
            try await bob.commit(SimpleChanges.set(2, of: 1))
            try await FlexibleClient.settle(bob)
            #expect(try bob.notes == [1: Note(n: 2, tags: [])])
            #expect(try await bob.takeFailures().isEmpty)
        }

        @Test func aNewSessionOfAUserChangesTheOldOnes() async throws {
            let access = Access(.none)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(ann)
            access.withLockedValue { $0 = .all }
            let other = try TemporaryFolder()
            _ = try await FlexibleClient.start(server, other, "bob", subscribesTo: "n == 2")
            try await bob.waitForNotes { $0.count == 1 }
        }

        @Test func aSessionEndsWhileTheRightsCannotBeDecided() async throws {
            let (access, fails) = (Access(.all), NIOLockedValueBox(false))
            let (server, folder) = (try await Self.server(access, fails: fails), try TemporaryFolder())
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            fails.withLockedValue { $0 = true }
            await server.server.rightsChanged(of: "bob", in: "app")
            try await bob.commit(SimpleChanges.create(1, n: 1))
            for _ in 0..<12_000 where try await bob.failureCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try await bob.takeFailures().first?.code == SessionErrorCode.other.rawValue)
            fails.withLockedValue { $0 = false }
            try await FlexibleClient.settle(bob)
        }

        /// Clients of older versions don't accept a bootstrap of a complete query.
        @Test func anOlderClientReconnectsAndResetsItself() async throws {
            let access = Access(.all)
            let (server, folder) = (try await Self.server(access), try TemporaryFolder())
            let bob = try await FlexibleClient.start(
                server, folder, "bob", versions: 12...13, subscribesTo: "TRUEPREDICATE")
            try await bob.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(bob)
            access.withLockedValue { $0 = .readOnly }
            await server.server.rightsChanged(in: "app")
            #expect(try await bob.takeFailures().isEmpty, "the view is the same")
            access.withLockedValue { $0 = .none }
            await server.server.rightsChanged(in: "app")
            for _ in 0..<12_000 where try await bob.failureCount < 2 { try await Task.sleep(for: .milliseconds(10)) }
            let failures = try await bob.takeFailures()
            #expect(failures.map(\.code) == [200, 228])
            #expect(failures.map(\.error.action) == [.transient, .clientReset])
        }

        @Test func customDataTakesEffectDuringASession() async throws {
            let roles = try RoleRules(
                json: """
                    {"apps": {"chat": {"classes": {"Note": [
                        {"apply_when": {"%%user.custom_data.isAdmin": true}, "read": true, "write": true,
                         "insert": true, "delete": true},
                        {"apply_when": true, "read": true,
                         "document_filters": {"read": {"n": {"$in": "%%user.custom_data.numbers"}}}}]}}}}
                    """)
            var accounts = AccountsConfiguration(apps: [AppConfiguration(id: "chat")])
            accounts.passwordCost.rounds = 2
            let server = try await TestServer(accounts: accounts) {
                $0.flexibleApps = ["chat"]
                $0.documentAccess = { roles.access($0) }
            }
            let folder = try TemporaryFolder()
            let (ann, bob) = (try await Self.logIn(server), try await Self.logIn(server))
            try await server.server.accounts.setCustomData(#"{"isAdmin": true}"#, of: ann.user, in: "chat")
            let writer = try await FlexibleClient.start(
                server, folder, "ann", uri: ann.uri, subscribesTo: "TRUEPREDICATE")
            for n in 1...3 { try await writer.commit(SimpleChanges.create(Int64(n), n: Int64(n))) }
            try await FlexibleClient.settle(writer)
            let reader = try await FlexibleClient.start(
                server, folder, "bob", uri: bob.uri, subscribesTo: "TRUEPREDICATE")
            #expect(try reader.notes.isEmpty)
            for (data, keys) in [
                (#"{"numbers": [1, 3]}"#, [1, 3]), (#"{"numbers": [2]}"#, [2]), (#"{"isAdmin": true}"#, [1, 2, 3]),
                (nil, []),
            ] as [(String?, [Int64])] {
                try await server.server.accounts.setCustomData(data, of: bob.user, in: "chat")
                try await reader.waitForNotes { $0.keys.sorted() == keys }
            }
            #expect(try await reader.takeFailures().isEmpty)
        }

        private static func logIn(_ server: TestServer) async throws -> (user: String, uri: String) {
            let answer = try await PlainRequest.answer(
                server.port,
                """
                POST /api/client/v2.0/app/chat/auth/providers/anon-user/login HTTP/1.1\r\nContent-Type: application/json
                """, body: #"{"provider":"anon-user"}"#)
            let json = try JSON(parsing: answer.components(separatedBy: "\r\n\r\n").dropFirst().joined())
            let token = try #require(json["access_token"]?.text)
            return (
                try #require(json["user_id"]?.text), "/api/client/v2.0/app/chat/realm-sync?baas_at=\(token)"
            )
        }
    }
#endif
