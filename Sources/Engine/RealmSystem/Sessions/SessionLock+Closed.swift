// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SessionLock {
    /// Runs `body` while no process has the database open or can open it. Returns nil, with nothing done, if it is
    /// open: in another process, in another library, or in this process.
    ///
    /// Creates a missing lock file, and leaves it: removing it would let two sessions begin, each with its own lock
    /// file. An opener that is about to fail holds the lock briefly, hence the few attempts.
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
