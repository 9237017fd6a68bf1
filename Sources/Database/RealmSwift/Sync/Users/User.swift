// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage
import RealmSyncCore

/// A user of an ``App``. A logged-in user has the tokens that its requests and synchronised Realms require.
///
/// Each user of an app has one instance. An access token that the server rejects is renewed automatically; if the
/// server refuses to renew it, the user is logged out. A user can be used from any thread.
public final class User: Sendable {
    /// The server's identifier of the user.
    public let id: String
    let app: App
    private let stored: Locked<UserRecord>
    private let saving = Locked(())
    private let renewal = OngoingWork<Void>()
    private let changes = ChangeListeners<User>()
    /// The queue of the user's connections. A file can change between them (§5.8).
    let sessionQueue = DispatchQueue(label: "regnum.synchronisation")
    /// The queue of the program's callbacks, which may be slow, and may use synchronised Realms.
    let callbackQueue = DispatchQueue(label: "regnum.synchronisation.callbacks")
    private let knownConnections = Locked<[SyncMode: Weak<SyncConnection>]>([:])

    init(_ record: UserRecord, of app: App) {
        id = record.identity
        self.app = app
        stored = Locked(record)
    }

    var record: UserRecord { stored.withLock { $0 } }

    // MARK: Properties

    /// The accounts of the user.
    public var identities: [UserIdentity] { record.identities }
    /// The token with which new access tokens are requested; `nil` if the user is logged out.
    public var refreshToken: String? { record.refreshToken.isEmpty ? nil : record.refreshToken }
    /// The token that authorises requests; `nil` if the user is logged out.
    public var accessToken: String? { record.accessToken.isEmpty ? nil : record.accessToken }
    /// The state of the user: logged in, logged out, or removed.
    public var state: UserState { record.state }
    /// A Boolean value that indicates whether the user is logged in.
    public var isLoggedIn: Bool { state == .loggedIn }
    /// The server's data about the user, as of the last log-in.
    public var profile: UserProfile {
        UserProfile(Document(json: try? JSON(parsing: record.profile)) ?? [:])
    }
    /// The custom data that the server stores for the user, as contained in the current access token. To update it,
    /// call `refreshCustomData()`.
    public var customData: Document { Document(json: Token(record.accessToken)?.userData) ?? [:] }
    /// A client for managing the user's API keys.
    public var apiKeysAuth: APIKeyAuth { APIKeyAuth(self) }
    /// The functions of the server.
    public var functions: Functions { Functions(self) }

    /// Returns the user's connection for partitions or for subscriptions. The sub-protocols of the two differ.
    func connection(_ mode: SyncMode) -> SyncConnection {
        knownConnections.withLock { known in
            if let connection = known[mode]?.object { return connection }
            let connection = SyncConnection(self, linkedTransport(), mode)
            known[mode] = Weak(object: connection)
            return connection
        }
    }

    /// Replaces the connection that sessions use from now on.
    func use(_ connection: SyncConnection, _ mode: SyncMode) {
        knownConnections.withLock { $0[mode] = Weak(object: connection) }
    }

    // MARK: Changes

    func change(_ body: (inout UserRecord) throws -> Void) rethrows {
        let (before, after) = try stored.withLock { record in
            let before = record
            try body(&record)
            return (before, record)
        }
        // The last save writes the newest state, whichever thread it runs on.
        saving.withLock { _ in app.store.save(record) }
        changes.notify(self)
        if before.state != after.state { app.notifyOfChange() }
    }

    package func subscribe(_ function: @escaping @Sendable (User) -> Void) -> @Sendable () -> Void {
        changes.add(function)
    }

    /// Removes the tokens. An anonymous user is removed, because it can't log in again.
    func endLocally(isRemoved: Bool = false) {
        let isRemoved = isRemoved || record.isAnonymous
        change { $0 = $0.ended(isRemoved ? .removed : .loggedOut) }
        if isRemoved { app.forget(self) }
    }

    /// Logs the user out because the server rejected its refresh token. The sessions of its files report the error.
    private func endRefused(_ error: AppError) {
        let lost = SyncError(.clientUserError, text: "The user is no longer logged in: \(error)")
        for file in SynchronisedFiles.all(of: self) { file.userWasRefused(lost) }
        endLocally()
    }

    // MARK: Requests

    /// Sends a request with one of the tokens.
    ///
    /// An access token that the server rejects is renewed once. If the server rejects the refresh token, the user is
    /// logged out.
    ///
    /// - Throws: `AppError`.
    @discardableResult
    func send(_ request: AppRequest) async throws -> RLMResponse {
        let record = self.record
        guard record.state == .loggedIn else { throw loggedOutError }
        switch request.authorization {
        case .refresh:
            do {
                return try await app.client.send(request, token: record.refreshToken)
            } catch let error as AppError where error.httpStatusCode == 401 {
                endRefused(error)
                throw error
            }
        case .access: return try await withAccessToken { try await app.client.send(request, token: $0) }
        }
    }

    /// Sends a streaming function call, like `send`. Calls `onOpen` when the server has opened the stream.
    func stream(
        _ request: AppRequest, _ onOpen: @escaping @Sendable () -> Void
    ) async throws -> AsyncThrowingStream<[UInt8], any Error> {
        try await withAccessToken { try await app.client.stream(request, token: $0, onOpen) }
    }

