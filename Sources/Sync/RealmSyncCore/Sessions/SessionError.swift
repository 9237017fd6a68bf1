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

    /// Whether a client takes an error of this number as one of a session: one that it does not know counts as such.
    package static func isForSessions(_ code: Int) -> Bool {
        ConnectionErrorCode(rawValue: code) == nil && !neverSent.contains(code)
    }

    /// What clients know, but cannot translate.
    private static let neverSent: Set = [104, 202, 203, 205, 207, 213, 214, 215, 218, 219, 220, 221, 224]

    /// Whether the session goes on, or is to be bound again. A client that is to reset itself is not to bind in the
    /// meantime (§7.2).
    package var canTryAgain: Bool {
        switch action {
        case .transient, .warning, .migrateToFLX, .revertToPBS, .migrateSchema: true
        default: false
        }
    }
}

/// The errors that concern a whole connection, by their numbers (§2.9). 104 is not among them: clients cannot translate
/// it.
package enum ConnectionErrorCode: Int, Hashable, Sendable, CaseIterable {
    case closed = 100
    case other = 101
    case unknownMessage = 102
    case badSyntax = 103
    case wrongVersion = 105
    case badSession = 106
    case sessionReused = 107
    case fileAlreadyBound = 108
    case outOfOrder = 109
    case decompressionFailed = 110
    case badChangesetHeader = 111
    case badChangesetSize = 112
    case useFlexible = 113
    case usePartition = 114
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
        .jsonError(session: session, code: code.rawValue, serverError)
    }

    package var serverError: ServerError { ServerError(message, code.action, canTryAgain: code.canTryAgain) }
}
