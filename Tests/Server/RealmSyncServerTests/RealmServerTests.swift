// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Complete clients and a server on the loopback address.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct RealmServerTests {
        private static func client(_ server: TestServer, _ seed: UInt64, _ path: String = "\"chat\"") -> SyncClient {
            let port = server.port
            return SyncClient(port: { port }, user: "user\(seed)", path: path, seed: seed)
        }

        @Test func severalClientsConverge() async throws {
            let server = try await TestServer()
            let clients = (1...4).map { Self.client(server, $0) }
            for (number, client) in clients.enumerated() {
                try await client.commit { _ in SimpleChanges.schema }
                for step in 0..<25 {
                    let key = Int64(step % 3)
                    try await client.commit { model in
                        if model.tables["Note"]?.objects[.int(key)] == nil { return SimpleChanges.create(key) }
                        guard step % 2 == 0 else { return SimpleChanges.add(Int64(number), to: key) }
                        guard case .list(let tags)? = model.content(at: Place(SimpleChanges.object(key), "tags")) else {
                            return Changeset()
                        }
                        return SimpleChanges.insert(
                            Text("\(number).\(step)"), at: tags.count / 2, of: tags.count, in: key)
                    }
                }
            }
            for client in clients { try await client.waitForUpload() }
            for client in clients { try await client.waitForDownload() }
            let models = try await Self.models(clients)
            #expect(models.allSatisfy { $0 == models[0] } && models[0].tables["Note"]?.objects.count == 3)
            for client in clients { #expect(try await client.takeFailures().isEmpty) }
            let late = Self.client(server, 9)
            try await late.waitForDownload()
            #expect(try await late.model == models[0])
        }

        private static func models(_ clients: [SyncClient]) async throws -> [SyncModel] {
            var models: [SyncModel] = []
            for client in clients { models.append(try await client.model) }
            return models
        }

        @Test func aStoppedServerRestoresItsState() async throws {
            let first = try await TestServer()
            let port = NIOLockedValueBox(first.port)
            let client = SyncClient(port: { port.withLockedValue { $0 } }, user: "ann", path: "\"p\"", seed: 1)
            try await client.commit { _ in SimpleChanges.schema }
            try await client.commit { _ in SimpleChanges.create(1) }
            try await client.waitForUpload()
            try await first.stop()
            try await client.commit { _ in SimpleChanges.add(5, to: 1) }
            let second = try await TestServer(first.folder)
            port.withLockedValue { $0 = second.port }
            try await client.waitForUpload()
            let other = Self.client(second, 2, "\"p\"")
            try await other.waitForDownload()
            #expect(try await other.model == client.model)
            #expect(try await client.takeFailures().isEmpty)
        }

        @Test func aServerThatIsKilledLosesNothing() async throws {
            let folder = try TemporaryFolder()
            let process = NIOLockedValueBox(try ServerProcess(folder: folder).boxed)
            let clients = (1...3).map { seed in
                SyncClient(
                    port: { process.withLockedValue { $0.value.port } }, user: "u\(seed)", path: "\"k\"", seed: seed)
            }
            for client in clients { try await client.commit { _ in SimpleChanges.schema } }
            var key: Int64 = 0
            for _ in 0..<6 {
                for _ in 0..<60 {
                    for client in clients {
                        key += 1
                        let created = key
                        try await client.commit { _ in SimpleChanges.create(created) }
                    }
                }
                try await Task.sleep(for: .milliseconds(.random(in: 5...120)))
                process.withLockedValue { $0.value.crash() }
                let next = try ServerProcess(folder: folder).boxed
                process.withLockedValue { $0 = next }
            }
            for client in clients { try await client.waitForUpload() }
            for client in clients { try await client.waitForDownload() }
            let models = try await Self.models(clients)
            #expect(models.allSatisfy { $0 == models[0] })
            #expect(models[0].tables["Note"]?.objects.count == Int(key))
            for client in clients { #expect(try await client.takeFailures().isEmpty) }
            for client in clients { client.stop() }
            #expect(process.withLockedValue { $0.value.terminate() } == 0)
        }

        /// Kills processes repeatedly. RELIABILITY.md has longer runs.
        @Test(arguments: ["kill", "nodes"]) func processesThatAreKilledConverge(_ mode: String) async throws {
            if mode == "nodes", !SharedStoresKind.canUsePostgres { return }
            let folder = try TemporaryFolder()
            let (process, path) = (Process(), folder.path + "/output")
            try Data().write(to: URL(fileURLWithPath: path))
            process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path("regnum-server-test")))
            // A server that is stopped or cut off needs up to 15 seconds.
            process.arguments = [mode, "--seconds", mode == "nodes" ? "14" : "6"]
            process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            let (ends, end) = AsyncStream<Int32>.makeStream()
            process.terminationHandler = { end.yield($0.terminationStatus) }
            try process.run()
            for await status in ends {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(status == 0, "\(text)")
                break
            }
        }

        @Test func aClientThatWasAwayForTooLongResetsItself() async throws {
            let folder = try TemporaryFolder()
            let process = try ServerProcess(folder: folder, expiry: 1)
            let client = try await MessageClient(port: process.port)
            let file = try await client.begin("\"p\"")
            client.close()
            try await Task.sleep(for: .milliseconds(2200))
            let again = try await MessageClient(port: process.port)
            try await again.send(.bind(ClientMessage.Bind(session: 1, path: "\"p\"", needsIdent: false)))
            try await again.identify(file)
            guard case .jsonError(1, let code, let error) = try await again.next() else {
                Issue.record("an error was expected")
                return
            }
            #expect(code == 222 && error.action == .clientReset && !error.canTryAgain)
            again.close()
            #expect(process.terminate() == 0)
        }

        @Test func accessRulesLimitReadingAndWriting() async throws {
            let rules = try AccessRules(
                json: #"{"rules":[{"user":"writer","access":"write"},{"partition":"news","access":"read"}]}"#)
            let server = try await TestServer { $0.permissions = { rules.access($0) } }
            let writer = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "writer"))
            _ = try await writer.begin("\"news\"")
            _ = try await writer.download()
            try await writer.upload([SimpleChanges.schema, SimpleChanges.create(1)], first: 1)
            try await writer.waitForUpload(2)
            let reader = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "reader"))
            _ = try await reader.begin("\"news\"")
            #expect(try await reader.download().entries.count == 2)
            try await reader.upload([SimpleChanges.schema], first: 1)
            try await reader.waitForUpload(1)
            try await reader.upload([SimpleChanges.create(2)], first: 2)
            while true {
                let message = try await reader.next()
                guard case .jsonError(1, let code, let error) = message else { continue }
                #expect(code == 230 && error.action == .clientReset)
                break
            }
            try await reader.send(.bind(ClientMessage.Bind(session: 2, path: "\"other\"", needsIdent: true)))
            guard case .jsonError(2, 206, _) = try await reader.next() else {
                Issue.record("206 was expected")
                return
            }
            for (session, path) in [(UInt64(3), "1.5"), (4, "\"" + String(repeating: "x", count: 4095) + "\"")] {
                try await reader.send(.bind(ClientMessage.Bind(session: session, path: path, needsIdent: true)))
                guard case .jsonError(session, 204, _) = try await reader.next() else {
                    Issue.record("204 was expected for \(path.prefix(10))")
                    return
                }
            }
        }

        @Test func aFolderHasOneServer() async throws {
            let server = try await TestServer()
            do {
                _ = try await TestServer(server.folder)
                Issue.record("two servers have one folder")
            } catch {
                #expect("\(error)".contains("Another server"))
            }
        }

        @Test(.embeddedStore) func aDamagedPartitionIsRefusedAndTheOthersAreNot() async throws {
            let first = try await TestServer()
            for name in ["a", "b"] {
                let client = try await MessageClient(port: first.port)
                _ = try await client.begin("\"\(name)\"")
                _ = try await client.download()
                try await client.upload([SimpleChanges.schema], first: 1)
                try await client.waitForUpload(1)
                client.close()
            }
            try await first.stop()
            let path = first.folder.path + "/apps/app/partitions/string_a/log-0000000000000000"
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            bytes[60] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let second = try await TestServer(first.folder)
            let client = try await MessageClient(port: second.port)
            try await client.send(.bind(ClientMessage.Bind(session: 1, path: "\"a\"", needsIdent: true)))
            guard case .jsonError(1, 201, let error) = try await client.next() else {
                Issue.record("201 was expected")
                return
            }
            #expect(error.action == .transient && !error.message.contains("/"))
            #expect(second.log.text.contains("string_a/log-0000000000000000' is damaged at byte"))
            _ = try await client.begin("\"b\"", session: 2)
            #expect(try await client.download().entries.count == 1)
        }
    }

    extension ServerProcess {
        /// A reference to the process, which tasks share under a lock.
        var boxed: Boxed { Boxed(self) }
        final class Boxed: @unchecked Sendable {
            let value: ServerProcess
            init(_ value: ServerProcess) { self.value = value }
        }
    }
#endif
