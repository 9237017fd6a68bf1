// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A commit whose version is in the file but isn't durable yet. Only its creator can read it.
///
/// It holds the write lock until it's finished or deallocated; deallocation discards the version. Before that, the next
/// transaction can be based on it: one flip then makes both versions durable, and readers find the later one.
///
/// Unchecked: the transaction and `isContinued` are confined to one thread at a time. The creating thread passes the
/// commit to the thread that finishes it.
package final class PreparedCommit: @unchecked Sendable {
    private let transaction: WriteTransaction
    private var state: Database.Committed
    private let file: any DatabaseFile
    let reachable: [VersionRecord]
    /// The record that makes the commit durable with one sync, and its position; nil if two syncs are needed.
    private let record: (CommitRecord, place: FreeBlock)?
    private var isContinued = false
    /// Counted for the snapshots of this version.
    private let failures = RelaxedCounter()

    init(
        _ transaction: WriteTransaction, _ state: Database.Committed, _ file: any DatabaseFile,
        _ reachable: [VersionRecord], _ record: (CommitRecord, place: FreeBlock)?
    ) {
        self.transaction = transaction
        self.state = state
        self.file = file
        self.reachable = reachable
        self.record = record
    }

    package var version: UInt64 { state.version }
    /// Whether the commit is unfinished, hasn't failed, and isn't part of a later commit.
    package var isPending: Bool { transaction.isOpen }
    package var isWaitedFor: Bool { transaction.database.hasWaiters }

    /// A snapshot of this version, for its creator only. If `finish()` throws, the snapshot is void.
    package func snapshot(label: String) throws -> Snapshot {
        let pin = try transaction.database.pin(state, label)
        do {
            return try Snapshot(database: transaction.database, state: state, pin: pin, failures: failures)
        } catch {
            transaction.database.unpin(pin)
            throw error
        }
    }

    /// Begins a write transaction on this version, which isn't durable yet.
    ///
    /// Committing the child makes both versions durable; this commit must then not be finished. If the child is rolled
    /// back, or fails before its version is in the file, this commit is unaffected. The version before this one is
    /// preserved throughout, because a crash restores it.
    package func beginChild() throws -> WriteTransaction {
        precondition(isPending && !isContinued, "the version is not the newest of its kind")
        let next = try transaction.database.beginWrite(on: self, state)
        isContinued = true
        return next
    }

    /// Called when the child transaction ends. `isStaged`: the child's version, which contains this one, is in the
    /// file, and the child keeps the write lock.
    func childDidEnd(isStaged: Bool) {
        isContinued = false
        if isStaged { transaction.transferWriteLock() }
    }

    /// Performs the syncs and the flip of container 6.7, and returns the version's number. The version is then durable
    /// and the newest.
    ///
    /// With a record, one sync of the data and the record makes the version durable: the next opening finds it even if
    /// the flip hasn't reached the disk. The next sync of the file makes the flip durable.
    @discardableResult
    package func finish() throws -> UInt64 {
        precondition(isPending && !isContinued, "the write transaction has ended")
        defer { transaction.end() }
        do {
            try makeDurable()
        } catch {
            // Before the write lock is released: others may then commit the same number.
            failures.increment()
            throw error
        }
        truncate()
        return state.version
    }

    private func makeDurable() throws {
        try storageErrors { try transaction.database.verifyInPlace() }
        let isFlipDurable: Bool
        do {
            isFlipDurable = try !finishByRecord()
            if isFlipDurable { try state.header.flip(to: state.topRef, in: file) }
        } catch {
            if !file.giveUp() { transaction.database.refuseWrites(because: error) }
            throw (error as? SystemError).map(StorageError.init) ?? error
        }
        transaction.database.publish(state, isFlipDurable: isFlipDurable)
    }

    /// Finishes with one sync. Returns `false`, without effect, if the commit has no record, or if the record can't be
    /// written, for example because the disk is full. A torn record is ignored.
    private func finishByRecord() throws -> Bool {
        guard let record, (try? file.write(record.0.bytes, at: Int(record.place.position))) != nil else { return false }
        // The base's flip may not be durable before this sync, or the base's own sync may have failed.
        try state.header.write(in: file)
        try file.sync()
        try state.header.select(state.topRef, in: file)
        return true
    }

    /// Truncates the file to the end of the last version that can be read.
    ///
    /// The commit is already durable. After a crash the file has its old or its new length, and both contain the
    /// committed version. After a failure, the next commit truncates the file.
    private func truncate() {
        let needed = reachable.reduce(state.logicalSize) { max($0, $1.logicalSize) }
        let page = FileFormat.pageByteCount
        let target = (needed + page - 1) / page * page
        if let size = try? file.size(), target < size { try? file.resize(to: target) }
    }
}
