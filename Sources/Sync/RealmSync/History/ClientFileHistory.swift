// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Opens databases as client files: each commit appends its changes to the history (§3.5, §4.6).
package struct ClientFileHistory: RecordedHistory {
    private let now: @Sendable () -> UInt64
    private let limit: Int

    /// - Parameters:
    ///   - now: Returns milliseconds since 2015.
    ///   - limit: The maximum number of bytes of a transaction's changeset.
    package init(now: @escaping @Sendable () -> UInt64 = SyncClock.now, limit: Int = Wire.maxChangeset) {
        self.now = now
        self.limit = limit
    }

    package var schemaVersions: ClosedRange<UInt64> { HistorySlots.oldestSchema...HistorySlots.schema }

    package func recorder(for transaction: WriteTransaction) -> any WriteRecorder { HistoryRecorder(now, limit) }
}

final class HistoryRecorder: WriteRecorder {
    private let changes = ChangesetRecorder()
    private let now: @Sendable () -> UInt64
    private let limit: Int
    /// Asymmetric classes with new objects. The objects are sent to the server, and not kept in the file.
    private var asymmetricTables: Set<TableKey> = []
    /// The changes of a session. They replace the application's changes.
    var integration: Integration?

    struct Integration {
        var last: ChangeOrder?
        var lastServerVersion: UInt64 = 0
        var edit: (inout HistoryEditor) throws -> Void
    }

    init(_ now: @escaping @Sendable () -> UInt64, _ limit: Int) { (self.now, self.limit) = (now, limit) }

    func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws {
        if case .createObject(_, _, let table) = instruction, table.kind == .asymmetric {
            asymmetricTables.insert(table.key)
        }
        try changes.record(instruction, in: transaction)
    }

    func writeHistory(of transaction: WriteTransaction) throws {
        let changeset = try changes.changeset(of: transaction)
        transaction.recorder = nil
        for table in asymmetricTables { try transaction.clear(table) }
        let now = now()
        var editor = try HistoryEditor(transaction, now: now)
        try integration?.edit(&editor)
        var entry = HistoryEditor.Entry(
            remoteVersion: editor[HistorySlots.downloadServerVersion], timestamp: now)
        if let last = integration?.last {
            entry.remoteVersion = integration?.lastServerVersion ?? 0
            entry.originIdent = last.fileIdent
            entry.timestamp = last.timestamp
        } else {
            guard changeset.count <= limit else { throw WriteSize.refusal(of: changeset, limit: limit) }
            entry.changeset = changeset
            editor[HistorySlots.uploadableBytes] += UInt64(changeset.count)
        }
        try editor.append(entry)
        try editor.finish(transaction)
    }
}
