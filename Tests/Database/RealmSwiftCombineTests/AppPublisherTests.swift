// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Foundation
    import RealmSwift
    import RealmSwiftCombine
    import RealmTestSupport
    import TestTraits
    import Testing

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
    #endif

    final class FutureNote: Object {
        @Persisted(primaryKey: true) var _id: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Publishers of apps and users.
    @Suite struct AppPublisherTests {
        /// A server that answers logins, profiles, renewals, and function calls. Other requests get an empty document.
        private struct Server: RLMNetworkTransport {
            func sendRequest(
                toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock
            ) {
                let claims = Data(#"{"exp":4102444800,"iat":1,"user_data":{"n":5}}"#.utf8).base64EncodedString()
                let token = "a." + claims.filter { $0 != "=" } + ".b"
                let headers = ["Content-Type": "application/json"]
                let body =
                    switch request.url.split(separator: "/").last {
                    case "location": #"{"hostname":"http://h","ws_hostname":"ws://h"}"#
                    case "login", "session": #"{"user_id":"u","access_token":"\#(token)","refresh_token":"\#(token)"}"#
                    case "profile": #"{"identities":[{"id":"i","provider_type":"api-key"}],"data":{}}"#
                    case "register": #"{"error":"no","error_code":"BadRequest"}"#
                    case "call": request.body
                    default: "{}"
                    }
                let status = request.url.hasSuffix("register") ? 400 : 200
                completion(RLMResponse(body: body, headers: headers, httpStatusCode: status))
            }
        }

        private func withApp(_ body: (App) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let configuration = AppConfiguration(baseURL: "http://h", transport: Server())
            configuration.rootDirectory = URL(fileURLWithPath: folder.path)
            try await body(App(id: "app-" + UUID().uuidString, configuration: configuration))
        }

        private func value<Value: Sendable>(of future: Future<Value, any Error>) async throws -> Value {
            nonisolated(unsafe) var held: AnyCancellable?
            defer { held?.cancel() }
            return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                held = future.sink(
                    receiveCompletion: { if case .failure(let error) = $0 { continuation.resume(throwing: error) } },
                    receiveValue: { continuation.resume(returning: $0) })
            }
        }

        @Test(.behaviour("T17")) func anotherServerIsPublished() async throws {
            try await withApp { app in
                try await value(of: app.updateBaseUrl(to: "http://other"))
                #expect(app.baseURL == "http://other")
            }
        }

        @Test(.behaviour("T17")) func anOpeningPublishesItsProgressAndItsRealm() async throws {
            let configuration = Realm.Configuration(inMemoryIdentifier: "T17 " + UUID().uuidString)
            nonisolated(unsafe) var held: AnyCancellable?
            defer { held?.cancel() }
            let isOpen = await withCheckedContinuation { continuation in
                held = Realm.asyncOpen(configuration: configuration)
                    .onProgressNotification { _ in }
                    .receive(on: DispatchQueue(label: "T17"))
                    .sink(
                        receiveCompletion: { if case .failure = $0 { continuation.resume(returning: false) } },
                        receiveValue: { realm in continuation.resume(returning: realm.isEmpty) })
            }
            #expect(isOpen)
        }

        @Test(.behaviour("W08")) func theStateOfAConnectionIsPublished() async throws {
            try await withApp { app in
                let user = try await app.login(credentials: .userAPIKey("key"))
                var configuration = user.configuration(partitionValue: "W8")
                configuration.objectTypes = []
                let (queue, opened) = (DispatchQueue(label: "W8"), configuration)
                nonisolated(unsafe) var realm: Realm?
                let session = try queue.sync { () -> SyncSession in
                    realm = try Realm(configuration: opened, queue: queue)
                    return try #require(realm?.syncSession)
                }
                nonisolated(unsafe) var held: AnyCancellable?
                defer {
                    held?.cancel()
                    queue.sync { realm = nil }
                }
                let states = await withCheckedContinuation { continuation in
                    // Called once at a time.
                    nonisolated(unsafe) var states: [SyncSession.ConnectionState] = []
                    held = session.publisher(for: \.connectionState, options: [.initial]).sink { state in
                        states.append(state)
                        if states.count == 3 { continuation.resume(returning: states) }
                    }
                }
                // No server is running, so attempts fail.
                #expect(states.contains(.connecting) && states.contains(.disconnected))
            }
        }

        @Test func futuresDeliverTheResultsOfTheCalls() async throws {
            try await withApp { app in
                let login: Future<User, any Error> = app.login(credentials: .userAPIKey("k"))
                let user = try await value(of: login)
                #expect(user.id == "u" && app.currentUser === user)
                let call: Future<AnyBSON, any Error> = user.functions.echo(1, "x")
                #expect(try await value(of: call) == ["arguments": [1, "x"], "name": "echo"])
                let register: Future<Void, any Error> = app.emailPasswordAuth.registerUser(email: "a", password: "b")
                await #expect(throws: AppError(.badRequest)) { try await value(of: register) }
                let logOut: Future<Void, any Error> = user.logOut()
                try await value(of: logOut)
                #expect(user.state == .loggedOut && app.currentUser == nil)
            }
        }

        @Test func anUpdateOfSubscriptionsIsAFuture() async throws {
            try await withApp { app in
                let user = try await app.login(credentials: .userAPIKey("k"))
                var configuration = user.flexibleSyncConfiguration()
                configuration.objectTypes = [FutureNote.self]
                let (queue, opened) = (DispatchQueue(label: "subscriptions"), configuration)
                nonisolated(unsafe) var realm: Realm?
                defer {
                    queue.sync {
                        withExtendedLifetime(realm) {}
                        realm = nil
                    }
                }
                let update = try queue.sync { () -> Future<Void, any Error> in
                    let new = try Realm(configuration: opened, queue: queue)
                    let subscriptions = new.subscriptions
                    let update = subscriptions.updateSubscriptions {
                        subscriptions.append(QuerySubscription<FutureNote>(name: "all"))
                    }
                    #expect(subscriptions.first?.name == "all" && subscriptions.state == .pending)
                    realm = new
                    return update
                }
                // No server answers, so the log-out ends the wait.
                try await user.logOut()
                await #expect(throws: (any Error).self) { try await value(of: update) }
            }
        }

        @Test func customDataArePublished() async throws {
            try await withApp { app in
                let user = try await app.login(credentials: .userAPIKey("k"))
                let data: Future<[AnyHashable: Any], any Error> = user.refreshCustomData()
                var held: AnyCancellable?
                let number = try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Int32?, any Error>) in
                    held = data.map { $0["n"] as? Int32 }.sink(
                        receiveCompletion: {
                            if case .failure(let error) = $0 { continuation.resume(throwing: error) }
                        },
                        receiveValue: { continuation.resume(returning: $0) })
                }
                withExtendedLifetime(held) { #expect(number == 5) }
            }
        }

        @Test func changesArePublishedUntilTheyAreCancelled() async throws {
            try await withApp { app in
                nonisolated(unsafe) var log: [String] = []
                let apps = app.objectWillChange.sink { app in log.append("app " + (app.currentUser?.id ?? "none")) }
                let user = try await app.login(credentials: .userAPIKey("k"))
                #expect(log.last == "app u")
                let users = user.objectWillChange.sink { log.append("user \($0.state)") }
                try await user.logOut()
                #expect(log.suffix(2) == ["user loggedOut", "app none"])
                apps.cancel()
                users.cancel()
                let count = log.count
                _ = try await app.login(credentials: .userAPIKey("k"))
                #expect(log.count == count)
            }
        }
    }
#endif
