// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The lock that prevents realm-core from opening a database that we have open, and vice versa (container 8.7).
///
/// It is a BSD lock on `<path>.lock`, held shared during the lifetime of this object, over a guard block whose layout
/// version no release of realm-core accepts. A process that gets the lock exclusively starts a session and writes the
/// block. One that finds it held shared over our own block joins (8.9). While any process holds it shared, none gets it
/// exclusively, so the block stays ours. A core process that holds it briefly gives up because of the layout version. A
/// crash of a process releases its hold, but not that of others. The descriptor is immutable, hence `Sendable`.
package final class SessionLock: Sendable {
    private let descriptor: Int32
    private let owner = CurrentProcess.identifier
    package let path: String
    package let identity: FileIdentity
    /// Whether other processes of ours may have had the database open before.
    package let isJoined: Bool

    /// Also identifies the protocol of sharing: a library with another protocol has another number, and isn't joined.
    static let magic: [UInt8] = Array("REGNUM-5".utf8)

    fileprivate init(descriptor: Int32, path: String, _ identity: FileIdentity, isJoined: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.identity = identity
        self.isJoined = isJoined
    }

    deinit { DiskFile.giveBack(descriptor, owner: owner) }

    /// Whether the lock file is still under the name where others open it.
    package var isInPlace: Bool { FileIdentity(path) == identity }

    package enum Entry {
        /// No other process has the database open, or can open it before this one admits others.
        case begun(SessionStart)
        case joined(SessionLock)
    }

    /// Starts a session of the database or joins ours. Returns nil if it is open in another library.
    ///
    /// Tries for about 100 ms, because an opener that is about to fail briefly holds the shared lock, and one that
    /// starts a session holds the exclusive one. The latter may have to wait for the disk, so if the guard block is
    /// ours it tries for two seconds. A missing lock file is created, with the permissions of the database or, if that
    /// is missing too, with those of `mode`. A file that isn't a lock file is rejected and left unchanged.
    package static func enter(forDatabase database: String, mode: UInt16 = 0o600) throws -> Entry? {
        let path = LockFile.path(of: database)
        for attempt in 0..<100 {
            let descriptor = try LockFile.open(forDatabase: database, mode: mode)
            if let entry = try enter(descriptor, path) { return entry }
            let isOurs = holdsGuard(descriptor, nonce: magic)
            giveBack(descriptor)
            guard attempt < 10 || isOurs else { return nil }
            usleep(useconds_t(2_000 * min(attempt + 1, 10)))
        }
        return nil
    }

    /// Like `enter`, but admits others at once if it starts the session.
    package static func acquire(forDatabase database: String) throws -> SessionLock? {
        for _ in 0..<10 {
            switch try enter(forDatabase: database) {
            case .begun(let start): if let lock = start.letOthersIn() { return lock }
            case .joined(let lock): return lock
            case nil: return nil
            }
        }
        return nil
    }

    /// Joins a session of ours. Returns nil if the database has none that this user may join. Never creates or changes
    /// the lock file.
    ///
    /// Tries for about 15 ms, and for two seconds if the guard block is ours: another process may be starting a
    /// session.
    package static func join(forDatabase database: String) throws -> SessionLock? {
        let path = LockFile.path(of: database)
        for attempt in 0..<100 {
            let descriptor: Int32
            do {
                descriptor = try LockFile.open(forDatabase: database)
            } catch let error as SystemError where [ENOENT, EACCES, EPERM, EROFS].contains(error.number) {
                return nil
            }
            if let lock = join(descriptor, path) { return lock }
            let isOurs = holdsGuard(descriptor, nonce: magic)
            giveBack(descriptor)
            guard attempt < 5 || isOurs else { return nil }
            usleep(useconds_t(1_000 * min(attempt + 1, 20)))
        }
        return nil
    }

    private static func enter(_ descriptor: Int32, _ path: String) throws -> Entry? {
        guard retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 else {
            if errno == EWOULDBLOCK { return join(descriptor, path).map(Entry.joined) }
            let error = SystemError.last("flock", path: path)
            giveBack(descriptor)
            throw error
        }
        let nonce = magic + CurrentProcess.uniqueBytes()
        do {
            guard let status = FileStatus(descriptor: descriptor) else { throw SystemError.last("fstat", path: path) }
            try writeGuard(descriptor, nonce: nonce, path: path)
            return .begun(SessionStart(descriptor: descriptor, path: path, status.identity, nonce: nonce))
        } catch {
            giveBack(descriptor)
            throw error
        }
    }

    private static func giveBack(_ descriptor: Int32) {
        DiskFile.giveBack(descriptor, owner: CurrentProcess.identifier)
    }

    /// Acquires the shared lock if the guard block is ours; with `nonce`, only if this process wrote it.
    fileprivate static func join(_ descriptor: Int32, _ path: String, nonce: [UInt8]? = nil) -> SessionLock? {
        guard retrying({ Int(flock(descriptor, LOCK_SH | LOCK_NB)) }) == 0 else { return nil }
        guard holdsGuard(descriptor, nonce: nonce ?? magic), let status = FileStatus(descriptor: descriptor) else {
            return nil
        }
        return SessionLock(descriptor: descriptor, path: path, status.identity, isJoined: nonce == nil)
    }

    /// Writes byte 0 last, because realm-core treats the block as complete once it is 1. In a block of ours, only the
    /// number of the process that wrote it is rewritten.
    ///
    /// A file of this size is overwritten: truncating it first would wait until the disk has written the data of an
    /// earlier opener.
    private static func writeGuard(_ descriptor: Int32, nonce: [UInt8], path: String) throws {
        let (guardByteCount, magicOffset) = (LockFile.guardByteCount, LockFile.magicOffset)
        if holdsGuard(descriptor, nonce: magic) {
            let own = nonce[magic.count...]
            return try write(Array(own), at: magicOffset + magic.count, descriptor, path)
        }
        try LockFile.verifyReplaceable(descriptor, path)
        try SizeLimit.verify(guardByteCount, path: path)
        if lseek(descriptor, 0, SEEK_END) != guardByteCount, ftruncate(descriptor, off_t(guardByteCount)) != 0 {
            throw SystemError.last("ftruncate", path: path)
        }
        var block = [UInt8](repeating: 0, count: guardByteCount)
        block.replaceSubrange(LockFile.layoutVersionOffset..<LockFile.layoutVersionOffset + 2, with: [0xFF, 0xFF])
        block.replaceSubrange(magicOffset..<magicOffset + nonce.count, with: nonce)
        for bytes in [block, [1]] { try write(bytes, at: 0, descriptor, path) }
    }

    private static func write(_ bytes: [UInt8], at offset: Int, _ descriptor: Int32, _ path: String) throws {
        let written = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress!, $0.count, off_t(offset))
        }
        guard written == bytes.count else { throw SystemError.last("pwrite", path: path) }
    }

    private static func holdsGuard(_ descriptor: Int32, nonce: [UInt8]) -> Bool {
        let (magicOffset, layoutVersionOffset) = (LockFile.magicOffset, LockFile.layoutVersionOffset)
        var block = [UInt8](repeating: 0, count: magicOffset + nonce.count)
        let count = unsafe block.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return count == block.count && block[0] == 1 && block[layoutVersionOffset] == 0xFF
            && block[layoutVersionOffset + 1] == 0xFF && Array(block[magicOffset...]) == nonce
    }
}

/// The beginning of a session, for a process that is alone. The lock is held exclusively until this object admits
/// others or is deallocated. Used by one thread, once.
package final class SessionStart {
    private var descriptor: Int32
    private let owner = CurrentProcess.identifier
    private let path: String
    package let identity: FileIdentity
    private let nonce: [UInt8]

    fileprivate init(descriptor: Int32, path: String, _ identity: FileIdentity, nonce: [UInt8]) {
        self.descriptor = descriptor
        self.path = path
        self.identity = identity
        self.nonce = nonce
    }

    deinit { if descriptor != -1 { DiskFile.giveBack(descriptor, owner: owner) } }

    /// Converts the exclusive lock to a shared one. Returns nil if another process opened the database in between, and
    /// may have changed it.
    ///
    /// The conversion isn't atomic. If the block isn't the one that this process wrote, it belongs to another library
    /// or another of our processes.
    package func letOthersIn() -> SessionLock? {
        guard let lock = SessionLock.join(descriptor, path, nonce: nonce) else { return nil }
        descriptor = -1
        return lock
    }
}
