// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Foundation
    import RealmRuntime
    import RealmSwift
    import RealmSwiftCombine
    import RealmTestSupport
    import TestTraits
    import Testing

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
        import OpenCombineDispatch
    #endif

    /// The publisher of the changes of documents.
    @Suite(.timeLimited) struct WatchPublisherTests {
        /// A server that answers logins, and streams that a test continues.
        private final class Server: RLMNetworkTransport {
            typealias Sink = @Sendable (RLMStreamEvent) -> Void

            let streams = Locked<[(request: String, events: Sink)]>([])
            let cancelled = Locked(0)

            func sendRequest(
                toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock
            ) {
                let claims = Data(#"{"exp":4102444800,"iat":1}"#.utf8).base64EncodedString()
                let token = "a." + claims.filter { $0 != "=" } + ".b"
                let body =
                    switch request.url.split(separator: "/").last {
                    case "location": #"{"hostname":"http://h","ws_hostname":"ws://h"}"#
                    case "profile": #"{"identities":[{"id":"i","provider_type":"api-key"}],"data":{}}"#
                    default: #"{"user_id":"u","access_token":"\#(token)","refresh_token":"\#(token)"}"#
                    }
                completion(
                    RLMResponse(body: body, headers: ["Content-Type": "application/json"], httpStatusCode: 200))
            }

            func streamRequest(
                toServer request: RLMRequest, events: @escaping @Sendable (RLMStreamEvent) -> Void
            ) -> @Sendable () -> Void {
                streams.withLock { $0.append((request.url, events)) }
                events(.opened)
                return { [self] in
                    cancelled.withLock { $0 += 1 }
                    events(.ended(RLMResponse(customStatusCode: -1)))
                }
            }

            func send(_ events: RLMStreamEvent...) {
                for event in events { streams.withLock { $0.last?.events }?(event) }
            }
        }

        private static func event(_ number: Int) -> RLMStreamEvent {
            .data(Data("data: {\"operationType\":\"insert\",\"n\":\(number)}\n\n".utf8))
        }

        private static func withNotes(_ body: (MongoCollection, Server) async throws -> Void) async throws {
            let (folder, server) = (try TemporaryFolder(), Server())
            let configuration = AppConfiguration(baseURL: "http://h", transport: server)
            configuration.rootDirectory = URL(fileURLWithPath: folder.path)
            let app = App(id: "watch-" + UUID().uuidString, configuration: configuration)
            let user = try await app.login(credentials: .userAPIKey("k"))
            try await body(user.mongoClient("m").database(named: "d").collection(withName: "Note"), server)
        }

        private static func eventually(_ text: String, _ holds: () -> Bool) async throws {
            for _ in 0..<12_000 where !holds() { try await Task.sleep(for: .milliseconds(10)) }
            try #require(holds(), "\(text)")
        }

        @Test func changesArePublishedUntilTheSubscriptionIsCancelled() async throws {
            try await Self.withNotes { notes, server in
                let (numbers, opened) = (Locked<[AnyBSON?]>([]), Locked(0))
                let subscription = notes.watch(matchFilter: ["fullDocument.count": 1])
                    .onOpen { opened.withLock { $0 += 1 } }
                    .sink(receiveCompletion: { _ in }) { event in
                        numbers.withLock { $0.append(event.documentValue?["n"] ?? nil) }
                    }
                try await Self.eventually("the stream opens") { opened.withLock { $0 } == 1 }
                #expect(server.streams.withLock { $0.count } == 1)
                server.send(Self.event(1), Self.event(2))
                try await Self.eventually("two events") { numbers.withLock { $0.count } == 2 }
                subscription.cancel()
                try await Self.eventually("the stream is closed") { server.cancelled.withLock { $0 } == 1 }
                server.send(Self.event(3))
                #expect(numbers.withLock { $0 } == [.int32(1), .int32(2)])
            }
        }

        @Test func theEndOfAStreamIsPublishedOnItsScheduler() async throws {
            try await Self.withNotes { notes, server in
                let queue = DispatchQueue(label: "watch")
                let key = DispatchSpecificKey<Bool>()
                queue.setSpecific(key: key, value: true)
                let (log, opened) = (Locked<[String]>([]), Locked(false))
                #if canImport(Darwin)
                    let scheduler = queue
                #else
                    let scheduler = queue.ocombine
                #endif
                let subscription = notes.watch(filterIds: []).subscribe(on: scheduler)
                    .onOpen { opened.withLock { $0 = DispatchQueue.getSpecific(key: key) == true } }
                    .sink { completion in
                        let isFailure = if case .failure = completion { true } else { false }
                        let isOnQueue = DispatchQueue.getSpecific(key: key) == true
                        log.withLock { $0.append("\(isFailure ? "failure" : "end") \(isOnQueue)") }
                    } receiveValue: { _ in
                        log.withLock { $0.append("event \(DispatchQueue.getSpecific(key: key) == true)") }
                    }
                try await Self.eventually("the stream opens on the queue") { opened.withLock { $0 } }
                server.send(Self.event(1), .data(Data("event: error\ndata: {\"error\":\"no\"}\n\n".utf8)))
                try await Self.eventually("the failure") { log.withLock { $0.count } == 2 }
                #expect(log.withLock { $0 } == ["event true", "failure true"])
                withExtendedLifetime(subscription) {}
            }
        }

        @Test func eachSubscriptionHasAStream() async throws {
            try await Self.withNotes { notes, server in
                let count = Locked(0)
                let publisher = notes.watch()
                let first = publisher.sink(receiveCompletion: { _ in }) { _ in count.withLock { $0 += 1 } }
                let second = publisher.sink(receiveCompletion: { _ in }) { _ in count.withLock { $0 += 1 } }
                try await Self.eventually("two streams") { server.streams.withLock { $0.count } == 2 }
                for stream in server.streams.withLock({ $0 }) { stream.events(Self.event(1)) }
                try await Self.eventually("two events") { count.withLock { $0 } == 2 }
                withExtendedLifetime((first, second)) {}
            }
        }
    }
#endif
