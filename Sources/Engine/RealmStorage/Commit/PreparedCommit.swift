// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A commit whose version is in the file, and not yet durable nor known to other code than its maker.
///
/// It holds the write lock until it is finished or deallocated; the latter gives the version up. Before that, the next
/// transaction may be built on it: then one flip makes both versions durable, and readers find the later one.
///
/// Unchecked: the transaction and `isContinued` are confined to one thread at a time: the thread that made this hands
/// it to the thread that finishes it.
package final class PreparedCommit: @unchecked Sendable {
    private let transaction: WriteTransaction
    private var state: Database.Committed
    private let file: any DatabaseFile
    /// The versions that may be read.
    let reachable: [VersionRecord]
    /// What makes it durable with one sync, and where that belongs; nil if it takes two.
    private let record: (CommitRecord, place: FreeBlock)?
    /// Whether a transaction on top of this version is in progress.
    private var isContinued = false

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
    /// Whether it is neither finished, nor failed, nor part of a later one.
    package var isPending: Bool { transaction.isOpen }
    /// Whether others wait for the write lock.
    package var isWaitedFor: Bool { transaction.database.hasWaiters }

    /// The version that is to be, for its maker alone. If `finish()` throws it is void, and must not be read any more.
    package func snapshot(label: String) throws -> Snapshot {
        let pin = try transaction.database.pin(state, label)
        do {
            return try Snapshot(database: transaction.database, state: state, pin: pin)
        } catch {
            transaction.database.unpin(pin)
            throw error
        }
    }

    /// Begins a write transaction on this version, which goes on waiting for the disk.
    ///
    /// The commit of that one makes both durable, and this one must not be finished any more. If it is rolled back, or
    /// fails before its version is in the file, this one is as it was. What this version replaced stays untouched all
    /// the time: it is what a crash brings back.
    package func beginChild() throws -> WriteTransaction {
        precondition(isPending && !isContinued, "the version is not the newest of its kind")
        let next = try transaction.database.beginWrite(on: self, state)
        isContinued = true
        return next
    }

    /// The transaction on top is over. `isStaged`: its version, which contains this one, is in the file and keeps the
    /// write lock.
    func childDidEnd(isStaged: Bool) {
        isContinued = false
        if isStaged { transaction.transferWriteLock() }
    }

    /// The syncs and the flip of container 6.7. Returns the number of the version, which is durable and the newest.
    ///
    /// With a record the version is durable when the record and the data are: the next opening finds it, whether or not
    /// the flip has reached the disk. That becomes durable with the next sync of the file.
    @discardableResult
    package func finish() throws -> UInt64 {
        precondition(isPending && !isContinued, "the write transaction has ended")
        defer { transaction.end() }
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
        truncate()
        return state.version
    }

    /// Finishes with one sync. Returns false, having done nothing that counts, if there is no record, or if it cannot
    /// be written, for example on a full disk: what is torn is none.
    private func finishByRecord() throws -> Bool {
        guard let record, (try? file.write(record.0.bytes, at: Int(record.place.position))) != nil else { return false }
        // The flip of the base may have waited for this sync, or its own may have failed.
        try state.header.write(in: file)
        try file.sync()
        try state.header.select(state.topRef, in: file)
        return true
    }

    /// Gives the end of the file back to the system, as far as no version that may be read extends over it.
    ///
    /// The commit is durable already. A crash leaves the file as long as before or as short as now, and both hold the
    /// committed version; a failure leaves it for the next commit.
    private func truncate() {
        let needed = reachable.reduce(state.logicalSize) { max($0, $1.logicalSize) }
        let page = FileFormat.pageByteCount
        let target = (needed + page - 1) / page * page
        if let size = try? file.size(), target < size { try? file.resize(to: target) }
    }
}