    /// Calls `body` with the access token, and again with a new one if the server rejects the token.
    private func withAccessToken<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let record = self.record
        guard record.state == .loggedIn else { throw loggedOutError }
        do {
            return try await body(record.accessToken)
        } catch let error as AppError where error.httpStatusCode == 401 {
            // Another request may have renewed the token in the meantime.
            if self.record.accessToken == record.accessToken { try await renewAccessToken() }
            return try await body(self.record.accessToken)
        }
    }

    private var loggedOutError: AppError {
        AppError(.invalidSession, "The user '\(id)' is not logged in to the app '\(app.appId)'.")
    }

    /// Concurrent callers share one request. If the server refuses, the user is logged out (§1.7).
    ///
    /// - Throws: `AppError`.
    func renewAccessToken() async throws {
        try await renewal.value {
            let record = self.record
            guard record.state == .loggedIn else { throw self.loggedOutError }
            do {
                let answer = try await self.app.client.send(.newAccessToken, token: record.refreshToken)
                let json = try JSON(answer: answer)
                try self.change { current in
                    // The user may have been logged out in the meantime.
                    if current.refreshToken == record.refreshToken { try current.take(accessToken: json) }
                }
            } catch let error as AppError where error.httpStatusCode == 401 || error.httpStatusCode == 403 {
                if self.record.refreshToken == record.refreshToken { self.endRefused(error) }
                throw error
            }
        }
    }

    // MARK: Linked accounts

    /// Links another account to the user, who can then also log in with it. An anonymous user becomes permanent and
    /// retains its data.
    ///
    /// - Returns: This user.
    /// - Throws: `AppError`.
    @discardableResult
    public func linkUser(credentials: Credentials) async throws -> User {
        let answer = try await send(
            .login(credentials, device: DeviceInformation.json(appId: app.appId), isLink: true))
        let json = try JSON(answer: answer)
        try change { try $0.take(accessToken: json) }
        let profile = try JSON(answer: try await send(.profile))
        try change { try $0.take(profile: profile) }
        return self
    }

    /// Links an account as `linkUser(credentials:)` does, and calls `completion` on any thread.
    @preconcurrency public func linkUser(
        credentials: Credentials, _ completion: @Sendable @escaping (Result<User, Error>) -> Void
    ) {
        completing(completion) { try await self.linkUser(credentials: credentials) }
    }

    // MARK: Log-out and removal

    /// Logs the user out. Its tokens are removed from this device immediately, even if the request to the server fails.
    /// An anonymous user is removed.
    ///
    /// - Throws: `AppError` if the request to the server failed.
    public func logOut() async throws {
        guard let token = refreshToken, isLoggedIn else { return }
        endLocally()
        try await endSession(token)
    }

    /// Logs the user out and removes it. Its files are deleted the next time the app is created.
    ///
    /// - Throws: `AppError` if the request to the server failed.
    public func remove() async throws {
        let token = isLoggedIn ? refreshToken : nil
        guard state != .removed else { return }
        endLocally(isRemoved: true)
        if let token { try await endSession(token) }
    }

    /// Deletes the account on the server, and removes the user as `remove()` does.
    ///
    /// - Throws: `AppError`. In this case nothing is changed.
    public func delete() async throws {
        try await send(.deleteUser)
        endLocally(isRemoved: true)
    }

    private func endSession(_ token: String) async throws {
        do {
            _ = try await app.client.send(.logOut, token: token)
        } catch let error as AppError where error.httpStatusCode == 401 {
            // The server has already ended the session.
        }
    }

    /// Logs the user out as `logOut()` does, and calls `completion` on any thread.
    public func logOut(completion: @Sendable @escaping (Error?) -> Void) {
        completing(completion) { try await self.logOut() }
    }

    /// Removes the user as `remove()` does, and calls `completion` on any thread.
    public func remove(completion: @Sendable @escaping (Error?) -> Void) {
        completing(completion) { try await self.remove() }
    }

    /// Deletes the user as `delete()` does, and calls `completion` on any thread.
    public func delete(completion: @Sendable @escaping (Error?) -> Void) {
        completing(completion) { try await self.delete() }
    }

    // MARK: Custom data

    /// Fetches the user's current custom data from the server. If the server refuses, the user stays logged in.
    ///
    /// - Throws: `AppError`.
    @discardableResult
    public func refreshCustomData() async throws -> Document {
        guard isLoggedIn, let token = refreshToken else { throw loggedOutError }
        let json = try JSON(answer: try await app.client.send(.newAccessToken, token: token))
        try change { record in
            if record.refreshToken == token { try record.take(accessToken: json) }
        }
        return customData
    }

    /// Fetches the custom data as `refreshCustomData()` does, and calls `completion` on any thread, with the plain
    /// values of the document.
    @preconcurrency public func refreshCustomData(
        _ completion: @escaping @Sendable (Result<[AnyHashable: Any], Error>) -> Void
    ) {
        Task {
            do { completion(.success((try await self.refreshCustomData()).plainValues)) } catch {
                completion(.failure(error))
            }
        }
    }
}

extension User: CustomStringConvertible {
    /// A textual representation with the id of the user.
    public var description: String { "<RLMUser: \(id)>" }
}

extension User: Hashable {
    /// Returns whether both are the same user of the same app.
    public static func == (lhs: User, rhs: User) -> Bool { lhs.id.isIdentical(to: rhs.id) && lhs.app === rhs.app }

    public func hash(into hasher: inout Hasher) { hasher.combine(ByteText(id)) }
}

extension Document {
    /// The associated values, by name. Numbers are `NSNumber`s, which can be cast to any numeric type.
    package var plainValues: [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        for (name, value) in self { values[name] = (value ?? .null).boxedValue }
        return values
    }
}
