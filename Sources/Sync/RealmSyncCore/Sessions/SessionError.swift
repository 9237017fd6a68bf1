// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The error numbers that concern one session (§2.9), except those that clients can't translate.
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

    /// The action that the hosted service requested of clients.
    package var action: ServerError.Action {
        switch self {
        case .closed, .other, .initialSyncNotComplete: .transient
        case .illegalPartition, .permissionDenied, .badSchemaChange, .badSchemaVersion: .applicationBug
        case .compensatingWrite: .warning
        case .migrateToFLX: .migrateToFLX
        case .revertToPBS: .revertToPBS
        case .schemaVersionChanged: .migrateSchema
        default: .clientReset
        }
    }

    /// Whether a client treats an error of this number as a session error. Unknown numbers count as such.
    package static func isForSessions(_ code: Int) -> Bool {
        ConnectionErrorCode(rawValue: code) == nil && !neverSent.contains(code)
    }

    /// The numbers that clients define, but can't translate.
    private static let neverSent: Set = [104, 202, 203, 205, 207, 213, 214, 215, 218, 219, 220, 221, 224]

    /// Whether the session continues, or may be bound again. A client that has to reset itself must not bind before the
    /// reset (§7.2).
    package var canTryAgain: Bool {
        switch action {
        case .transient, .warning, .migrateToFLX, .revertToPBS, .migrateSchema: true
        default: false
        }
    }
}

/// The error numbers that concern a whole connection (§2.9). 104 is excluded: clients can't translate it.
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

package struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: SessionErrorCode
    package let message: String
    /// The objects that the server has rejected, for error 230.
    package let rejection: ServerError.Rejection?
    /// The query that replaces the partition of the client, for error 232.
    private let partitionQuery: String?

    package init(_ code: SessionErrorCode, _ message: String, _ rejection: ServerError.Rejection? = nil) {
        self.code = code
        self.message = message
        self.rejection = rejection
        partitionQuery = nil
    }

    /// Creates the error that moves a client of a partition to subscriptions (§5.8).
    package init(migratingTo partitionQuery: String) {
        (code, message, rejection) = (.migrateToFLX, "the app has flexible sync now", nil)
        self.partitionQuery = partitionQuery
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    package func message(for session: UInt64) -> ServerMessage {
        .jsonError(session: session, code: code.rawValue, serverError)
    }

    /// A client whose objects were rejected continues without them, and needs no reset.
    package var serverError: ServerError {
        if isOfObjects { return ServerError(message, .warning, canTryAgain: true, rejection: rejection) }
        return ServerError(
            message, code.action, canTryAgain: code.canTryAgain, partitionQuery: partitionQuery, rejection: rejection)
    }

    private var isOfObjects: Bool { code == .writeNotAllowed && rejection != nil }

    /// The newest version of the client with objects that error 230 rejects.
    var rejectedVersion: UInt64? { isOfObjects ? rejection?.clientVersion : nil }
}
