// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSyncCore

extension SyncError {
    init(_ code: Code, text: String, token: ActionToken? = nil) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text], token: token)
    }

    /// Creates the error that the program receives for an error of the protocol (§2.9).
    ///
    /// - Parameters:
    ///   - recoveredPath: The path that a reset moves the file to.
    ///   - action: The action of the error's token.
    init(
        _ failure: ClientFailure, _ code: Code? = nil, recoveredPath: String? = nil,
        _ action: (@Sendable () -> Void)? = nil
    ) {
        var information: [String: Any] = [
            NSLocalizedDescriptionKey: "\(failure.error.message) (error \(failure.code))"
        ]
        if !failure.error.logURL.isEmpty { information[RLMServerLogURLKey] = failure.error.logURL }
        if let rejection = failure.error.rejection {
            information[SyncError.compensatingWritesKey] = rejection.updates.map { update in
                CompensatingWriteInfo(
                    objectType: update.object.table.string, reason: update.reason,
                    primaryKey: AnyRealmValue(update.object.key))
            }
        }
        if let recoveredPath { information[SyncError.recoveredPathKey] = recoveredPath }
        self.init(
            code ?? Code(failure), userInfo: information, token: action.map { action in ActionToken(action) })
    }
}

extension SyncError.Code {
    fileprivate init(_ failure: ClientFailure) {
        switch failure.action {
        case .clientReset, .clientResetNoRecovery: self = .clientResetError
        case .logOutUser, .refreshUser: self = .clientUserError
        case .warning:
            self = failure.code == SessionErrorCode.compensatingWrite.rawValue ? .writeRejected : .serverWarning
        default:
            self =
                failure.code == SessionErrorCode.permissionDenied.rawValue
                ? .permissionDeniedError : .clientSessionError
        }
    }
}

extension AnyRealmValue {
    fileprivate init(_ key: PrimaryKey) {
        switch key {
        case .null, .globalKey: self = .none
        case .int(let number): self = .int(Int(number))
        case .string(let text): self = .string(text.string)
        case .objectId(let id): self = .objectId(ObjectId(bits: id))
        case .uuid(let id): self = .uuid(UUID(id))
        }
    }
}
