// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The write lock among processes: a lock file, with a turnstile for waiting processes.
///
/// A process that finds `regnum.write` locked acquires the turnstile `regnum.queue`, marks `regnum.write` as waited
/// for, and holds the turnstile until it holds the lock. A process that gets the lock without waiting but finds it
/// waited for releases it, and waits behind the turnstile too. So a process that has just written can't overtake a
/// waiting one.
///
/// Both are BSD locks, so the kernel releases them when a process is killed. A killed waiter leaves the file marked as
/// waited for, but the turnstile free: the next process that gets the lock removes that mark. Exclusion depends only on
/// the lock of `regnum.write`; the turnstile and its mark serve fairness. The turnstile is open only during a wait, so
/// an open database holds one descriptor less.
///
/// A process that gets the lock first writes its mark into `regnum.write`. So if it finds its own mark there, no other
/// process has written since, or has died while writing. A power failure may damage the mark, but no process that is
/// alive then has it.
///
/// ```
/// 0                       8       16           17    24      32            33     128
/// | process               | number | waited for | 0   | since | name length | name |
/// ```
///
/// Little-endian; the first two are the mark. The third is 1 while a process waits behind the turnstile, which alone
/// may change it. The rest describes the holder for waiting users, and is valid while the lock is held: the time of
/// acquisition, in nanoseconds since 1970, and the name of the holder's program.
///
/// One thread at a time may use an instance, hence `Sendable`: the lock among threads (`TicketLock`), which is acquired
/// first, guards `abandoned`, the only state that changes.
package final class WriteLock: @unchecked Sendable {
    private let folder: OpenFolder
    private let right: DiskFile
    private let rightIdentity: FileIdentity
    private let mark = CurrentProcess.uniqueBytes()
    /// A wait that was abandoned and may still be in the queue.
    private var abandoned: LockWait?

    private static let fileName = "regnum.write"
    private static let waitedForOffset = 16
    private static let sinceOffset = 24
    private static let nameOffset = 33
    private static let byteCount = 128

    package init(in folder: OpenFolder) throws {
        self.folder = folder
        right = try DiskFile.open(WriteLock.fileName, in: folder, creation: .createIfMissing)
        rightIdentity = try right.status().identity
    }

    /// Whether its file is still under the name where others open it.
    package var isInPlace: Bool { FileIdentity(right.path) == rightIdentity }

    /// Waits until no other process may write. Returns whether none could since this object last held the lock.
    package func acquire(_ waiting: inout Waiting) throws -> Bool {
        if try take(&waiting) {
            noteTime()
            return true
        }
        do {
            try leaveMark()
        } catch {
            release()
            throw error
        }
        return false
    }

    /// Returns, with the lock held, whether the file has the mark of this object.
    private func take(_ waiting: inout Waiting) throws -> Bool {
        if let wait = abandoned, wait.resume() {
            try end(wait, &waiting)
        } else {
            abandoned = nil
            if let isMarked = try takeAtOnce() { return isMarked }
            try wait(&waiting)
        }
        return state().isMarked
    }

    /// Acquires the lock if it's free and no process waits for it. Returns whether the file has the mark of this
    /// object; nil if the caller has to wait.
    private func takeAtOnce() throws -> Bool? {
        guard try right.lock(.exclusive, waiting: false) else { return nil }
        let found = state()
        do {
            if try !found.isWaitedFor || removeMarkOfKilledWaiter() { return found.isMarked }
        } catch {
            right.unlock()
            throw error
        }
        right.unlock()
        return nil
    }

    /// Returns false if the waiter is alive: it holds the turnstile.
    private func removeMarkOfKilledWaiter() throws -> Bool {
        guard let queue = try openQueue() else { return true }
        guard try queue.lock(.exclusive, waiting: false) else { return false }
        setWaitedFor(false)
        queue.unlock()
        return true
    }

    /// Nil if the disk is full or too many files are open. An app must be able to remove objects then, even if other
    /// processes write first.
    private func openQueue() throws -> DiskFile? {
        do {
            return try DiskFile.open("regnum.queue", in: folder, creation: .createIfMissing)
        } catch let error as SystemError where [ENOSPC, EDQUOT, EMFILE, ENFILE].contains(error.number) {
            return nil
        }
    }

    private func wait(_ waiting: inout Waiting) throws {
        let wait = LockWait()
        let isApart =
            waiting.hasLimit
            && SystemThread.runApart { [self] in
                wait.run({ try waitInLine() }, giveBack: right.unlock)
            }
        if isApart { return try end(wait, &waiting) }
        try waiting.reported({ [right] in WriteLock.note(in: right) }) { try waitInLine() }
    }

    private func end(_ wait: LockWait, _ waiting: inout Waiting) throws {
        abandoned = wait
        try wait.end(&waiting) { WriteLock.note(in: right) }
        abandoned = nil
    }

    /// Returns with the lock held and the turnstile released.
    private func waitInLine() throws {
        guard let queue = try openQueue() else {
            _ = try right.lock(.exclusive, waiting: true)
            return
        }
        _ = try queue.lock(.exclusive, waiting: true)
        defer { queue.unlock() }
        setWaitedFor(true)
        _ = try right.lock(.exclusive, waiting: true)
        setWaitedFor(false)
    }

    /// The caller holds the turnstile. Errors are ignored: without the mark another process may write first.
    private func setWaitedFor(_ isWaitedFor: Bool) {
        try? write([isWaitedFor ? 1 : 0], at: WriteLock.waitedForOffset)
    }

    private func state() -> (isMarked: Bool, isWaitedFor: Bool) {
        guard let bytes = try? right.bytes(WriteLock.waitedForOffset + 1, at: 0) else { return (false, false) }
        return (bytes.starts(with: mark), bytes[WriteLock.waitedForOffset] != 0)
    }

    /// A process that can't write its mark must not use the lock, unless it removes the mark that another holder might
    /// mistake for its own. That works even if the disk is full.
    private func leaveMark() throws {
        let name = CurrentProcess.name.utf8.prefix(WriteLock.byteCount - WriteLock.nameOffset)
        let note = WriteLock.bytes(of: CurrentProcess.time) + [UInt8(name.count)] + name
        do {
            try write(note, at: WriteLock.sinceOffset)
            try write(mark, at: 0)
        } catch {
            do { try right.resize(to: 0) } catch _ { throw error }
        }
    }

    /// Called for every write, so it allocates nothing. The time is only informative, so errors are ignored.
    private func noteTime() {
        let time = CurrentProcess.time.littleEndian
        unsafe withUnsafeBytes(of: time) { unsafe try? right.write($0, at: WriteLock.sinceOffset) }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        unsafe try bytes.withUnsafeBytes { unsafe try right.write($0, at: offset) }
    }

    package func release() { right.unlock() }

    /// Runs `body`, which doesn't change the database, with the write lock. Returns at once if the lock is held.
    package func lockedIfFree(_ body: () throws -> Void) throws {
        guard try right.lock(.exclusive, waiting: false) else { return }
        defer { right.unlock() }
        try body()
    }

    package func locked<Result>(_ patience: Patience = Patience(), _ body: () throws -> Result) throws -> Result {
        var waiting = Waiting(patience)
        _ = try acquire(&waiting)
        defer { release() }
        return try body()
    }

    // MARK: Note of the holder

    /// The process that holds the lock now. Nil if the lock is free, or its holder hasn't written its note yet. A
    /// process that tries to acquire the lock at this moment waits a little.
    package static func holder(in folder: OpenFolder) throws -> WriteHolder? {
        do {
            let file = try DiskFile.open(fileName, in: folder, readOnly: true)
            guard try !file.lock(.shared, waiting: false) else { return nil }
            return note(in: file)
        } catch let error as SystemError where error.number == ENOENT {
            return nil
        }
    }

    private static func note(in file: DiskFile) -> WriteHolder? {
        guard let size = try? file.size(), let bytes = try? file.bytes(min(size, byteCount), at: 0),
            bytes.count >= nameOffset
        else { return nil }
        let name = bytes[nameOffset...].prefix(Int(bytes[nameOffset - 1]))
        return WriteHolder(
            processIdentifier: Int(truncatingIfNeeded: number(in: bytes, at: 0)),
            name: String(decoding: name, as: UTF8.self), since: number(in: bytes, at: sinceOffset))
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> Int64 {
        bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
