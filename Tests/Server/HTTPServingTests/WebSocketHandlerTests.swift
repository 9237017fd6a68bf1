// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import Foundation
    import HTTPServing
    import PageTestSupport
    import TestTraits
    import Testing

    /// The frames that a socket accepts and rejects.
    @Suite(.timeLimited) struct WebSocketHandlerTests {
        @Test func messagesGoBothWays() async throws {
            try await EchoService.serve { server in
                let client = try server.socket()
                client.sendText("Grüße")
                #expect(try client.receiveText() == "Grüße")
                let long = String(repeating: "y", count: 70_000)
                client.sendText(long)
                #expect(try client.receiveText() == long)
                client.frame(1, Array("in ".utf8), isLast: false)
                client.frame(9, [7])
                client.frame(0, Array("parts".utf8))
                let pong = try client.nextFrame()
                #expect(pong.operation == 10 && pong.data == [7])
                #expect(try client.receiveText() == "in parts")
                client.sendText("end")
                #expect(client.closing() == 1000)
            }
        }

        @Test func overlongMessagesCloseTheSocket() async throws {
            try await EchoService.serve { server in
                let client = try server.socket()
                client.sendText(String(repeating: "x", count: 1 << 20))
                let received = try client.receiveText().utf8.count
                #expect(received == 1 << 20)
                // The head is sufficient: the body isn't read.
                client.frame(1, [], length: 1 << 20 + 1)
                #expect(client.closing() == 1009)
                let huge = try server.socket()
                huge.frame(1, [], length: 1 << 62)
                #expect(huge.closing() == 1009)
                let parts = try server.socket()
                let part = [UInt8](repeating: 120, count: 300_000)
                parts.frame(1, part, isLast: false)
                for _ in 0..<3 { parts.frame(0, part, isLast: false) }
                #expect(parts.closing() == 1009)
            }
        }

        @Test func protocolErrorsCloseTheSocket() async throws {
            let broken: [(Int, @Sendable (RawClient) -> Void)] = [
                (1002, { $0.frame(1, [120], isMasked: false) }),
                (1002, { $0.frame(0, [120]) }),
                (1003, { $0.frame(2, [120]) }),
                (1003, { $0.frame(2, [120], isLast: false) }),
                (
                    1002,
                    {
                        $0.frame(1, [120], isLast: false)
                        $0.frame(1, [120])
                    }
                ),
                (1002, { $0.frame(5, []) }),
                // Reserved bits, since no extension was negotiated.
                (1002, { $0.frame(0x41, [120]) }), (1002, { $0.frame(0x21, [120]) }), (1002, { $0.frame(0x11, [120]) }),
                (1000, { $0.frame(8, [3, 232]) }),
            ]
            try await EchoService.serve { server in
                for (code, send) in broken {
                    let client = try server.socket()
                    send(client)
                    #expect(client.closing() == code)
                }
            }
        }

        @Test func clientsThatDoNotReadAreDisconnected() async throws {
            try await EchoService.serve {
                $0.socket?.longestBacklog = 4 << 20
            } _: { server in
                let client = try server.socket()
                client.sendText("flood 64")
                #expect(client.isEnded())
                let other = try server.socket()
                other.sendText("still here")
                #expect(try other.receiveText() == "still here")
            }
        }

        @Test func clientsThatPingWithoutReadingAreDisconnected() async throws {
            try await EchoService.serve {
                $0.socket?.longestBacklog = 1 << 20
            } _: { server in
                let client = try server.socket()
                var isOpen = true
                for _ in 0..<10_000 where isOpen {
                    isOpen = client.frame(9, [UInt8](repeating: 7, count: 120), copies: 100)
                }
                #expect(!isOpen)
            }
        }

        @Test func silentClientsArePingedAndThenDisconnected() async throws {
            try await EchoService.serve {
                $0.socket?.patience = .seconds(3)
            } _: { server in
                let client = try server.socket()
                let asked = try client.nextFrame().operation
                #expect(asked == 9)
                #expect(client.isEnded())
            }
        }
    }
#endif
