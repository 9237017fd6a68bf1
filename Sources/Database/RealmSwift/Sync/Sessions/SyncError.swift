// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// What went wrong with the synchronisation of a file: see ``SyncManager/errorHandler``.
public struct SyncError: Error, Hashable, Sendable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// What went wrong. The raw values are the original's.
    public enum Code: Int, Sendable, CaseIterable {
        /// The session met an error.
        case clientSessionError = 4
        /// The user cannot synchronise.
        case clientUserError = 5
        /// The client met an error of its own.
        case clientInternalError = 6
        /// The file has to be reset.
        case clientResetError = 7
        /// The user could not be authenticated.
        case underlyingAuthError = 8
        /// The user may not read or write the data.
        case permissionDeniedError = 9
        /// The subscriptions are not valid.
        case invalidFlexibleSyncSubscriptions = 10
        /// The server has undone writes.
        case writeRejected = 11
        /// The server cannot be reached.
        case connectionFailed = 12
        /// The server's certificate was not accepted.
        case tlsHandshakeFailed = 13
        /// The server had something to say.
        case serverWarning = 14

        /// Lets `catch SyncError.connectionFailed` match by code.
        public static func ~= (pattern: Code, error: any Error) -> Bool { (error as? SyncError)?.code == pattern }
    }

    /// What went wrong.
    public let code: Code
    /// As Foundation's error, which keeps the values of `userInfo` whatever their types.
    private let foundation: NSError
    private let token: ActionToken?

    /// Makes an error; `userInfo` has Foundation's keys.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo: userInfo, token: nil)
    }

    package init(_ code: Code, userInfo: [String: Any], token: ActionToken?) {
        self.code = code
        self.token = token
        foundation = NSError(domain: SyncError.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// What is known about the error.
    public var userInfo: [String: Any] { foundation.userInfo }
    /// Where the server's log tells more.
    public var serverLogURL: URL? { (userInfo[RLMServerLogURLKey] as? String).flatMap { URL(string: $0) } }
    /// The writes that the server has undone.
    public var compensatingWriteInfo: [CompensatingWriteInfo]? {
        userInfo[SyncError.compensatingWritesKey] as? [CompensatingWriteInfo]
    }

    /// Of `.clientResetError`: where the copy of the file will be, and what resets the file at once, by
    /// ``SyncSession/immediatelyHandleError(_:)``; nil for other errors.
    public func clientResetInfo() -> (String, ActionToken)? {
        guard code == .clientResetError, let token, let path = userInfo[SyncError.recoveredPathKey] as? String else {
            return nil
        }
        return (path, token)
    }

    /// Of `.permissionDeniedError`: what deletes the file at once, by ``SyncSession/immediatelyHandleError(_:)``; nil
    /// for other errors.
    public func deleteRealmUserInfo() -> ActionToken? { code == .permissionDeniedError ? token : nil }

    package static let recoveredPathKey = "Recovered Realm Location Path"
    package static let compensatingWritesKey = "Compensating Write Info"

    /// The domain under which the original reported its errors.
    public static var errorDomain: String { "io.realm.sync" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)" }
    public var description: String { errorDescription ?? "\(code)" }

    /// Whether both have the same code.
    public static func == (a: SyncError, b: SyncError) -> Bool { a.code == b.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// What an error asks for, and is done at the next start if it is not done before. Used once.
    public final class ActionToken: Sendable {
        private let action: Locked<Action?>

        private struct Action {
            var call: @Sendable () -> Void
        }

        package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(Action(call: action)) }

        func act() { action.withLock { $0.take() }?.call() }
    }
}

/// The codes as `catch SyncError.connectionFailed` names them.
extension SyncError {
    /// The session met an error.
    public static let clientSessionError = Code.clientSessionError
    /// The user cannot synchronise.
    public static let clientUserError = Code.clientUserError
    /// The client met an error of its own.
    public static let clientInternalError = Code.clientInternalError
    /// The file has to be reset.
    public static let clientResetError = Code.clientResetError
    /// The user could not be authenticated.
    public static let underlyingAuthError = Code.underlyingAuthError
    /// The user may not read or write the data.
    public static let permissionDeniedError = Code.permissionDeniedError
    /// The subscriptions are not valid.
    public static let invalidFlexibleSyncSubscriptions = Code.invalidFlexibleSyncSubscriptions
    /// The server has undone writes.
    public static let writeRejected = Code.writeRejected
    /// The server cannot be reached.
    public static let connectionFailed = Code.connectionFailed
    /// The server's certificate was not accepted.
    public static let tlsHandshakeFailed = Code.tlsHandshakeFailed
    /// The server had something to say.
    public static let serverWarning = Code.serverWarning
}

/// A write that the server has undone.
public struct CompensatingWriteInfo: Sendable {
    /// The class of the object.
    public let objectType: String
    /// Why.
    public let reason: String
    private let key: KeyHolder

    package init(objectType: String, reason: String, primaryKey: AnyRealmValue) {
        self.objectType = objectType
        self.reason = reason
        key = KeyHolder(value: primaryKey)
    }

    /// The primary key of the object.
    public var primaryKey: AnyRealmValue { key.value }

    /// A primary key is a plain value, never an object, and is not changed: an immutable copy may be shared.
    private struct KeyHolder: @unchecked Sendable {
        let value: AnyRealmValue
    }
}
