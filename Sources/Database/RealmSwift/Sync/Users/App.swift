// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSyncCore

/// An app of App Services or of your own server. It provides the app's users and functions.
///
/// ```swift
/// let app = App(id: "chat", configuration: AppConfiguration(baseURL: "http://127.0.0.1:9090"))
/// let user = try await app.login(credentials: .anonymous)
/// let sum = try await user.functions.sum(1, 2)
/// ```
///
/// Each id has one instance, which exists until the program ends. Users and their tokens are saved on disk: a user that
/// has logged in once is available after the program restarts, even without a network connection. An app can be used
/// from any thread.
public final class App: Sendable {
    private struct Users {
        var known: [ByteText: User] = [:]
        var current: String?
    }

    private let id: String
    private let settings: AppConfiguration.Settings
    private let users = Locked(Users())
    private let saving = Locked(())
    let client: AppClient
    let store: UserStore
    private let changes = ChangeListeners<App>()

    /// The synchronisation settings of the app.
    public let syncManager: SyncManager

    init(id: String, settings: AppConfiguration.Settings) {
        self.id = id
        self.settings = settings
        client = AppClient(appId: id, settings: settings)
        store = UserStore(
            SyncFolder(root: settings.rootDirectory, appId: id), key: settings.metadataEncryptionKey)
        syncManager = SyncManager(timeouts: settings.syncTimeouts)
        store.executeNotes()
        let (records, current) = store.load()
        users.withLock { users in
            for record in records { users.known[ByteText(record.identity)] = User(record, of: self) }
            users.current = current
        }
    }

    // MARK: Instances

    private static let instances = Locked<[ByteText: App]>([:])

    /// `configuration` is used only if the instance is created.
    static func instance(_ id: String, _ configuration: AppConfiguration?) -> App {
        if id.isEmpty { throwRealmException("AppId cannot be an empty string") }
        return instances.withLock { instances in
            if let app = instances[ByteText(id)] { return app }
            let app = App(id: id, settings: configuration?.settings ?? AppConfiguration.Settings())
            instances[ByteText(id)] = app
            return app
        }
    }

    package static var known: [App] { instances.withLock { Array($0.values) } }

    /// Removes an instance, like the end of the program. For tests.
    package static func forgetInstance(_ id: String) {
        let app = instances.withLock { $0.removeValue(forKey: ByteText(id)) }
        app?.users.withLock { $0 = Users() }
    }

    // MARK: Properties

    /// The id by which the server identifies the app.
    public var appId: String { id }

    /// The URL of the server.
    public var baseURL: String { client.baseURL }

    /// A copy of the configuration with which the app was created.
    public var configuration: AppConfiguration {
        let configuration = AppConfiguration(settings)
        configuration.baseURL = client.baseURL
        return configuration
    }

    /// The users known on this device, by id, including those that are logged out.
    public var allUsers: [String: User] {
        Dictionary(users.withLock { $0.known.map { ($0.key.string, $0.value) } }) { first, _ in first }
    }

    private func knownUser(_ id: String) -> User? { users.withLock { $0.known[ByteText(id)] } }

    /// The user that most recently logged in or was switched to. If that user is logged out, another logged-in user;
    /// nil if there isn't one.
    public var currentUser: User? {
        users.withLock { users in
            if let current = users.current.flatMap({ users.known[ByteText($0)] }), current.isLoggedIn { return current }
            return users.known.values.filter(\.isLoggedIn).min { $0.id < $1.id }
        }
    }

    /// A client for registering users that log in with an email address and a password.
    public var emailPasswordAuth: EmailPasswordAuth { EmailPasswordAuth(client) }

    /// Returns a client for registering devices for a service's push messages.
    public func pushClient(serviceName: String) -> PushClient { PushClient(serviceName) }

    // MARK: Log-in

    /// Logs a user in and makes it the current user. Anonymous credentials return the anonymous user that is already
    /// logged in on this device, if there is one.
    ///
    /// - Throws: `AppError`.
    public func login(credentials: Credentials) async throws -> User {
        if case .anonymous = credentials, let user = anonymousUser {
            makeCurrent(user)
            return user
        }
        let answer = try await client.send(.login(credentials, device: DeviceInformation.json(appId: id)))
        let json = try JSON(answer: answer)
        guard let userId = json["user_id"]?.text, !userId.isEmpty else {
            throw AppError(.unknown, "The server's response to the login does not name a user.")
        }
        var record = knownUser(userId)?.record ?? UserRecord(identity: userId)
        try record.take(login: json)
        let profile = try await client.send(.profile, token: record.accessToken)
        try record.take(profile: try JSON(answer: profile))
        let user = keep(record)
        makeCurrent(user)
        return user
    }

