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
    import TestTraits
    import Testing

    /// Messages on the wire, valid and rejected.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SyncSocketTests {
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

        @Test func theNewestCommonVersionIsChosen() async throws {
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
        }

        @Test func rejectedClientsReceiveAnHTTPStatus() async throws {
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
            #expect(!server.log.text.contains("secret") && !server.log.text.contains("token-"))
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
            #expect(try await PlainRequest.answer(port, "GET /other HTTP/1.1").hasPrefix("HTTP/1.1 403 "))
            client.close()
        }

        @Test func anyFactoryGetsTheMetrics() async throws {
            let factory = CountedMetrics()
            let server = try await TestServer {
                $0.adminPort = 0
                $0.metrics = factory
            }
            let client = try await MessageClient(port: server.port)
            _ = try await client.begin("\"p\"")
            _ = try await client.download()
            #expect(factory.count("realm_server_received_messages_total") == 2)
            let port = try #require(server.server.adminPort)
            let text = try await PlainRequest.answer(port, "GET /metrics HTTP/1.1")
            #expect(text.hasPrefix("HTTP/1.1 404 ") && text.contains("metrics factory exports the metrics itself"))
            client.close()
        }

        /// A page of another origin reaches the port through a host name that resolves to this machine.
        @Test func metricsAreForThisMachineAlone() async throws {
            let server = try await TestServer { $0.adminPort = 0 }
            let port = try #require(server.server.adminPort)
            for host in ["localhost", "LOCALHOST:1", "127.0.0.1:\(port)", "[::1]", "[::1]:99"] {
                let answer = try await PlainRequest.answer(port, "GET /metrics HTTP/1.1", host: host)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(host)")
            }
            for host in ["evil.example", "evil.example:\(port)", "", "localhost.evil.example", "[::2]", "localhost:x"] {
                let answer = try await PlainRequest.answer(port, "GET /metrics HTTP/1.1", host: host)
                #expect(answer.hasPrefix("HTTP/1.1 403 ") && !answer.contains("realm_server"), "\(host)")
            }
        }

        // MARK: Frames

        @Test func aMessageMayBeFragmented() async throws {
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
            #expect(await client.closeCode() == 1000)
        }

        /// The errors that the original's client reports for a close code, as recorded.
        private static func recordedErrors(_ code: UInt16) throws -> Int? {
            return try SyncFixtures.documents("messages/close-\(code).jsonl").lazy
                .filter { $0["step"]?["do"]?.text == "errors" }.compactMap { $0["result"]?["errors"]?.elements?.count }
                .first
        }

        @Test(.behaviour("Y02")) func anOrderlyStopIsNotReportedAsAnError() async throws {
            let server = try await TestServer()
            let client = try await MessageClient(port: server.port)
            _ = try await client.begin("\"p\"")
            try await server.stop()
            let code = try #require(await client.closeCode())
            #expect(code == 1000)
            guard let errors = try Self.recordedErrors(code) else { return }
            #expect(errors == 0)
            #expect(try Self.recordedErrors(1001) == 1)
        }

        @Test func framingErrorsCloseTheSocketWithTheirCode() async throws {
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
                #expect(await client.closeCode() == code)
            }
        }

        @Test func aSilentConnectionIsEnded() async throws {
            let server = try await TestServer { $0.limits.silence = .seconds(5) }
            let client = try await MessageClient(port: server.port)
            #expect(await client.closeCode() == 1000)
        }

        @Test func connectionsAboveTheLimitAreRejected() async throws {
            let server = try await TestServer { $0.limits.connections = 2 }
            let clients = [try await MessageClient(port: server.port), try await MessageClient(port: server.port)]
            await #expect(throws: (any Error).self) { _ = try await MessageClient(port: server.port) }
            clients[0].close()
            var next: MessageClient?
            while next == nil {
                try await Task.sleep(for: .milliseconds(10))
                next = try? await MessageClient(port: server.port)
            }
            next?.close()
        }

        /// Requests of a client that never reads are left unprocessed, without using memory.
        @Test func readingPausesForAClientThatDoesNotRead() async throws {
            let server = try await TestServer()
            let client = try await MessageClient(port: server.port)
            try await client.socket.channel.setOption(.autoRead, value: false).get()
            let frame = Self.frame(client, Array(repeating: 7, count: 120), .ping)
            var (sent, isStuck) = (0, false)
            for _ in 0..<400 where !isStuck {
                for _ in 0..<1000 { _ = client.socket.channel.write(frame) }
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
            let other = try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "ben"))
            _ = try await other.begin("\"p\"")
            _ = try await other.download()
            other.close()
            client.close()
        }

        @Test func aClientThatReadsOnGetsAllAnswers() async throws {
            let server = try await TestServer { $0.limits.unreadAnswers = 10 }
            let client = try await MessageClient(port: server.port)
            try await client.socket.channel.setOption(.autoRead, value: false).get()
            for number in 0..<50_000 { _ = client.socket.send(Array("ping \(number) 0\n".utf8)) }
            try await Task.sleep(for: .milliseconds(300))
            try await client.socket.channel.setOption(.autoRead, value: true).get()
            for number in 0..<UInt64(50_000) {
                guard case .pong(number) = try await client.next() else { throw Failure("pong \(number) is missing") }
            }
        }

        private static func frame(
            _ client: MessageClient, _ bytes: [UInt8], _ opcode: WebSocketOpcode
        ) -> WebSocketFrame {
            WebSocketFrame(
                fin: true, opcode: opcode, maskKey: .random(),
                data: client.socket.channel.allocator.buffer(bytes: bytes)
            )
        }

        // MARK: TLS

        private static func certificate(keyMode: UInt16) throws -> (folder: TemporaryFolder, tls: RealmServer.TLSFiles)
        {
            let folder = try TemporaryFolder()
            let (certificate, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
            try TestCertificate.certificate.write(toFile: certificate, atomically: true, encoding: .utf8)
            try TestCertificate.key.write(toFile: key, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: keyMode], ofItemAtPath: key)
            return (folder, RealmServer.TLSFiles(certificateChain: certificate, privateKey: key))
        }

        private static func connectWithTLS(
            _ server: TestServer, _ change: (inout TLSConfiguration) -> Void = { _ in }
        ) async throws -> WebSocketClient {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            change(&configuration)
            return try await WebSocketClient.connect(
                port: server.port, offers: Self.offers, tls: try NIOSSLContext(configuration: configuration)
            ) { _ in }
        }

        @Test func theServerSpeaksTLS() async throws {
            let (folder, tls) = try Self.certificate(keyMode: 0o600)
            let server = try await TestServer {
                $0.tls = tls
                $0.host = "0.0.0.0"
            }
            let socket = try await Self.connectWithTLS(server)
            #expect(socket.protocolName == "com.mongodb.realm-sync#14")
            socket.close()
            await #expect(throws: (any Error).self) { _ = try await Self.connect(server) }
            #expect(!server.log.text.contains("without TLS") && !server.log.text.contains("private key"))
            try await server.stop()
            withExtendedLifetime(folder) {}
        }

        @Test func versionsOfTLSBefore12AreRefused() async throws {
            let (folder, tls) = try Self.certificate(keyMode: 0o600)
            let server = try await TestServer { $0.tls = tls }
            for version in [TLSVersion.tlsv1, .tlsv11] {
                await #expect(throws: (any Error).self) {
                    _ = try await Self.connectWithTLS(server) {
                        ($0.minimumTLSVersion, $0.maximumTLSVersion) = (.tlsv1, version)
                    }
                }
            }
            for version in [TLSVersion.tlsv12, .tlsv13] {
                try await Self.connectWithTLS(server) {
                    ($0.minimumTLSVersion, $0.maximumTLSVersion) = (version, version)
                }.close()
            }
            try await server.stop()
            withExtendedLifetime(folder) {}
        }

        @Test func aPrivateKeyThatOthersMayReadGetsAWarning() async throws {
            let (folder, tls) = try Self.certificate(keyMode: 0o640)
            let server = try await TestServer { $0.tls = tls }
            #expect(server.log.text.contains("warning the private key may be read by others"))
            try await server.stop()
            withExtendedLifetime(folder) {}
        }

        @Test func plainTextOnTheNetworkGetsAWarning() async throws {
            for (host, isWarned) in [("0.0.0.0", true), ("127.0.0.1", false)] {
                let server = try await TestServer { $0.host = host }
                #expect(server.log.text.contains("without TLS") == isWarned, "\(host)")
            }
        }

        // MARK: Hostile bytes

        @Test func recordedMessagesAndChangedOnesNeverEndTheServer() async throws {
            let process = try ServerProcess(folder: try TemporaryFolder())
            var generator = SeededGenerator(seed: 11)
            var count = 0
            for name in try SyncFixtures.recordings() {
                let messages = try Recording(name).clientMessages
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
                try? await client.socket.send(bytes).get()
                client.close()
            }
            let client = try await MessageClient(port: process.port)
            _ = try await client.begin("\"after\"")
            _ = try await client.download()
            #expect(count > 1000)
            #expect(process.terminate() == 0)
        }
    }
#endif
