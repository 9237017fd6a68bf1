// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import Logging
    import RealmAccounts
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct RulesFileTests {
        private static func write(_ roles: String, _ path: String) throws {
            try #"{"apps": {"app": {"default_roles": [\#(roles)]}}}"#.write(
                toFile: path, atomically: true, encoding: .utf8)
        }

        private static let all = """
            {"apply_when": true, "read": true, "write": true, "insert": true, "delete": true}
            """

        private static func few(_ user: String) -> String {
            """
            {"apply_when": {"%%user.id": "\(user)"}, "read": true, "document_filters": {"read": {"n": 2}}}, \(all)
            """
        }

        @Test func aChangedFileIsReadAgainAndAnInvalidOneHasNoEffect() throws {
            let path = try TemporaryFolder().path + ".json"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Self.write(Self.all, path)
            let rules = try RulesFile(path, Data(contentsOf: URL(fileURLWithPath: path)))
            let user = UserContext(AccessGrant(app: "app", user: "bob", session: "", expiry: 0))
            #expect(rules.access(user).others == .all)
            #expect(try !rules.reload())
            try Self.write(Self.few("bob"), path)
            #expect(try rules.reload())
            #expect(rules.access(user).others.read == .matching("n == 2"))
            try Self.write(#"{"apply_when": 1}"#, path)
            #expect(throws: RuleError.self) { try rules.reload() }
            #expect(try !rules.reload(), "an error is reported once")
            #expect(rules.access(user).others.read == .matching("n == 2"))
            try FileManager.default.removeItem(atPath: path)
            #expect(try !rules.reload())
            try Self.write(Self.all, path)
            #expect(try rules.reload() && rules.access(user).others == .all)
            #expect(throws: RuleError.self) { try RulesFile(path, Data([0xFF])) }
        }

        @Test func aChangedFileTakesEffectDuringASession() async throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/rules.json"
            try Self.write(Self.all, path)
            let rules = try RulesFile(path, Data(contentsOf: URL(fileURLWithPath: path)))
            let server = try await TestServer {
                $0.flexibleApps = ["app"]
                $0.documentAccess = { rules.access($0) }
            }
            let following = Task {
                await rules.follow(
                    for: server.server, interval: .milliseconds(20), logger: Logger(label: "") { _ in server.log })
            }
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            for n in 1...3 { try await bob.commit(SimpleChanges.create(Int64(n), n: Int64(n))) }
            try await FlexibleClient.settle(bob)
            try Self.write(Self.few("bob"), path)
            try await bob.waitForNotes { $0.keys.sorted() == [2] }
            try Self.write(Self.all, path)
            try await bob.waitForNotes { $0.count == 3 }
            #expect(try await bob.takeFailures().isEmpty)
            bob.stop()
            following.cancel()
        }
    }
#endif