    /// Logs a user in as `login(credentials:)` does, and calls `completion` on any thread.
    @preconcurrency public func login(
        credentials: Credentials, _ completion: @Sendable @escaping (Result<User, Error>) -> Void
    ) {
        completing(completion) { try await self.login(credentials: credentials) }
    }

    private var anonymousUser: User? {
        users.withLock { Array($0.known.values) }.filter { $0.isLoggedIn && $0.record.isAnonymous }.min {
            $0.id < $1.id
        }
    }

    private func keep(_ record: UserRecord) -> User {
        let user = users.withLock { users in
            let user = users.known[ByteText(record.identity)] ?? User(record, of: self)
            users.known[ByteText(record.identity)] = user
            return user
        }
        user.change { $0 = record }
        return user
    }

    private func makeCurrent(_ user: User) {
        users.withLock { $0.current = user.id }
        saveCurrent()
        changes.notify(self)
    }

    /// Makes a user the current user, and returns it.
    ///
    /// - Precondition: The user is logged in to this app.
    public func `switch`(to user: User) -> User {
        guard user.isLoggedIn, knownUser(user.id) === user else {
            throwRealmException("User '\(user.id)' is not logged in to the app '\(id)'.")
        }
        makeCurrent(user)
        return user
    }

    func forget(_ user: User) {
        let wasCurrent = users.withLock { users in
            users.known[ByteText(user.id)] = nil
            guard users.current?.isIdentical(to: user.id) == true else { return false }
            users.current = nil
            return true
        }
        if wasCurrent { saveCurrent() }
    }

    /// The last save writes the newest state, whichever thread it runs on.
    private func saveCurrent() {
        saving.withLock { _ in store.setCurrent(users.withLock { $0.current }) }
    }

    // MARK: Changes

    /// Calls `function` after each login, log-out and switch, until the returned function is called.
    package func subscribe(_ function: @escaping @Sendable (App) -> Void) -> @Sendable () -> Void {
        changes.add(function)
    }

    func notifyOfChange() { changes.notify(self) }

    // MARK: Server

    /// Switches to another server; `nil` is the vendor's server. The server's location is fetched immediately, and
    /// nothing changes if that fails.
    ///
    /// - Throws: `AppError`.
    @_spi(RealmSwiftExperimental) public func updateBaseUrl(to url: String?) async throws {
        try await client.moveBase(to: url)
    }

    /// Switches to another server, as `updateBaseUrl(to:)` does, and calls `completion` on any thread.
    @_spi(RealmSwiftExperimental) public func updateBaseUrl(
        to url: String?, _ completion: @Sendable @escaping (Error?) -> Void
    ) {
        completing(completion) { try await self.client.moveBase(to: url) }
    }

    /// Switches to another server, as `updateBaseUrl(to:)` does, and calls `completion` on any thread.
    @_spi(RealmSwiftExperimental) public func updateBaseUrl(
        to url: String?, _ completion: @Sendable @escaping (Result<Void, Error>) -> Void
    ) {
        completing(completion) { try await self.client.moveBase(to: url) }
    }
}

/// A protocol that gives `App` initialisers that return an existing instance. Only initialisers in a protocol extension
/// can do that. `App` is the only conforming type.
public protocol _CachedApp {}

extension App: _CachedApp {}

extension _CachedApp where Self == App {
    /// Returns the app with this id.
    ///
    /// - Precondition: The id is not empty.
    public init(id: String) { self = App.instance(id, nil) }

    /// Returns the app with this id. The configuration is used only for the first call with this id in the process.
    ///
    /// - Precondition: The id is not empty.
    public init(id: String, configuration: AppConfiguration?) { self = App.instance(id, configuration) }
}

func completing<Value: Sendable>(
    _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
    _ work: @escaping @Sendable () async throws -> Value
) {
    Task {
        do { completion(.success(try await work())) } catch { completion(.failure(error)) }
    }
}

func completing(
    _ completion: @escaping @Sendable ((any Error)?) -> Void, _ work: @escaping @Sendable () async throws -> Void
) {
    Task {
        do {
            try await work()
            completion(nil)
        } catch {
            completion(error)
        }
    }
}
