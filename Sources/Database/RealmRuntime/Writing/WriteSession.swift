// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Manages the writes of a Realm instance: the current transaction, queued async writes, and commits waiting for the
/// disk. Used only where the instance is confined.
///
/// The instance serves reads: when a write begins, it gets the transaction, and when the write ends, it drops it.
package final class WriteSession {
    /// The instance that is written to.
    package private(set) unowned var owner: (any WriteOwner)!
    package let reader: VersionReader
    package let host: DatabaseHost
    /// Retains the instance while its write is open; nil before the first write. It never changes for a thread, so it
    /// isn't looked up at each write.
    private weak var openWrites: OpenWrites?
    package private(set) var cancelled = CancelledWrites()
    /// The number of writes begun so far.
    private var count: UInt64 = 0
    package var waiting = AsyncWrites()

    package init(_ reader: VersionReader) {
        self.reader = reader
        host = reader.host
    }

    /// Attaches the session to an instance that was just created.
    package func attach(to owner: any WriteOwner) { self.owner = owner }

    // MARK: Beginning of a write

    /// Begins a write transaction. This can't throw, so if it fails, a write is in progress in which nothing can be
    /// changed, and its commit throws the error.
    package func begin() {
        do {
            try enter()
        } catch {
            beginFailed(error)
        }
    }

    /// Begins a write transaction, or throws without having begun one.
    package func enter() throws {
        reader.verifyWritable()
        if reader.isInWriteTransaction { throwRealmException("The Realm is already in a write transaction") }
        if waiting.isCompleting {
            throwRealmException("Can't begin a write transaction from inside a commit completion callback.")
        }
        finishGroup()
        do {
            try begin(try claimTurn() ?? reader.database.beginWrite(within: reader.settings.writeLimit))
        } catch {
            requestTurn()
            throw error
        }
    }

    /// Makes `transaction` the write in progress.
    package func begin(_ transaction: WriteTransaction) throws {
        // The version would prevent the reuse of space for the duration of the write.
        reader.releaseVersion()
        do {
            try reader.verifyVersionCount()
        } catch {
            transaction.rollback()
            throw error
        }
        keepInstance()
        owner.writeDidBegin(hasMoved: reader.read(transaction, inWrite: nextNumber()))
    }

    private func keepInstance() {
        let openWrites = openWrites ?? .of(reader.confinement)
        openWrites?.keep(owner)
        self.openWrites = openWrites
    }

    private func nextNumber() -> UInt64 {
        count += 1
        return count
    }

    /// Begins a failed write, for a caller that can't receive the error otherwise.
    package func beginFailed(_ error: any Error) {
        reader.currentWrite = nextNumber()
        reader.failWrite(reader.worldFailure(error))
    }

    // MARK: End of a write

    /// Commits the write. Returns the version that it was based on. The caller notifies the other instances and the
    /// observers.
    package func commit() throws -> UInt64 {
        // The open write may have the only reference to the instance.
        let owner: any WriteOwner = owner
        defer { withExtendedLifetime(owner) {} }
        reader.verifyThread()
        verifyInProgress(to: "commit")
        do {
            let transaction = try requireTransaction()
            let base = transaction.baseVersion
            let commit = try transaction.prepareCommit()
            // Pinned before any other writer can begin, while this is known to be the newest version.
            let version = try commit.snapshot(label: VersionReader.holder)
            try commit.finish()
            groupEnded(nil)
            host.logCommit()
            try end(at: version)
            return base
        } catch {
            giveUp(error)
            throw error
        }
    }

    package func cancel() {
        // The open write may have the only reference to the instance.
        let owner: any WriteOwner = owner
        defer { withExtendedLifetime(owner) {} }
        reader.verifyThread()
        verifyInProgress(to: "cancel")
        giveUp(nil)
    }

    /// Throws the documented exceptions if no write is in progress that may end here.
    package func verifyInProgress(to end: String) {
        if waiting.isCompleting {
            throwRealmException("Can't \(end) a write transaction from inside a commit completion callback.")
        }
        if !reader.isInWriteTransaction { throwRealmException("Can't \(end) a non-existing write transaction") }
        if reader.isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    /// The transaction of the write in progress. Throws the error that prevents its commit.
    package func requireTransaction() throws -> WriteTransaction {
        try reader.verifyUnfailed()
        guard let transaction = reader.transaction else {
            throw StorageError(.fileAccess, "the write transaction has not begun")
        }
        return transaction
    }

    /// Ends the write in progress without its changes, also after a commit that failed.
    package func giveUp(_ error: (any Error)?) {
        let write = reader.currentWrite
        if let transaction = reader.transaction, transaction.isOpen { transaction.rollback() }
        if let error { groupEnded(error) }
        // If no version is available now, the next read tries again.
        try? end()
        cancelled.insert(write, reader.tableSequences())
        owner.writeWasCancelled()
    }

    /// Runs the block of a write. If it throws an error, everything is rolled back, unless the block has ended the
    /// write itself, and the error is rethrown.
    package func rollingBackOnError<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            return try block()
        } catch {
            if reader.isInWriteTransaction { cancel() }
            throw error
        }
    }

    /// Ends the write, whatever its outcome. The next version to read is `version`, or the newest, which may still be
    /// waiting to become durable with others. Observers are notified later.
    package func end(at version: Snapshot? = nil) throws {
        openWrites?.release(owner)
        defer {
            requestTurn()
            owner.writeDidEnd()
        }
        try reader.endReadingWrite(at: version) {
            try waiting.group?.newest.snapshot(label: VersionReader.holder)
        }
    }
}
