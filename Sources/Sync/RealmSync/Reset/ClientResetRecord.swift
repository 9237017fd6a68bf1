// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The treatment of local changes that the server doesn't have, in a client reset (§7.1).
package enum ClientResetMode: Int64, Hashable, Sendable {
    case discard = 0
    case recover = 1
}

/// The action that a server requires of a client file (§2.9). The raw values are stored in the record.
package enum ClientResetAction: Int64, Hashable, Sendable {
    case reset = 1
    case resetWithoutRecovery = 2
    case migrate = 3
    case revert = 4
}

package struct ClientResetCause: Hashable, Sendable {
    package var action: ClientResetAction
    package var errorCode: Int64
    package var message: String

    package init(_ action: ClientResetAction = .reset, errorCode: Int64 = 0, message: String = "") {
        self.action = action
        self.errorCode = errorCode
        self.message = message
    }
}

/// The record of a reset, kept in the file until one complete upload and download (§7.2, step 6). It reveals cycles of
/// resets. It's the only row of the table `client_reset_metadata`.
package struct ClientResetRecord: Hashable, Sendable {
    package var mode: ClientResetMode
    package var time: Timestamp
    package var cause: ClientResetCause

    package init(_ mode: ClientResetMode, _ time: Timestamp, _ cause: ClientResetCause) {
        self.mode = mode
        self.time = time
        self.cause = cause
    }

    static let table = InternalTables.Definition(
        name: "client_reset_metadata", hasPrimaryKey: false,
        columns: [
            InternalTables.Column("core_version", .string), InternalTables.Column("time", .timestamp),
            InternalTables.Column("mode", .int), InternalTables.Column("action", .int),
            InternalTables.Column("error_code", .int), InternalTables.Column("error_msg", .string),
        ])

    package static func pending(in database: Database) throws -> ClientResetRecord? {
        try pending(in: try database.snapshot(label: "client reset"))
    }

    static func pending(in source: some TableSource) throws -> ClientResetRecord? {
        guard let row = try table.firstRow(in: source) else { return nil }
        func value(_ name: String) throws -> StoredValue? {
            guard let column = row.table.column(named: name), !column.key.isCollection else { return nil }
            return try row.value(name)
        }
        // Records of other versions of the original have no action, and never count as a cycle.
        guard case .int(let modeNumber)? = try value("mode"), let mode = ClientResetMode(rawValue: modeNumber),
            case .int(let actionNumber)? = try value("action"),
            let action = ClientResetAction(rawValue: actionNumber),
            case .timestamp(let time)? = try value("time")
        else { return nil }
        var cause = ClientResetCause(action)
        if case .int(let code)? = try value("error_code") { cause.errorCode = code }
        if case .string(let message)? = try value("error_msg") { cause.message = message }
        return ClientResetRecord(mode, time, cause)
    }

    /// Removes the record after a complete upload and download. The table remains.
    ///
    /// - Throws: `StorageError`. Commits nothing if the record doesn't exist.
    package static func remove(from database: Database) throws {
        guard try table.firstRow(in: try database.snapshot(label: "client reset")) != nil else { return }
        try database.write { transaction in
            if let table = try transaction.table(named: table.name) { try transaction.clear(table.key) }
        }
    }

    func write(in transaction: WriteTransaction) throws {
        let values: [ByteText: StoredValue] = [
            "core_version": .string(Self.library), "time": .timestamp(time), "mode": .int(mode.rawValue),
            "action": .int(cause.action.rawValue), "error_code": .int(cause.errorCode),
            "error_msg": .string(cause.message),
        ]
        try Self.table.insert(values, into: try Self.table.emptyTable(in: transaction), transaction)
    }

    private static let library = "Regnum"
}
