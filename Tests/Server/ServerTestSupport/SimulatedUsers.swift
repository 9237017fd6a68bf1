// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import HTTPServing
    import Logging
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport

    /// The users of a simulated app with their accounts, their rights by a file of rules or a hook, and the HTTP API
    /// with which they read and change documents, without sockets.
    ///
    /// The API is asynchronous. The simulation waits for each of its steps, so that the seed determines everything.
    final class SimulatedUsers {
        private static let app = "flexible"

        private struct User {
            let id: String
            let token: String
            var data = SimulatedUserData()
            var hook: SimulatedHook?
        }

        private struct Settings: Sendable {
            var rules: RoleRules
            var hooks: [String: DocumentAccess] = [:]
        }

        private enum Event: Sendable {
            case posted(DocumentEvent)
            case ended(HTTPResponse)
        }

        private var users: [User] = []
        private var rules = SimulatedRules()
        private let settings: NIOLockedValueBox<Settings>
        private let accounts: Accounts
        private let gate: PermissionGate
        private let events = Mailbox<Event>()

        /// - Parameter folder: An existing folder for the accounts.
        init(folder: String) throws {
            let settings = NIOLockedValueBox(
                Settings(rules: try RoleRules(json: SimulatedRules().text(app: SimulatedUsers.app))))
            var configuration = AccountsConfiguration(apps: [AppConfiguration(id: SimulatedUsers.app)])
            let limit = AccountsConfiguration.RateLimits.Limit(burst: 1_000_000, perMinute: 1_000_000)
            (configuration.limits.requests, configuration.limits.credentials) = (limit, limit)
            let log = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
            let accounts = try Mailbox.wait { [configuration] in
                try await Accounts(
                    in: folder, configuration, clock: AccountClock { 1_700_000_000_000 }, log: log)
            }
            let gate = PermissionGate(
                partitions: { _ in .write },
                documents: { context in
                    let settings = settings.withLockedValue { $0 }
                    return settings.hooks[context.user] ?? settings.rules.access(context)
                }, renew: { try await accounts.grant(renewing: $0) }, timeLimit: .seconds(3600), logger: log)
            (self.settings, self.accounts, self.gate) = (settings, accounts, gate)
            accounts.serve(
                DocumentCalls(
                    name: "mongodb-atlas",
                    access: EngineDocuments(clock: { 1_700_000_000 }) { [events] in events.put(.posted($0)) },
                    gate: gate, partitionKey: "_partition"))
            for _ in 0..<5 { users.append(try logIn()) }
        }

        private func logIn() throws -> User {
            let device: JSON = ["device": ["platform": "simulation"]]
            let response = try send("auth/providers/anon-user/login", ["provider": "anon-user", "options": device])
            guard let json = try? JSON(parsing: response.body), let id = json["user_id"]?.text,
                let token = json["access_token"]?.text
            else { throw Failure("a user can't log in: \(String(decoding: response.body, as: UTF8.self))") }
            return User(id: id, token: token)
        }

        // MARK: Rights

        var count: Int { users.count }

        /// Several clients have the same user.
        func index(ofClient client: Int) -> Int { client % users.count }

        func id(ofClient client: Int) -> String { users[index(ofClient: client)].id }

        func rights(ofUser index: Int) -> SimulatedRights {
            users[index].hook?.rights ?? rules.rights(of: users[index].data)
        }

        var description: String { rules.text(app: SimulatedUsers.app) }

        func describe(user index: Int) -> String {
            users[index].hook.map { "\($0.access)" } ?? "\(users[index].data.json) by \(description)"
        }

        /// Changes the rules, or the data or the hook of a user.
        func change(_ index: Int, _ generator: inout SeededGenerator) throws {
            switch generator.below(10) {
            case 0..<3: rules = generator.chance(20) ? SimulatedRules() : SimulatedRules(&generator)
            case 3..<7: try setData(SimulatedUserData(&generator), of: index)
            default: users[index].hook = users[index].hook == nil ? SimulatedHook(&generator) : nil
            }
            let changed = Settings(
                rules: try RoleRules(json: rules.text(app: SimulatedUsers.app)),
                hooks: Dictionary(
                    uniqueKeysWithValues: users.compactMap { user in user.hook.map { (user.id, $0.access) } }))
            settings.withLockedValue { $0 = changed }
        }

        private func setData(_ data: SimulatedUserData, of index: Int) throws {
            users[index].data = data
            let id = users[index].id
            try Mailbox.wait { [accounts] in
                try await ServerAccounts(accounts).setCustomData(data.json, of: id, in: SimulatedUsers.app)
            }
        }

        /// The rights that the server grants to each user at this time, by the id.
        func grantedRights() throws -> [String: UserRights] {
            let grants = users.map { AccessGrant(app: SimulatedUsers.app, user: $0.id, session: "", expiry: .max) }
            return try Mailbox.wait { [gate] in
                var rights: [String: UserRights] = [:]
                for grant in grants { rights[grant.user] = try await gate.rights(of: grant).get() }
                return rights
            }
        }

        // MARK: Requests

        enum Outcome {
            case ended(HTTPResponse)
            /// A change that isn't durable yet. Finish it, and then wait for the response.
            case pending(DocumentWork)
        }

        /// Sends a call of a collection's function, and performs its part on the documents, which must be durable.
        func call(
            _ index: Int, _ name: String, on className: Text, _ arguments: [ExtendedJSON.Member],
            _ documents: StoredPartition
        ) throws -> Outcome {
            let names = ["database": "any", "collection": className.string].sorted { $0.key < $1.key }
            let argument = ExtendedJSON.document(
                names.map { ExtendedJSON.Member($0.key, .string($0.value)) } + arguments)
            let body: JSON = [
                "name": .string(name), "service": "mongodb-atlas", "arguments": .array([argument.json]),
            ]
            start("functions/call", body, token: users[index].token)
            return try next(documents)
        }

        /// Returns the response to a change whose work is finished.
        func response() throws -> HTTPResponse {
            guard case .ended(let response) = try next(nil) else { throw Failure("a request makes two changes") }
            return response
        }

        private func next(_ documents: StoredPartition?) throws -> Outcome {
            while true {
                switch events.take() {
                case .ended(let response): return .ended(response)
                case .posted(.mode(_, let answer)): answer(.flexible)
                case .posted(.request(let work)):
                    guard let documents else { throw Failure("a finished request continues") }
                    work.run(on: documents)
                    if work.isChange { return .pending(work) }
                    work.finish()
                case .posted: throw Failure("an event that isn't of a request")
                }
            }
        }

        private func send(_ path: String, _ body: JSON) throws -> HTTPResponse {
            start(path, body, token: nil)
            return try response()
        }

        private func start(_ path: String, _ body: JSON, token: String?) {
            var headers = [(name: "Content-Type", value: "application/json")]
            if let token { headers.append(("Authorization", "Bearer \(token)")) }
            let request = HTTPRequest(
                method: "POST", path: "/api/client/v2.0/app/\(SimulatedUsers.app)/\(path)", headers: headers,
                body: Array(body.description.utf8), peer: "10.0.0.1")
            Task.detached { [accounts, events] in events.put(.ended(await accounts.respond(to: request))) }
        }
    }

    /// Values from tasks, for a thread that waits for them.
    private final class Mailbox<Value: Sendable>: Sendable {
        private let values = NIOLockedValueBox<[Value]>([])
        private let count = DispatchSemaphore(value: 0)

        func put(_ value: Value) {
            values.withLockedValue { $0.append(value) }
            count.signal()
        }

        func take() -> Value {
            count.wait()
            return values.withLockedValue { $0.removeFirst() }
        }
    }

    extension Mailbox {
        /// Returns the result of a task. Don't call this on a thread of the tasks.
        static func wait<Success>(
            _ body: @escaping @Sendable () async throws -> Success
        ) throws -> Success where Value == Result<Success, any Error> {
            let mailbox = Mailbox()
            Task.detached {
                do { mailbox.put(.success(try await body())) } catch { mailbox.put(.failure(error)) }
            }
            return try mailbox.take().get()
        }
    }
#endif
