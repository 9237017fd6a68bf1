// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension DiskFile {
    package enum LockKind: Sendable {
        case shared
        case exclusive
    }

    /// Acquires the BSD lock of the file, in competition with this and other processes. Returns whether it was
    /// acquired; with `waiting` it always is.
    ///
    /// The lock belongs to this object and is released with it, or with the process. A held lock is converted to the
    /// other kind, but not atomically.
    package func lock(_ kind: LockKind, waiting: Bool) throws -> Bool {
        guard isOwn else { throw SystemError("flock after fork", path: path, number: EPERM) }
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | (waiting ? 0 : LOCK_NB)
        guard retrying({ Int(flock(descriptor, operation)) }) == 0 else {
            if errno == EWOULDBLOCK { return false }
            throw SystemError.last("flock", path: path)
        }
        return true
    }

    package func unlock() { if isOwn { flock(descriptor, LOCK_UN) } }

    /// Whether this process opened the file. A process that inherited the file by `fork` shares the lock with its
    /// parent, and would change the parent's.
    package var isOwn: Bool { owner == CurrentProcess.identifier }

    /// Closes a file that may be locked. Closing alone isn't sufficient: while a child process has a copy of the
    /// descriptor, it holds the lock until it runs its program. Only the process that acquired the lock, `owner`,
    /// releases it.
    static func giveBack(_ descriptor: Int32, owner: Int) {
        if owner == CurrentProcess.identifier { flock(descriptor, LOCK_UN) }
        close(descriptor)
    }
}
