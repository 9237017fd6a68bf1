// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    /// Slow requests from clients without a session.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct HalfRequestTests {
        private static let location = "GET /api/client/v2.0/app/app/location HTTP/1.1"

        private static func isServed(_ server: TestServer) async throws -> Bool {
            try await PlainRequest.answer(server.port, location).hasPrefix("HTTP/1.1 200 ")
        }

        private static func trickle(_ request: HalfRequest, _ text: String) async throws -> Bool {
            for _ in 0..<6000 where request.isOpen {
                try await Task.sleep(for: .milliseconds(200))
                request.send(text)
            }
            return !request.isOpen
        }

        @Test(arguments: [
            ("GET / HTTP/1.1\r\nHost: x\r\nX-A: ", "a"),
            ("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "a"),
            ("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"), ("", "\r\n"),
        ])
        func anIncompleteRequestTimesOut(_ beginning: String, _ piece: String) async throws {
            let server = try await TestServer { $0.limits.requestPatience = .seconds(2) }
            let start = ContinuousClock.now
            let request = try await HalfRequest(port: server.port, beginning)
            #expect(try await Self.trickle(request, piece))
            #expect(ContinuousClock.now - start >= .seconds(2))
        }

        /// The requests together take longer than the server waits for each. On a busy machine a single pause may take
        /// as long, so such a round proves nothing.
        @Test func aConnectionWithFurtherRequestsStaysOpen() async throws {
            let patience = Duration.seconds(8)
            let server = try await TestServer { $0.limits.requestPatience = patience }
            var longest = patience
            while longest >= patience / 2 {
                longest = .zero
                let request = try await HalfRequest(port: server.port, Self.location + "\r\nHost: x\r\n\r\n")
                for count in 2...4 where request.isOpen {
                    let start = ContinuousClock.now
                    try await Task.sleep(for: .milliseconds(3000))
                    request.send(Self.location + "\r\nHost: x\r\n\r\n")
                    while request.isOpen, request.answer.components(separatedBy: "HTTP/1.1 200").count <= count {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    longest = max(longest, ContinuousClock.now - start)
                }
                if longest < patience / 2 { #expect(request.isOpen) }
                request.close()
            }
        }

        /// The oldest connection of a peer is closed, so that another client of the address can log in.
        @Test func aPeersConnectionsWithoutASessionAreLimited() async throws {
            let server = try await TestServer { $0.limits.requestConnectionsPerPeer = 5 }
            let session = try await MessageClient(port: server.port)
            var requests: [HalfRequest] = []
            for _ in 0..<40 { requests.append(try await HalfRequest(port: server.port, "GET / HTTP/1.1\r\nA: ")) }
            let other = try await HalfRequest(port: server.port, "GET / HTTP/1.1\r\nA: ", from: "127.0.0.9")
            for _ in 0..<6000 where requests.count(where: \.isOpen) > 5 {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(requests.count(where: \.isOpen) == 5)
            #expect(requests.suffix(5).allSatisfy { $0.isOpen })
            #expect(try await Self.isServed(server))
            #expect(other.isOpen)
            _ = try await session.begin("\"p\"")
            _ = try await session.download()
            for request in requests + [other] { request.close() }
        }

        @Test func manyPeersLeaveRoomForALogIn() async throws {
            let server = try await TestServer { $0.limits.connections = 30 }
            var requests: [HalfRequest] = []
            for number in 0..<60 {
                let source = "127.0.1.\(1 + number % 20)"
                requests.append(try await HalfRequest(port: server.port, "GET / HTTP/1.1\r\nA: ", from: source))
            }
            #expect(try await Self.isServed(server))
            let session = try await MessageClient(port: server.port)
            _ = try await session.begin("\"p\"")
            session.close()
            for request in requests { request.close() }
        }

        @Test func webSocketsLeaveRoomForALogIn() async throws {
            let server = try await TestServer { $0.limits.connections = 16 }
            var sessions: [MessageClient] = []
            do {
                for _ in 0..<16 { sessions.append(try await MessageClient(port: server.port)) }
                Issue.record("WebSockets took all connections")
            } catch let refused as WebSocketClient.Refused {
                #expect(refused.status == 503)
            }
            #expect(sessions.count == 14)
            #expect(try await Self.isServed(server))
            for session in sessions { session.close() }
        }
    }
#endif
