// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client for registering devices for a service's push messages. It can be used from any thread.
public struct PushClient: Sendable {
    private let service: String

    init(_ service: String) { self.service = service }

    /// Registers this device for push messages to the user.
    ///
    /// - Throws: `AppError`.
    public func registerDevice(token: String, user: User) async throws {
        try await user.send(
            .pushRegistration(.put, service: service, body: ["registrationToken": .string(token)]))
    }

    /// Deregisters the user's devices.
    ///
    /// - Throws: `AppError`.
    public func deregisterDevice(user: User) async throws {
        try await user.send(.pushRegistration(.delete, service: service))
    }

    /// Registers the device as `registerDevice(token:user:)` does, and calls `completion` on any thread.
    public func registerDevice(token: String, user: User, completion: @escaping @Sendable (Error?) -> Void) {
        completing(completion) { try await registerDevice(token: token, user: user) }
    }

    /// Deregisters the devices as `deregisterDevice(user:)` does, and calls `completion` on any thread.
    public func deregisterDevice(user: User, completion: @escaping @Sendable (Error?) -> Void) {
        completing(completion) { try await deregisterDevice(user: user) }
    }
}
