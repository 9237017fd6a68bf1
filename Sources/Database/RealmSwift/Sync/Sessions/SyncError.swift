// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// An error in the synchronisation of a file. It is passed to ``SyncManager/errorHandler``.
public struct SyncError: Error, Hashable, Sendable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// The kind of synchronisation error. Raw values are those of Realm's SDK.
    public enum Code: Int, Sendable, CaseIterable {
        /// The session encountered an error.
        case clientSessionError = 4
        /// The user can't synchronise.
        case clientUserError = 5
        /// The client encountered an internal error.
        case clientInternalError = 6
        /// The file requires a client reset.
        case clientResetError = 7
        /// The user couldn't be authenticated.
        case underlyingAuthError = 8
        /// The user isn't permitted to read or write the data.
        case permissionDeniedError = 9
        /// The subscriptions aren't valid.
        case invalidFlexibleSyncSubscriptions = 10
        /// The server reverted writes.
        case writeRejected = 11
        /// The server can't be reached.
        case connectionFailed = 12
        /// The server's certificate wasn't accepted.
        case tlsHandshakeFailed = 13
        /// A warning from the server.
        case serverWarning = 14

        /// Returns whether an error has this code, so that `catch SyncError.connectionFailed` matches.
        public static func ~= (pattern: Code, error: any Error) -> Bool { (error as? SyncError)?.code == pattern }
    }

    /// The kind of error.
    public let code: Code
    /// The values of `userInfo`, of any type, are stored in a Foundation error.
    private let foundation: NSError
    private let token: ActionToken?

    /// Creates an error; `userInfo` uses Foundation's keys.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo: userInfo, token: nil)
    }

    package init(_ code: Code, userInfo: [String: Any], token: ActionToken?) {
        self.code = code
        self.token = token
        foundation = NSError(domain: SyncError.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Details of the error, by Foundation's keys.
    public var userInfo: [String: Any] { foundation.userInfo }
    /// The URL of the server's log, which has further details.
    public var serverLogURL: URL? { (userInfo[RLMServerLogURLKey] as? String).flatMap { URL(string: $0) } }
    /// The writes that the server reverted.
    public var compensatingWriteInfo: [CompensatingWriteInfo]? {
        userInfo[SyncError.compensatingWritesKey] as? [CompensatingWriteInfo]
    }

    /// Returns, for `.clientResetError`, the path of the file's copy, and a token for
    /// ``SyncSession/immediatelyHandleError(_:)``, which resets the file immediately; `nil` for other errors.
    public func clientResetInfo() -> (String, ActionToken)? {
        guard code == .clientResetError, let token, let path = userInfo[SyncError.recoveredPathKey] as? String else {
            return nil
        }
        return (path, token)
    }

    /// Returns, for `.permissionDeniedError`, a token for ``SyncSession/immediatelyHandleError(_:)``, which deletes the
    /// file immediately; `nil` for other errors.
    public func deleteRealmUserInfo() -> ActionToken? { code == .permissionDeniedError ? token : nil }

    package static let recoveredPathKey = "Recovered Realm Location Path"
    package static let compensatingWritesKey = "Compensating Write Info"

    /// The domain of synchronisation errors, equal to that of Realm's SDK.
    public static var errorDomain: String { "io.realm.sync" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)" }
    public var description: String { errorDescription ?? "\(code)" }

    /// Returns whether both errors have the same code.
    public static func == (a: SyncError, b: SyncError) -> Bool { a.code == b.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The action that an error requires. It runs at the next start of the program unless you run it earlier. A token
    /// can be used once.
    public final class ActionToken: Sendable {
        private let action: Locked<Action?>

        private struct Action {
            var call: @Sendable () -> Void
        }

        package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(Action(call: action)) }

        func act() { action.withLock { $0.take() }?.call() }
    }
}

/// Codes as static members, for `catch SyncError.connectionFailed`.
extension SyncError {
    /// The session encountered an error.
    public static let clientSessionError = Code.clientSessionError
    /// The user can't synchronise.
    public static let clientUserError = Code.clientUserError
    /// The client encountered an internal error.
    public static let clientInternalError = Code.clientInternalError
    /// The file requires a client reset.
    public static let clientResetError = Code.clientResetError
    /// The user couldn't be authenticated.
    public static let underlyingAuthError = Code.underlyingAuthError
    /// The user isn't permitted to read or write the data.
    public static let permissionDeniedError = Code.permissionDeniedError
    /// The subscriptions aren't valid.
    public static let invalidFlexibleSyncSubscriptions = Code.invalidFlexibleSyncSubscriptions
    /// The server reverted writes.
    public static let writeRejected = Code.writeRejected
    /// The server can't be reached.
    public static let connectionFailed = Code.connectionFailed
    /// The server's certificate wasn't accepted.
    public static let tlsHandshakeFailed = Code.tlsHandshakeFailed
    /// A warning from the server.
    public static let serverWarning = Code.serverWarning
}

/// A write that the server reverted.
public struct CompensatingWriteInfo: Sendable {
    /// The class of the object.
    public let objectType: String
    /// The reason given by the server.
    public let reason: String
    private let key: KeyHolder

    package init(objectType: String, reason: String, primaryKey: AnyRealmValue) {
        self.objectType = objectType
        self.reason = reason
        key = KeyHolder(value: primaryKey)
    }

    /// The primary key of the object.
    public var primaryKey: AnyRealmValue { key.value }

    /// A primary key is a plain value, never an object, and doesn't change, so an immutable copy may be shared.
    private struct KeyHolder: @unchecked Sendable {
        let value: AnyRealmValue
    }
}
