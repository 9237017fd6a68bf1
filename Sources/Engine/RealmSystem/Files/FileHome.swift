// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The lock file and the management folder shared by all users of a database file, by identity.
///
/// These are next to the file, under its name. A name that can't be derived from the path leads to another home: a hard
/// link, a mount of the file alone, a new name of an open file. So does the removal of the lock file while the file is
/// open. Users of two homes would write without excluding each other.
///
/// So each user holds a shared lock on one byte of the database file itself, far beyond its end, at an offset that
/// follows from the home. A lock on another byte belongs to a user of another home. The locks are those of open file
/// descriptions: the kernel releases them when a process dies. realm-core ignores them.
package struct FileHome: Sendable {
    let offset: Int64

    static let firstOffset: Int64 = 1 << 62
    private static let offsetCount: UInt64 = 1 << 61

    package init(lock: FileIdentity, folder: FileIdentity) {
        let hash = [lock.device, lock.number, folder.device, folder.number].reduce(0) { hash, number in
            FileHome.mixed(hash ^ number)
        }
        offset = FileHome.firstOffset + Int64(hash % FileHome.offsetCount)
    }

    /// Maps different numbers to different numbers, and near ones far from each other: the finaliser of MurmurHash3.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 33) &* 0xFF51_AFD7_ED55_8CCD
        number = (number ^ number >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return number ^ number >> 33
    }
}

extension DiskFile {
    /// Marks this file as open in `home`. Throws if it is open in another one.
    ///
    /// Users of two homes that open the file at the same time may both fail although neither holds it yet, so both try
    /// again. If the system has no such locks, a file with several names is rejected.
    package func claim(_ home: FileHome) throws {
        for attempt in 0..<10 {
            // After a conflict, it checks before it takes the lock again, so as not to hinder processes that stay.
            if attempt == 0 || !isClaimed(elsewhereThan: home) {
                guard takeClaim(home) else { return try refuseSeveralNames() }
                if !isClaimed(elsewhereThan: home) { return }
                releaseClaim()
            }
            CurrentProcess.pause(microseconds: UInt32.random(in: 1_000..<20_000))
        }
        throw SystemError(
            "open", path: path, number: EBUSY,
            reason: "the same file is open under another name, or its lock file or management folder was removed while "
                + "it was open; use one name, or close it everywhere and open it again")
    }

    package var isClaimed: Bool { claim(in: FileHome.firstOffset, .max) != nil }

    private func isClaimed(elsewhereThan home: FileHome) -> Bool {
        guard let found = claim(in: FileHome.firstOffset, .max) else { return false }
        // Usually this is the only process. Locks of processes of the same home hide those after them.
        guard found == home.offset else { return true }
        return claim(in: FileHome.firstOffset, home.offset - 1) != nil || claim(in: home.offset + 1, .max) != nil
    }

    private func refuseSeveralNames() throws {
        guard let status = FileStatus(descriptor: descriptor), status.linkCount > 1 else { return }
        throw SystemError(
            "open", path: path, number: EBUSY,
            reason:
                "the file has \(status.linkCount) names, and this system cannot determine which process has it open under "
                + "another one; remove all names but one")
    }

    #if os(Linux) || os(Android)
        /// Acquires the lock. Returns false if the system has no such locks.
        private func takeClaim(_ home: FileHome) -> Bool {
            var lock = DiskFile.range(home.offset, home.offset, F_RDLCK)
            return retrying { Int(unsafe fcntl(descriptor, setLock, &lock)) } == 0
        }

        func releaseClaim() {
            var lock = DiskFile.range(FileHome.firstOffset, .max, F_UNLCK)
            _ = retrying { Int(unsafe fcntl(descriptor, setLock, &lock)) }
        }

        private func claim(in first: Int64, _ last: Int64) -> Int64? {
            guard first <= last else { return nil }
            var lock = DiskFile.range(first, last, F_WRLCK)
            guard retrying({ Int(unsafe fcntl(descriptor, getLock, &lock)) }) == 0, lock.l_type != Int16(F_UNLCK) else {
                return nil
            }
            return Int64(lock.l_start)
        }

        private static func range(_ first: Int64, _ last: Int64, _ kind: Int32) -> flock {
            var lock = flock()
            lock.l_type = Int16(kind)
            lock.l_whence = Int16(SEEK_SET)
            // A length of 0 reaches to the maximum offset.
            (lock.l_start, lock.l_len) = (off_t(first), last == .max ? 0 : off_t(last - first + 1))
            return lock
        }
    #else
        private func takeClaim(_ home: FileHome) -> Bool { false }

        func releaseClaim() {}

        private func claim(in first: Int64, _ last: Int64) -> Int64? { nil }
    #endif
}

#if os(Linux) || os(Android)
    /// F_OFD_GETLK and F_OFD_SETLK, which not all Swift modules of the C libraries have.
    private let getLock: Int32 = 36
    private let setLock: Int32 = 37
#endif
