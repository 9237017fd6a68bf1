// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Acquires the write lock, which threads and processes share, and begins a write transaction on the newest
    /// version.
    ///
    /// Throws `.writeTimeout` if the lock isn't acquired within `limit` nanoseconds, by default the timeout of the
    /// database's options.
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

    /// Begins a write transaction on a version that isn't durable yet. Its commit holds the write lock.
    func beginWrite(on parentCommit: PreparedCommit, _ state: Committed) throws -> WriteTransaction {
        let pin = lock.locked { registry.pinBase(state.record) }
        do {
            return try WriteTransaction(database: self, base: try roomToGrow(state), pin: pin, on: parentCommit)
        } catch {
            unpin(pin)
            throw (error as? SystemError).map(StorageError.init) ?? error
        }
    }

    /// The versions that the next commit must not overwrite: those that can be read, and those that a crash can
    /// restore.
    ///
    /// With a parent commit, these include the versions that the parent had to preserve.
    func protectedVersions(before base: Committed, _ parentCommit: PreparedCommit?) throws -> [VersionRecord] {
        let reachable = try reachable
        if let parentCommit {
            return Set(reachable + parentCommit.reachable + [base.record]).ordered { $0.version < $1.version }
        }
        precondition(!base.isAhead, "a commit on a version that the header hasn't received")
        guard base.mayFallBack, lock.locked({ durable != base.version }) else { return reachable }
        if let before = try base.predecessor(in: file) {
            return Set(reachable + [before]).ordered { $0.version < $1.version }
        }
        try settleFlip(of: base)
        return reachable
    }

    /// Makes the selection of `base` as the newest version durable, so that the space of the previous version can be
    /// reused.
    func settleFlip(of base: Committed) throws {
        guard base.mayFallBack, lock.locked({ durable != base.version }) else { return }
        var isUntouched = file.writeUnit == 8
        do {
            // In a plain file the header is rewritten unchanged, so a failure has no effect.
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
