// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Beginning a write transaction, and what its commit must leave as it is.
extension Database {
    /// Waits for its turn, among threads and processes, and begins a write transaction on the newest version.
    ///
    /// Throws `.writeTimeout` if the turn has not come after `limit` nanoseconds, or after as long as the options of
    /// the opening say.
    package func beginWrite(within limit: Int64? = nil) throws -> WriteTransaction {
        guard !isReadOnly else { throw StorageError(.writeRefused, "the database was opened read-only", path: path) }
        do {
            try enterWriting(within: limit)
            do {
                try verifyInPlace()
                let (state, pin) = try lock.locked {
                    if let refusal { throw refusal }
                    try registry.verifyInPlace()
                    try adoptForWriting()
                    try verifySize(committed)
                    isWriting = true
                    return (committed, registry.pinBase(committed.record))
                }
                do {
                    return try WriteTransaction(database: self, base: try roomToGrow(state), pin: pin)
                } catch {
                    unpin(pin)
                    throw error
                }
            } catch {
                lock.locked { isWriting = false }
                leaveWriting()
                throw error
            }
        } catch let error as SystemError {
            throw StorageError(error)
        } catch let error as StorageError {
            throw error.at(path: path)
        }
    }

    /// Runs `body` in a write transaction and commits that, or rolls it back where `body` throws.
    @discardableResult
    package func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        let transaction = try beginWrite()
        do {
            let result = try body(transaction)
            try transaction.commit()
            return result
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }

    /// Begins a write transaction on a version that is not durable yet, and whose maker holds the write lock.
    func beginWrite(on parentCommit: PreparedCommit, _ state: Committed) throws -> WriteTransaction {
        let pin = lock.locked { registry.pinBase(state.record) }
        do {
            return try WriteTransaction(database: self, base: try roomToGrow(state), pin: pin, on: parentCommit)
        } catch {
            unpin(pin)
            throw (error as? SystemError).map(StorageError.init) ?? error
        }
    }

    /// The versions that the next commit must leave as they are: what may be read, and what a crash may bring back.
    ///
    /// On a parentCommit, that includes what this had to leave.
    func protectedVersions(before base: Committed, _ parentCommit: PreparedCommit?) throws -> [VersionRecord] {
        let reachable = try reachable
        if let parentCommit {
            return Set(reachable + parentCommit.reachable + [base.record]).ordered { $0.version < $1.version }
        }
        precondition(!base.isAhead, "a commit on a version that the header has not been told of")
        guard base.mayFallBack, lock.locked({ durable != base.version }) else { return reachable }
        if let before = try base.predecessor(in: file) {
            return Set(reachable + [before]).ordered { $0.version < $1.version }
        }
        try settleFlip(of: base)
        return reachable
    }

    /// Makes durable that `base` is the newest version, so that the one before it keeps no space any more.
    func settleFlip(of base: Committed) throws {
        guard base.mayFallBack, lock.locked({ durable != base.version }) else { return }
        var isUntouched = file.writeUnit == 8
        do {
            // Of a plain file as it is, so that nothing has happened if this fails.
            try base.header.write(in: file)
            isUntouched = false
            try file.sync()
        } catch {
            if !isUntouched, !file.giveUp() { refuseWrites(because: error) }
            throw error
        }
        lock.locked { durable = base.version }
    }
}
