// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// A user of an ``App``: logged in, with the tokens that its requests and synchronised Realms need, or logged out.
///
/// There is one instance for each user of an app. A token that the server does not take any more is renewed by itself;
/// if the server refuses that, the user is logged out. Usable from any thread.
public final class User: Sendable {
    /// What the server calls the user.
    public let id: String
    /// The app of the user.
    let app: App
    private let stored: Locked<UserRecord>
    private let saving = Locked(())
    private let renewal = OngoingWork<Void>()
    private let changes = ChangeListeners<User>()
    private let knownConnection = Locked(Weak<SyncConnection>(object: nil))

    init(_ record: UserRecord, of app: App) {
        id = record.identity
        self.app = app
        stored = Locked(record)
    }

    var record: UserRecord { stored.withLock { $0 } }

    // MARK: What it is

    /// The accounts of the user.
    public var identities: [UserIdentity] { record.identities }
    /// What new access tokens are got with; nil if the user is logged out.
    public var refreshToken: String? { record.refreshToken.isEmpty ? nil : record.refreshToken }
    /// What requests are admitted with; nil if the user is logged out.
    public var accessToken: String? { record.accessToken.isEmpty ? nil : record.accessToken }
    /// Whether the user is logged in, logged out, or removed.
    public var state: UserState { record.state }
    /// Whether the user is logged in.
    public var isLoggedIn: Bool { state == .loggedIn }
    /// What the server knew of the user when it logged in.
    public var profile: UserProfile {
        UserProfile(Document(json: try? JSON(parsing: record.profile)) ?? [:])
    }
    /// What the server keeps for the user: as the access token has it, so as old as that. See `refreshCustomData()`.
    public var customData: Document { Document(json: Token(record.accessToken)?.userData) ?? [:] }
    /// The keys that the user logs in with from elsewhere.
    public var apiKeysAuth: APIKeyAuth { APIKeyAuth(self) }
    /// The functions of the server.
    public var functions: Functions { Functions(self) }

    /// The connection that the user's files are synchronised by: one for all that are open.
    var connection: SyncConnection {
        knownConnection.withLock { known in
            if let connection = known.object { return connection }
            let connection = SyncConnection(self, linkedTransport())
            known = Weak(object: connection)
            return connection
        }
    }

    // MARK: Changing

    /// Changes what is known of the user, and keeps it.
    func change(_ body: (inout UserRecord) throws -> Void) rethrows {
        let (before, after) = try stored.withLock { record in
            let before = record
            try body(&record)
            return (before, record)
        }
        // What is saved last is the newest, whichever thread gets here first.
        saving.withLock { _ in app.store.save(record) }
        changes.tell(self)
        if before.state != after.state { app.tellOfChange() }
    }

    /// Tells `function` after each change, until what is returned is called.
    package func subscribe(_ function: @escaping @Sendable (User) -> Void) -> @Sendable () -> Void {
        changes.add(function)
    }

    /// Takes the tokens away; an anonymous user, which could not come back, is removed.
    func endLocally(isRemoved: Bool = false) {
        let isRemoved = isRemoved || record.isAnonymous
        change { $0 = $0.ended(isRemoved ? .removed : .loggedOut) }
        if isRemoved { app.forget(self) }
    }

    /// Logs the user out because the server refuses its refresh token. The sessions of its files report that.
    private func endRefused(_ error: AppError) {
        let lost = SyncError(.clientUserError, text: "The user is not logged in any more: \(error)")
        for file in SynchronisedFiles.all(of: self) { file.userWasRefused(lost) }
        endLocally()
    }

    // MARK: Requests

    /// Sends a request with one of the tokens.
    ///
    /// An access token that is refused is renewed, once. A refresh token that is refused logs the user out.
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
        case .access:
            do {
                return try await app.client.send(request, token: record.accessToken)
            } catch let error as AppError where error.httpStatusCode == 401 {
                // Another request may have renewed the token in the meantime.
                if self.record.accessToken == record.accessToken { try await renewAccessToken() }
                return try await app.client.send(request, token: self.record.accessToken)
            }
        }
    }

    private var loggedOutError: AppError {
        AppError(.invalidSession, "The user '\(id)' is not logged in to the app '\(app.appId)'.")
    }

    /// Gets a new access token, once for all who ask for one at the same time. The user is logged out if the
    /// server refuses that (§1.7).
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
                    // A log-out in the meantime counts.
                    if current.refreshToken == record.refreshToken { try current.take(accessToken: json) }
                }
            } catch let error as AppError where error.httpStatusCode == 401 || error.httpStatusCode == 403 {
                if self.record.refreshToken == record.refreshToken { self.endRefused(error) }
                throw error
            }
        }
    }

    // MARK: Linking

    /// Gives the user one more account to log in with. An anonymous user becomes a lasting one and keeps its data.
    ///
    /// - Returns: The same user.
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

    // MARK: Leaving

    /// Logs the user out: its tokens are gone from this device at once, whatever becomes of the request to the server.
    /// An anonymous user is removed.
    ///
    /// - Throws: `AppError` if the server could not be told.
    public func logOut() async throws {
        guard let token = refreshToken, isLoggedIn else { return }
        endLocally()
        try await endSession(token)
    }

    /// Logs the user out and forgets it. Its files are deleted when the app is made next.
    ///
    /// - Throws: `AppError` if the server could not be told.
    public func remove() async throws {
        let token = isLoggedIn ? refreshToken : nil
        guard state != .removed else { return }
        endLocally(isRemoved: true)
        if let token { try await endSession(token) }
    }

    /// Deletes the account on the server, and forgets the user as `remove()` does.
    ///
    /// - Throws: `AppError`; then nothing was changed.
    public func delete() async throws {
        try await send(.deleteUser)
        endLocally(isRemoved: true)
    }

    /// Tells the server that a refresh token is needed no more.
    private func endSession(_ token: String) async throws {
        do {
            _ = try await app.client.send(.logOut, token: token)
        } catch let error as AppError where error.httpStatusCode == 401 {
            // The server has ended the session already.
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

    /// Asks the server for what it keeps for the user now. A refusal is only reported: the user stays logged in.
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

    /// Asks for the custom data as `refreshCustomData()` does, and calls `completion` on any thread, with the plain
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
    /// The class and the id of the user.
    public var description: String { "<RLMUser: \(id)>" }
}

extension User: Hashable {
    /// Whether both are the same user of the same app.
    public static func == (lhs: User, rhs: User) -> Bool { lhs.id.isIdentical(to: rhs.id) && lhs.app === rhs.app }

    public func hash(into hasher: inout Hasher) { hasher.combine(ByteText(id)) }
}

extension Document {
    /// The values themselves, by name. Numbers are `NSNumber`s, which can be cast to any type of number.
    package var plainValues: [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        for (name, value) in self { values[name] = (value ?? .null).boxedValue }
        return values
    }
}
