// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Identifies a version of one file, also for a later process.
package struct VersionMark: Sendable, Hashable {
    package let record: VersionRecord
    /// Another file, such as one that was created at the same path after the first one was deleted, may have a version
    /// with the same record.
    package let file: UInt64

    package init(_ record: VersionRecord, file: UInt64) {
        self.record = record
        self.file = file
    }
}

extension Snapshot {
    package var mark: VersionMark { VersionMark(record, file: database.mark) }
}

extension Database {
    /// Identifies the file, or this object if the database is in memory or the file was removed.
    fileprivate var mark: UInt64 {
        guard let identity = identity.current, let status = FileStatus(path), status.identity == identity else {
            return number
        }
        return status.mark
    }

    /// Returns a snapshot of a version that was marked earlier, possibly by another process. Returns nil unless it's
    /// the newest version or a process has it pinned: the space of all others may have been reused.
    ///
    /// Waits for the write lock if only another process has it pinned.
    package func snapshot(_ marked: VersionMark, label: String) throws -> Snapshot? {
        let newest = try snapshot(label: label)
        guard marked.file == mark else { return nil }
        if newest.record == marked.record { return newest }
        do {
            let pinned = try pinned(marked.record, label) ?? pinnedElsewhere(marked.record, label)
            return try pinned.map { try snapshot($0, $1) }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    private func pinned(_ record: VersionRecord, _ label: String) throws -> (Committed, UInt64)? {
        try lock.locked { try registry.records.contains(record) ? pin(record, label) : nil }
    }

    /// The write lock prevents a commit that reuses the version's space once the other process has released it.
    private func pinnedElsewhere(_ record: VersionRecord, _ label: String) throws -> (Committed, UInt64)? {
        guard try isPinnedElsewhere(record) else { return nil }
        try enterWriting()
        defer { leaveWriting() }
        guard try isPinnedElsewhere(record) else { return nil }
        return try lock.locked { try pin(record, label) }
    }

    private func isPinnedElsewhere(_ record: VersionRecord) throws -> Bool {
        try participants?.others().contains { $0.pins.contains { $0.isConfirmed && $0.record == record } } ?? false
    }

    /// Guarded by `lock`.
    private func pin(_ record: VersionRecord, _ label: String) throws -> (Committed, UInt64) {
        var state = committed
        (state.version, state.topRef, state.logicalSize) = (record.version, record.topRef, record.logicalSize)
        state.mapping = try mapping(state.mapping, for: record.logicalSize)
        return (state, try registry.pin(record, label))
    }
}
