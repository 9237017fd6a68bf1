// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

/// A function that receives the error of a request, or nil if it succeeded.
public typealias EmailPasswordAuthOptionalErrorBlock = @Sendable (Error?) -> Void

/// A client for registering users that log in with an email address and a password, and for resetting passwords. It can
/// be used from any thread.
public struct EmailPasswordAuth: Sendable {
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    private func send(_ operation: String, _ body: JSON) async throws {
        _ = try await client.send(.password(operation, body))
    }

    /// Creates an account. The server may require the address to be confirmed before its user can log in.
    ///
    /// - Throws: `AppError`.
    public func registerUser(email: String, password: String) async throws {
        try await send("register", ["email": .string(email), "password": .string(password)])
    }

    /// Confirms an email address with the token and id that the server sent to it.
    ///
    /// - Throws: `AppError`.
    public func confirmUser(_ token: String, tokenId: String) async throws {
        try await send("confirm", ["token": .string(token), "tokenId": .string(tokenId)])
    }

    /// Requests that the server send the confirmation message again.
    ///
    /// - Throws: `AppError`.
    public func resendConfirmationEmail(_ email: String) async throws {
        try await send("confirm/send", ["email": .string(email)])
    }

    /// Requests that the server call its confirmation function again.
    ///
    /// - Throws: `AppError`.
    public func retryCustomConfirmation(_ email: String) async throws {
        try await send("confirm/call", ["email": .string(email)])
    }

    /// Requests that the server send a message for resetting the password.
    ///
    /// - Throws: `AppError`.
    public func sendResetPasswordEmail(_ email: String) async throws {
        try await send("reset/send", ["email": .string(email)])
    }

    /// Sets a new password with the token and id that the server sent by email.
    ///
    /// - Throws: `AppError`.
    public func resetPassword(to password: String, token: String, tokenId: String) async throws {
        try await send(
            "reset", ["password": .string(password), "token": .string(token), "tokenId": .string(tokenId)])
    }

    /// Sets a new password by calling the server's reset function.
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

    // MARK: Completion handlers

    /// Creates an account as `registerUser(email:password:)` does, and calls `completion` on any thread.
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

    /// Requests the message as `resendConfirmationEmail(_:)` does, and calls `completion` on any thread.
    public func resendConfirmationEmail(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await resendConfirmationEmail(email) }
    }

    /// Runs the function as `retryCustomConfirmation(_:)` does, and calls `completion` on any thread.
    public func retryCustomConfirmation(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await retryCustomConfirmation(email) }
    }

    /// Requests the message as `sendResetPasswordEmail(_:)` does, and calls `completion` on any thread.
    public func sendResetPasswordEmail(
        _ email: String, completion: @escaping EmailPasswordAuthOptionalErrorBlock
    ) {
        completing(completion) { try await sendResetPasswordEmail(email) }
    }

    /// Sets a new password as `resetPassword(to:token:tokenId:)` does, and calls `completion` on any thread.
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
