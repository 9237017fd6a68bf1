// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// A client for managing a user's API keys, with which the user logs in from other devices or programs
/// (``Credentials/userAPIKey(_:)``). It can be used from any thread.
public struct APIKeyAuth: Sendable {
    private let user: User

    init(_ user: User) { self.user = user }

    /// Creates a key. Only the key returned here contains the secret itself.
    ///
    /// - Throws: `AppError`.
    public func createAPIKey(named name: String) async throws -> UserAPIKey {
        try APIKeyAuth.key(try JSON(answer: try await user.send(.apiKeys(.post, body: ["name": .string(name)]))))
    }

    /// Returns the description of a key.
    ///
    /// - Throws: `AppError`: `.apiKeyNotFound` if the key doesn't exist.
    public func fetchAPIKey(_ objectId: ObjectId) async throws -> UserAPIKey {
        try APIKeyAuth.key(try JSON(answer: try await user.send(.apiKeys(.get, "/" + objectId.stringValue))))
    }

    /// Returns the descriptions of all keys of the user.
    ///
    /// - Throws: `AppError`.
    public func fetchAPIKeys() async throws -> [UserAPIKey] {
        let answer = try JSON(answer: try await user.send(.apiKeys(.get)))
        return try (answer.elements ?? []).map(APIKeyAuth.key)
    }

    /// Deletes a key permanently.
    ///
    /// - Throws: `AppError`.
    public func deleteAPIKey(_ objectId: ObjectId) async throws {
        try await user.send(.apiKeys(.delete, "/" + objectId.stringValue))
    }

    /// Enables a key again.
    ///
    /// - Throws: `AppError`.
    public func enableAPIKey(_ objectId: ObjectId) async throws {
        try await user.send(.apiKeys(.put, "/" + objectId.stringValue + "/enable"))
    }

    /// Disables a key until it is enabled again.
    ///
    /// - Throws: `AppError`.
    public func disableAPIKey(_ objectId: ObjectId) async throws {
        try await user.send(.apiKeys(.put, "/" + objectId.stringValue + "/disable"))
    }

    private static func key(_ json: JSON) throws -> UserAPIKey {
        guard let key = UserAPIKey(json) else {
            throw AppError(.unknown, "The server's response does not describe an API key.")
        }
        return key
    }

    // MARK: Completion handlers

    /// Creates a key as `createAPIKey(named:)` does, and calls `completion` on any thread.
    @preconcurrency public func createAPIKey(
        named name: String, completion: @escaping @Sendable (Result<UserAPIKey, Error>) -> Void
    ) {
        completing(completion) { try await createAPIKey(named: name) }
    }

    /// Fetches a key as `fetchAPIKey(_:)` does, and calls `completion` on any thread.
    @preconcurrency public func fetchAPIKey(
        _ objectId: ObjectId, _ completion: @escaping @Sendable (Result<UserAPIKey, Error>) -> Void
    ) {
        completing(completion) { try await fetchAPIKey(objectId) }
    }

    /// Fetches all keys as `fetchAPIKeys()` does, and calls `completion` on any thread.
    @preconcurrency public func fetchAPIKeys(
        _ completion: @escaping @Sendable (Result<[UserAPIKey], Error>) -> Void
    ) {
        completing(completion) { try await fetchAPIKeys() }
    }

    /// Deletes a key as `deleteAPIKey(_:)` does, and calls `completion` on any thread.
    public func deleteAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable (Error?) -> Void) {
        completing(completion) { try await deleteAPIKey(objectId) }
    }

    /// Enables a key as `enableAPIKey(_:)` does, and calls `completion` on any thread.
    public func enableAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable (Error?) -> Void) {
        completing(completion) { try await enableAPIKey(objectId) }
    }

    /// Disables a key as `disableAPIKey(_:)` does, and calls `completion` on any thread.
    public func disableAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable (Error?) -> Void) {
        completing(completion) { try await disableAPIKey(objectId) }
    }
}
