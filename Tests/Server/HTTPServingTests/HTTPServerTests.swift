// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import Foundation
    import HTTPServing
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOPosix
    import PageTestSupport
    import TestTraits
    import Testing

    /// The connections that a server accepts, and their requests.
    @Suite(.timeLimited) struct HTTPServerTests {
        @Test func requestsOfAConnectionAreAnsweredInTurn() async throws {
            try await EchoService.serve {
                $0.longestBody = 4
            } _: { server in
                let client = try server.client()
                #expect(try client.request("/").text == "hello")
                client.send(Array("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET / HTTP/1.1\r\n\r\n".utf8))
                #expect(try client.answer().text == "body")
                #expect(try client.answer().text == "hello")
                let refused = try client.request("/refused")
                #expect(refused.status == 403 && refused.headers["connection"] == "close")
                #expect(client.isEnded())
            }
        }

        @Test func aBodyThatIsTooLongIsRefused() async throws {
            try await EchoService.serve {
                $0.longestBody = 4
            } _: { server in
                for rest in [
                    "Content-Length: 5\r\n\r\nbodys", "Transfer-Encoding: chunked\r\n\r\n5\r\nbodys\r\n0\r\n\r\n",
                ] {
                    let client = try server.client()
                    client.send(Array("POST / HTTP/1.1\r\n\(rest)".utf8))
                    let status = try client.answer().status
                    #expect(status == 413)
                    #expect(client.isEnded())
                }
            }
        }

        /// A rejected WebSocket gets the decision's response, or that of the request, and then its connection is
        /// closed.
        @Test func aSocketThatIsNotOpenedIsARequest() async throws {
            try await EchoService.serve { server in
                let refused = try server.client()
                let refusal = try refused.upgrade(path: "/closed")
                #expect(refusal.status == 401 && refusal.text == "no token\n")
                #expect(refused.isEnded())
                let other = try server.client()
                let answer = try other.upgrade(path: "/")
                #expect(answer.text == "hello" && answer.headers["connection"] == "close")
                #expect(other.isEnded())
            }
        }

        @Test func aSlowResponseOutlastsTheIdleTimeout() async throws {
            try await EchoService.serve {
                $0.patience = .seconds(1)
            } _: { server in
                let client = try server.client()
                #expect(try client.request("/slow").text == "hello")
                #expect(client.isEnded())
            }
        }

        @Test(arguments: [("GET / HTTP/1.1\r\nHost: x\r\nX: ", "a"), ("", "\r\n")])
        func anIncompleteRequestTimesOut(_ beginning: String, _ piece: String) async throws {
            try await EchoService.serve {
                $0.patience = .seconds(1)
            } _: { server in
                let client = try server.client()
                client.send(Array(beginning.utf8))
                var isOpen = true
                for _ in 0..<12_000 where isOpen {
                    Thread.sleep(forTimeInterval: 0.1)
                    isOpen = client.send(Array(piece.utf8))
                }
                #expect(!isOpen)
            }
        }

        @Test func manyClientsAreServedAndTooManyAreNot() async throws {
            try await EchoService.serve {
                $0.limits = Connections.Limits(all: 40, admitted: 40, strangersOfPeer: 40)
            } _: { server in
                var clients = try (0..<40).map { _ in try server.socket() }
                for (number, client) in clients.enumerated() { client.sendText("\(number)") }
                for (number, client) in clients.enumerated() { #expect(try client.receiveText() == "\(number)") }
                #expect(try server.client().isEnded())
                clients = []
                for _ in 0..<12_000 {
                    if let answer = try? server.client().request("/") {
                        #expect(answer.status == 200)
                        return
                    }
                    Thread.sleep(forTimeInterval: 0.1)
                }
                Issue.record("No place has become free.")
            }
        }

        /// Connections count in the order of acceptance, even if an event loop is busy. Otherwise a newer connection
        /// could displace an older one.
        @Test func theOldestConnectionMakesRoomEvenIfItsThreadIsBusy() async throws {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
            let options = EchoService.options {
                $0.limits = Connections.Limits(all: 100, admitted: 100, strangersOfPeer: 4)
            }
            let service = CountingService()
            let server = try await HTTPServer(service, options, on: group)
            try await outside {
                let first = try server.client()
                #expect(service.waitForConnections(1))
                let (busy, isBusy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let others = group.makeIterator().filter { $0 !== service.listeningLoop }
                #expect(others.count == 2)
                for loop in others {
                    loop.execute {
                        isBusy.signal()
                        busy.wait()
                    }
                }
                for _ in others { isBusy.wait() }
                let clients = try (0..<12).map { _ in try server.client() }
                #expect(service.waitForConnections(13))
                for _ in others { busy.signal() }
                for client in [first] + clients.prefix(8) { #expect(client.isEnded()) }
                for client in clients.suffix(4) { #expect(try client.request("/").text == "hello") }
            }
            await server.stopListening()
            await server.connections.closeAll()
            try await group.shutdownGracefully()
        }

        private final class CountingService: HTTPService {
            private let accepted = NIOLockedValueBox<(count: Int, loop: (any EventLoop)?)>((0, nil))

            var listeningLoop: (any EventLoop)? { accepted.withLockedValue { $0.loop } }

            func waitForConnections(_ count: Int) -> Bool {
                for _ in 0..<12_000 {
                    if accepted.withLockedValue({ $0.count >= count }) { return true }
                    Thread.sleep(forTimeInterval: 0.01)
                }
                return false
            }

            func peer(of address: String) -> String? {
                accepted.withLockedValue {
                    ($0.count, $0.loop) = ($0.count + 1, MultiThreadedEventLoopGroup.currentEventLoop)
                }
                return address
            }

            func respond(to request: HTTPRequest) async -> HTTPResponse { await EchoService().respond(to: request) }
        }
    }
#endif
