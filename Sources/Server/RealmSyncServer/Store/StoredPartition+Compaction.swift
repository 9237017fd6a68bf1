// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Snapshots, which replace a long log.
extension StoredPartition {
    package var isCompactionDue: Bool {
        log.size > max(options.smallLog, 2 * log.snapshotSize) && options.clock() >= nextCompaction
    }

    /// Removes the versions that no client needs.
    package func compact() throws {
        // The snapshot doesn't contain ingested records.
        if isDirty { try flush(compacts: false) }
        let compaction = try beginCompaction()
        compaction.run()
        try finish(compaction)
    }

    /// Guarded by `isBusy`: until `finish`, only the thread that runs it uses it and the partition.
    final class Compaction: @unchecked Sendable {
        let partition: StoredPartition
        let snapshot: any LogSnapshot
        var failure: (any Error)?

        init(_ partition: StoredPartition, _ snapshot: any LogSnapshot) {
            (self.partition, self.snapshot) = (partition, snapshot)
        }

        /// Takes long. Another thread can call it.
        func run() {
            do { try partition.write(snapshot) } catch { failure = error }
        }
    }

    /// All data received so far must be durable.
    func beginCompaction() throws -> Compaction {
        // The log is the only durable copy of the latest ingested records.
        try ingest?.sync()
        return Compaction(self, try log.beginSnapshot())
    }

    func write(_ snapshot: any LogSnapshot) throws {
        let wasDue = isCompactionDue
        if isShared { try lock() }
        // Another node may have replaced the snapshot meanwhile.
        guard isCompactionDue || !wasDue else { return try log.sync() }
        expireFiles()
        addBootstrap()
        // Other nodes don't read the snapshot.
        if isShared { try flush(compacts: false) }
        history.trim()
        // The snapshot contains the pending records.
        pending = RecordWriter()
        try snapshot.fill { try history.records($0) }
        guard isShared else { return }
        do { try snapshot.adopt() } catch is SharedStoresUnavailable { nextCompaction = options.clock() + 60 }
    }

    /// - Throws: An error of the log. Then the partition must not be used.
    func finish(_ compaction: Compaction) throws {
        if let failure = compaction.failure { throw failure }
        if !isShared { try compaction.snapshot.adopt() }
    }

    private func expireFiles() {
        let now = options.clock()
        for file in history.files.values where !file.isExpired && now > file.seen + options.clientExpiry {
            note(.expire(file.salt.ident))
        }
    }

    /// If the documents can't be read, there is no bootstrap: new files receive the versions.
    func addBootstrap() {
        do {
            guard let bootstrap = try ServerSpan.bootstrap.run({ try history.makeBootstrap() }) else { return }
            for ident in history.filesToForget { note(.expire(ident)) }
            note(.bootstrap(bootstrap))
        } catch {
            nextCompaction = options.clock() + 60
            if !isFlexible { lastDocumentsUpdate = 0 }
        }
    }
}
