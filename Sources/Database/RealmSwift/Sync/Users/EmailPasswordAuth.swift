// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// Receives the error of a request, or nil.
public typealias EmailPasswordAuthOptionalErrorBlock = @Sendable (Error?) -> Void

/// Registers users that log in with an address and a password, and gives them new passwords. Usable from any thread.
public struct EmailPasswordAuth: Sendable {
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    private func send(_ operation: String, _ body: JSON) async throws {
        _ = try await client.send(.password(operation, body))
    }

    /// Makes an account. The server may want the address to be confirmed before its user can log in.
    ///
    /// - Throws: `AppError`.
    public func registerUser(email: String, password: String) async throws {
        try await send("register", ["email": .string(email), "password": .string(password)])
    }

    /// Confirms an address, with what the server has sent there.
    ///
    /// - Throws: `AppError`.
    public func confirmUser(_ token: String, tokenId: String) async throws {
        try await send("confirm", ["token": .string(token), "tokenId": .string(tokenId)])
    }

    /// Has the server send the message again by which an address is confirmed.
    ///
    /// - Throws: `AppError`.
    public func resendConfirmationEmail(_ email: String) async throws {
        try await send("confirm/send", ["email": .string(email)])
    }

    /// Has the server run its own function again by which an address is confirmed.
    ///
    /// - Throws: `AppError`.
    public func retryCustomConfirmation(_ email: String) async throws {
        try await send("confirm/call", ["email": .string(email)])
    }

    /// Has the server send a message by which a password can be reset.
    ///
    /// - Throws: `AppError`.
    public func sendResetPasswordEmail(_ email: String) async throws {
        try await send("reset/send", ["email": .string(email)])
    }

    /// Sets another password, with what the server has sent.
    ///
    /// - Throws: `AppError`.
    public func resetPassword(to password: String, token: String, tokenId: String) async throws {
        try await send(
            "reset", ["password": .string(password), "token": .string(token), "tokenId": .string(tokenId)])
    }

    /// Sets another password by the server's own function.
    ///
    /// - Throws: `AppError`.
    public func callResetPasswordFunction(email: String, password: String, args: [AnyBSON]) async throws {
        try await send(
            "reset/call",
            [
                "email": .string(email), "password": .string(password),
                "arguments": .array(args.map { ExtendedJSON($0).json }),
            ])
    }

    // MARK: With completion

    /// Makes an account as `registerUser(email:password:)` does, and calls `completion` on any thread.
    public func registerUser(
        email: String, password: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await registerUser(email: email, password: password) }
    }

    /// Confirms an address as `confirmUser(_:tokenId:)` does, and calls `completion` on any thread.
    public func confirmUser(
        _ token: String, tokenId: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await confirmUser(token, tokenId: tokenId) }
    }

    /// Asks for the message as `resendConfirmationEmail(_:)` does, and calls `completion` on any thread.
    public func resendConfirmationEmail(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await resendConfirmationEmail(email) }
    }

    /// Asks for the function as `retryCustomConfirmation(_:)` does, and calls `completion` on any thread.
    public func retryCustomConfirmation(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await retryCustomConfirmation(email) }
    }

    /// Asks for the message as `sendResetPasswordEmail(_:)` does, and calls `completion` on any thread.
    public func sendResetPasswordEmail(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await sendResetPasswordEmail(email) }
    }

    /// Sets another password as `resetPassword(to:token:tokenId:)` does, and calls `completion` on any thread.
    public func resetPassword(
        to password: String, token: String, tokenId: String,
        completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await resetPassword(to: password, token: token, tokenId: tokenId) }
    }

    /// Calls the function as `callResetPasswordFunction(email:password:args:)` does, and calls `completion` on any
    /// thread.
    public func callResetPasswordFunction(
        email: String, password: String, args: [AnyBSON],
        _ completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) {
            try await callResetPasswordFunction(email: email, password: password, args: args)
        }
    }
}
