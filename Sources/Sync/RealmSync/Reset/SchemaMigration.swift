// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The migration of a client file to another version of its app's schema (§5.9). The server requires it with error 236:
/// the file uploads its changes, and then starts over as a new file.
///
/// The record of it is the only row of the table `schema_migration_metadata`, until the file has started over. It
/// survives the end of the process.
package enum SchemaMigration {
    private static let table = InternalTables.Definition(
        name: "schema_migration_metadata",
        columns: [
            InternalTables.Column("id", .objectId), InternalTables.Column("version", .int),
            InternalTables.Column("event_time", .timestamp), InternalTables.Column("previous_schema_version", .int),
        ])

    private static let layout: Int64 = 1

    /// Returns the schema version of the objects in the file, if it differs from that of the app.
    package static func previousVersion(in database: Database) throws -> UInt64? {
        guard let row = try table.firstRow(in: try database.snapshot(label: "synchronisation")),
            row.table.column(named: "version") != nil, try row.int("version") == layout
        else { return nil }
        return try row.version("previous_schema_version")
    }

    /// Records the schema version of the objects in the file.
    ///
    /// - Parameter id: Identifies the record.
    package static func record(previousVersion: UInt64, id: ObjectIdBytes, in database: Database) throws {
        guard try self.previousVersion(in: database) != previousVersion else { return }
        try database.write { transaction in
            let values: [ByteText: StoredValue] = [
                "id": .objectId(id), "version": .int(layout), "event_time": .timestamp(SyncClock.timestamp()),
                "previous_schema_version": .int(Int64(bitPattern: previousVersion)),
            ]
            try table.insert(values, into: try table.emptyTable(in: transaction), transaction)
        }
    }

    /// Makes the file a new one, in one commit that isn't a change of the file: without objects, subscriptions, ident,
    /// and history. A file that was moved from a partition has the partition again, and moves with its next session.
    ///
    /// The tables of classes remain, because open Realms use them. The server has their definitions.
    ///
    /// - Returns: False if the server doesn't have all changes of the file. It's unchanged then.
    package static func run(on database: Database) throws -> Bool {
        do {
            try database.write { transaction in
                guard let recorder = transaction.recorder as? HistoryRecorder else {
                    throw SessionError(.other, "the database was not opened as a client file")
                }
                let unsent = try StoredHistory(before: transaction)?.pendingUploads().count ?? 0
                guard unsent == 0 else { throw UnsentChanges() }
                transaction.recorder = nil
                try clear(transaction)
                transaction.fileIdent = 0
                recorder.integration = HistoryRecorder.Integration { editor in try editor.startOver() }
            }
            return true
        } catch is UnsentChanges {
            return false
        }
    }

    private struct UnsentChanges: Error {}

    private static func clear(_ transaction: WriteTransaction) throws {
        for table in try transaction.allTables() where table.className != nil && !table.isEmbedded {
            try transaction.clear(table.key)
        }
        for name in [Self.table.name, ClientResetRecord.table.name] {
            if let table = try transaction.table(named: name) { try transaction.clear(table.key) }
        }
        let wasMoved = try PartitionMigration.completed(in: transaction) != nil
        try PartitionMigration.revert(in: transaction)
        if !wasMoved { try SubscriptionStore(transaction)?.add([]) }
    }
}

extension HistoryEditor {
    fileprivate mutating func startOver() throws {
        try forgetClient()
        for slot in HistorySlots.downloadedState { self[slot] = 0 }
    }
}
