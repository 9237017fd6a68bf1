// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The errors that concern one session, by their numbers (§2.9). Those that clients cannot translate are not among
/// them.
package enum SessionErrorCode: Int, Hashable, Sendable, CaseIterable {
    case closed = 200
    case other = 201
    case illegalPartition = 204
    case permissionDenied = 206
    case unknownIdent = 208
    case badServerVersion = 209
    case badClientVersion = 210
    case divergingHistories = 211
    case badChangeset = 212
    case badOrigin = 216
    case fileCannotSync = 217
    case fileExpired = 222
    case fileOfOtherUser = 223
    case badSchemaChange = 225
    case badQuery = 226
    case objectOutsideView = 227
    case permissionsChanged = 228
    case initialSyncNotComplete = 229
    case writeNotAllowed = 230
    case compensatingWrite = 231
    case migrateToFLX = 232
    case badProgress = 233
    case revertToPBS = 234
    case badSchemaVersion = 235
    case schemaVersionChanged = 236

    /// What the hosted service had clients do.
    package var action: ServerError.Action {
        switch self {
        case .closed, .other, .initialSyncNotComplete: .transient
        case .illegalPartition, .permissionDenied, .badSchemaVersion: .applicationBug
        case .compensatingWrite: .warning
        case .migrateToFLX: .migrateToFLX
        case .revertToPBS: .revertToPBS
        case .schemaVersionChanged: .migrateSchema
        default: .clientReset
        }
    }

    /// Whether the session goes on, or is to be bound again. A client that is to reset itself is not to bind in the
    /// meantime (§7.2).
    package var canTryAgain: Bool {
        switch action {
        case .transient, .warning, .migrateToFLX, .revertToPBS, .migrateSchema: true
        default: false
        }
    }
}

/// Why a session cannot go on.
package struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: SessionErrorCode
    package let message: String

    package init(_ code: SessionErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    /// What the client is sent.
    package func message(for session: UInt64) -> ServerMessage {
        .jsonError(
            session: session, code: code.rawValue,
            ServerError(message, code.action, canTryAgain: code.canTryAgain))
    }
}
