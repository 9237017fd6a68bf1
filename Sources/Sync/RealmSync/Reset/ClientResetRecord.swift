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

    private static let table = "client_reset_metadata"
    private static let version = "core_version"
    private static let columns: [(name: String, type: ColumnType)] = [
        (version, .string), ("time", .timestamp), ("mode", .int), ("action", .int), ("error_code", .int),
        ("error_msg", .string),
    ]

    package static func pending(in database: Database) throws -> ClientResetRecord? {
        try pending(in: try database.snapshot(label: "client reset"))
    }

    static func pending(in source: some TableSource) throws -> ClientResetRecord? {
        guard let table = try source.table(named: Self.table), let row = try firstRow(of: table) else { return nil }
        func value(_ name: String) throws -> StoredValue? {
            guard let column = table.column(named: name), !column.key.isCollection else { return nil }
            return try table.value(column.key, of: row)
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

    private static func firstRow(of table: Table) throws -> ObjectKey? {
        var first: ObjectKey?
        try table.clusters.forEachLeaf { leaf in
            if leaf.count > 0 { first = leaf.key(at: 0) }
            return first == nil
        }
        return first
    }

    /// Removes the record after a complete upload and download. The table remains.
    ///
    /// - Throws: `StorageError`. Commits nothing if the record doesn't exist.
    package static func remove(from database: Database) throws {
        guard try isPresent(in: try database.snapshot(label: "client reset")) else { return }
        try database.write { transaction in
            if let table = try transaction.table(named: Self.table) { try transaction.clear(table.key) }
        }
    }

    private static func isPresent(in source: some TableSource) throws -> Bool {
        try source.table(named: Self.table).map { try $0.count() > 0 } ?? false
    }

    func write(in transaction: WriteTransaction) throws {
        let table = try ClientResetRecord.emptyTable(in: transaction)
        let values: [String: StoredValue] = [
            Self.version: .string(Self.library), "time": .timestamp(time), "mode": .int(mode.rawValue),
            "action": .int(cause.action.rawValue), "error_code": .int(cause.errorCode),
            "error_msg": .string(cause.message),
        ]
        var row: [ColumnKey: StoredValue] = [:]
        for column in table.publicColumns { row[column.key] = values[column.name] }
        _ = try transaction.createObject(in: table.key, row)
    }

    private static let library = "Regnum"

    private static func emptyTable(in transaction: WriteTransaction) throws -> Table {
        if let table = try transaction.table(named: Self.table) {
            if columns.allSatisfy({ table.column(named: $0.name)?.type == $0.type }),
                table.publicColumns.count == columns.count
            {
                try transaction.clear(table.key)
                return table
            }
            // The table has the layout of another version: it's removed with its records.
            try transaction.schema.removeTable(table.key)
        }
        let key = try transaction.schema.addTable(Self.table)
        for column in columns { try transaction.schema.addColumn(column.name, column.type, to: key) }
        guard let table = try transaction.table(key) else {
            throw StorageError.absent("'\(Self.table)' no longer exists")
        }
        return table
    }
}
