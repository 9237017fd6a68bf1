// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SessionLock {
    /// Runs `body` while no process has the database at `database` open or can open it; returns nil, with nothing done,
    /// if it is open: in another process, in another library, or in this process.
    ///
    /// Makes the lock file if it is missing, and leaves it there: removing it would let two sessions begin, each with
    /// a lock file of its own. An opener that is about to fail holds the lock for moments, therefore the few attempts.
    package static func whileClosed<Result>(
        forDatabase database: String, _ body: () throws -> Result
    ) throws -> Result? {
        let path = LockFile.path(of: database)
        let descriptor = try LockFile.open(forDatabase: database, mode: 0o600)
        defer { DiskFile.giveBack(descriptor, owner: CurrentProcess.identifier) }
        for attempt in 0..<5 {
            if retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 {
                try LockFile.verifyReplaceable(descriptor, path)
                return try body()
            }
            guard errno == EWOULDBLOCK else { throw SystemError.last("flock", path: path) }
            usleep(useconds_t(1_000 * (attempt + 1)))
        }
        return nil
    }
}
