// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOCore
    import NIOSSL
    import NIOWebSocket
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import Testing

    /// What goes over the wire, and what is refused.
    @Suite(.serialized, .timeLimit(.minutes(30))) struct SyncSocketTests {
        private static let offers = SyncMode.partition.offers(8...14)

        private static func connect(
            _ server: TestServer, uri: String = WebSocketClient.uri(user: "ann"), _ offers: [String] = Self.offers
        ) async throws -> WebSocketClient {
            try await WebSocketClient.connect(port: server.port, uri: uri, offers: offers) { _ in }
        }

        private static func status(
            _ server: TestServer, uri: String = WebSocketClient.uri(user: "ann"), _ offers: [String] = Self.offers
        ) async throws -> Int {
            do {
                try await connect(server, uri: uri, offers).close()
                return 101
            } catch let refused as WebSocketClient.Refused {
                return refused.status
            }
        }

        @Test func theNewestVersionThatBothKnowIsChosen() async throws {
            let server = try await TestServer()
            for (offers, chosen) in [
                (SyncMode.partition.offers(2...14), "com.mongodb.realm-sync#14"),
                (SyncMode.partition.offers(2...9), "com.mongodb.realm-sync#9"),
                (["com.mongodb.realm-sync#99", "com.mongodb.realm-sync#12"], "com.mongodb.realm-sync#12"),
                (SyncMode.flexible.offers(8...14), "com.mongodb.realm-query-sync#14"),
            ] {
                let socket = try await Self.connect(server, offers)
                #expect(socket.protocolName == chosen)
                socket.close()
            }
            try await server.stop()
        }

        @Test func whoIsNotLetInGetsAStatus() async throws {
            let server = try await TestServer()
            #expect(try await Self.status(server) == 101)
            #expect(try await Self.status(server, []) == 400)
            #expect(try await Self.status(server, SyncMode.partition.offers(2...7)) == 400)
            #expect(try await Self.status(server, ["com.mongodb.realm-sync/14", "x"]) == 400)
            for (user, status) in [("forged", 401), ("expired", 401), ("revoked", 403)] {
                #expect(try await Self.status(server, uri: WebSocketClient.uri(user: user)) == status)
            }
            #expect(try await Self.status(server, uri: "/api/client/v2.0/app/app/realm-sync") == 401)
            #expect(try await Self.status(server, uri: "/api/client/v2.0/app/app/realm-sync?baas_at=secret") == 401)
            #expect(try await Self.status(server, uri: "/elsewhere") == 404)
            // The log tells of no token.
            #expect(!server.log.text.contains("secret") && !server.log.text.contains("token-"))
            try await server.stop()
        }

        @Test func requestsGoToTheHTTPAPI() async throws {
            let server = try await TestServer()
            let location = try await PlainRequest.answer(
                server.port, "POST /api/client/v2.0/app/judge/location?x=1 HTTP/1.1", body: "abc")
            #expect(location.hasPrefix("HTTP/1.1 200 "))
            #expect(location.hasSuffix(#"{"path":"/api/client/v2.0/app/judge/location","body":3}"#))
            let long = try await PlainRequest.answer(
                server.port, "POST /long HTTP/1.1", body: String(repeating: "x", count: 2 << 20))
            #expect(long.isEmpty || long.hasPrefix("HTTP/1.1 413 "))
            let plain = try await PlainRequest.answer(server.port, "GET /api/client/v2.0/app/judge/realm-sync HTTP/1.1")
            #expect(plain.hasPrefix("HTTP/1.1 426 "))
            try await server.stop()
        }

        @Test func metricsAreServed() async throws {
            let server = try await TestServer { $0.adminPort = 0 }
            let client = try await MessageClient(port: server.port)
            _ = try await client.begin("\"p\"")
            _ = try await client.download()
            let port = try #require(server.server.adminPort)
            let text = try await PlainRequest.answer(port, "GET /metrics HTTP/1.1")
            #expect(text.contains("realm_server_connections 1\n"))
            #expect(text.contains("realm_server_received_messages_total 2\n"))
            #expect(try await PlainRequest.answer(port, "GET /health HTTP/1.1").hasSuffix("ok\n"))
            #expect(try await PlainRequest.answer(port, "GET /other HTTP/1.1").hasPrefix("HTTP/1.1 404 "))
            client.close()
            try await server.stop()
        }

        // MARK: Frames

        private static func closeCode(_ client: MessageClient) async -> UInt16? {
            while true { if case .closed(let code) = await client.nextEvent() { return code } }
        }

        @Test func aMessageMayComeInFragments() async throws {
            let server = try await TestServer()
            let client = try await MessageClient(port: server.port)
            let bytes = ClientMessage.bind(ClientMessage.Bind(session: 1, path: "\"p\"", needsIdent: true)).encoded()
            try await client.socket.send(Array(bytes.prefix(3)), isLast: false).get()
            try await client.socket.send(Array("x".utf8), .ping).get()
            try await client.socket.send([], .continuation, isLast: false).get()
            try await client.socket.send(Array(bytes.dropFirst(3)), .continuation).get()
            guard case .ident(1, _) = try await client.next() else {
                Issue.record("an ident was expected")
                return
            }
            try await server.stop()
            #expect(await Self.closeCode(client) == 1001)
        }

        @Test func whatBreaksTheFramingIsEndedWithItsCode() async throws {
            let server = try await TestServer { $0.limits.messageBytes = 1000 }
            let cases: [(UInt16, (WebSocketClient) -> Void)] = [
                (1003, { _ = $0.send(Array("text".utf8), .text) }),
                (1002, { _ = $0.send([1], isMasked: false) }),
                (1002, { _ = $0.send([1], .continuation) }),
                (1009, { _ = $0.send(Array(repeating: 1, count: 1001)) }),
                (
                    1009,
                    { socket in
                        _ = socket.send(Array(repeating: 1, count: 600), isLast: false)
                        _ = socket.send(Array(repeating: 1, count: 600), .continuation)
                    }
                ),
                (1000, { _ = $0.send([3, 232], .connectionClose) }),
            ]
            for (code, act) in cases {
                let client = try await MessageClient(port: server.port)
                act(client.socket)
                #expect(await Self.closeCode(client) == code)
            }
            try await server.stop()
        }

        @Test func aSilentConnectionIsEnded() async throws {
            let server = try await TestServer { $0.limits.silence = 1 }
            let client = try await MessageClient(port: server.port)
            #expect(await Self.closeCode(client) == 1000)
            try await server.stop()
        }

        @Test func thereAreNoMoreConnectionsThanTheLimit() async throws {
            let server = try await TestServer { $0.limits.connections = 2 }
            let clients = [try await MessageClient(port: server.port), try await MessageClient(port: server.port)]
            await #expect(throws: (any Error).self) { _ = try await MessageClient(port: server.port) }
            clients[0].close()
            try await Task.sleep(for: .milliseconds(200))
            try await MessageClient(port: server.port).close()
            try await server.stop()
        }

        /// A client that asks and never reads is not listened to, and takes no memory.
        @Test func aClientThatDoesNotReadIsNotListenedTo() async throws {
            let server = try await TestServer()
            let client = try await MessageClient(port: server.port)
            try await client.socket.channel.setOption(.autoRead, value: false).get()
            let ping = Array(repeating: UInt8(7), count: 120)
            var (sent, isStuck) = (0, false)
            for _ in 0..<400 where !isStuck {
                for _ in 0..<1000 { _ = client.socket.channel.write(Self.frame(client, ping)) }
                client.socket.channel.flush()
                sent += 1000
                try await Task.sleep(for: .milliseconds(5))
                isStuck = !client.socket.channel.isWritable
                if isStuck {
                    try await Task.sleep(for: .milliseconds(300))
                    isStuck = !client.socket.channel.isWritable
                }
            }
            #expect(isStuck, "\(sent) pings were taken")
            client.close()
            try await server.stop()
        }

        private static func frame(_ client: MessageClient, _ bytes: [UInt8]) -> WebSocketFrame {
            WebSocketFrame(
                fin: true, opcode: .ping, maskKey: .random(), data: client.socket.channel.allocator.buffer(bytes: bytes)
            )
        }

        // MARK: TLS

        @Test func theServerSpeaksTLS() async throws {
            let folder = try TemporaryFolder()
            let (certificate, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
            try TestCertificate.certificate.write(toFile: certificate, atomically: true, encoding: .utf8)
            try TestCertificate.key.write(toFile: key, atomically: true, encoding: .utf8)
            let server = try await TestServer { $0.tls = (certificate, key) }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            let socket = try await WebSocketClient.connect(
                port: server.port, offers: Self.offers, tls: try NIOSSLContext(configuration: configuration)
            ) { _ in }
            #expect(socket.protocolName == "com.mongodb.realm-sync#14")
            socket.close()
            await #expect(throws: (any Error).self) { _ = try await Self.connect(server) }
            try await server.stop()
        }

        // MARK: Hostile bytes

        @Test func recordedMessagesAndChangedOnesNeverEndTheServer() async throws {
            let folder = Fixtures.folder("sync/messages")
            let process = try ServerProcess(folder: try TemporaryFolder())
            var generator = SeededGenerator(seed: 11)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            var count = 0
            for name in names where name.hasSuffix(".jsonl") {
                let messages = try Self.recorded(folder + "/" + name)
                for round in 0..<3 {
                    let client = try await MessageClient(
                        port: process.port,
                        offers: (name.hasPrefix("flx") ? SyncMode.flexible : .partition).offers(8...14))
                    for message in messages {
                        let bytes = round == 0 ? message : WireMutation.mutated(message, &generator)
                        try? await client.socket.send(bytes).get()
                        count += 1
                    }
                    client.close()
                }
                #expect(process.isRunning)
            }
            for _ in 0..<300 {
                let client = try await MessageClient(port: process.port)
                let bytes = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                // As frames, and as what should be one.
                try? await client.socket.send(bytes).get()
                client.close()
            }
            let client = try await MessageClient(port: process.port)
            _ = try await client.begin("\"after\"")
            _ = try await client.download()
            #expect(count > 1000)
            #expect(process.terminate() == 0)
        }

        private static func recorded(_ path: String) throws -> [[UInt8]] {
            let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
            return try text.split(separator: "\n").compactMap { line in
                let json = try JSON(parsing: String(line))
                guard json["kind"]?.text == "message", json["from"]?.text == "client",
                    let header = json["header"]?.text, let body = Hexadecimal.bytes(json["bodyHex"]?.text ?? "")
                else { return nil }
                return Array(header.utf8) + [0x0A] + body
            }
        }
    }
#endif
