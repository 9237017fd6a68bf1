// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The write lock among processes: a lock file, with a turnstile before it.
///
/// A writing process acquires the turnstile `regnum.queue` and holds it until it holds `regnum.write`. So a process
/// that has just written can't overtake a waiting one: it finds the turnstile occupied, and waits. Both are BSD locks,
/// so the kernel releases them when a process is killed.
///
/// A process that gets the lock first writes its mark into `regnum.write`. So if it finds its own mark there, no other
/// process has written since, or has died while writing. A power failure may damage the mark, but no process that is
/// alive then has it.
///
/// ```
/// 0                       8       16      24            25     128
/// | process               | number | since | name length | name |
/// ```
///
/// Little-endian; the first two are the mark. The rest describes the holder for waiting users, and is valid while the
/// lock is held: the time of acquisition, in nanoseconds since 1970, and the name of the holder's program.
///
/// One thread at a time may use an instance, hence `Sendable`: the lock among threads (`TicketLock`), which is acquired
/// first, guards `abandoned`, the only state that changes.
package final class WriteLock: @unchecked Sendable {
    private let queue: DiskFile
    private let right: DiskFile
    private let rightIdentity: FileIdentity
    private let mark = CurrentProcess.uniqueBytes()
    /// A wait that was abandoned and may still be in the queue.
    private var abandoned: LockWait?

    private static let fileName = "regnum.write"
    private static let sinceOffset = 16
    private static let nameOffset = 25
    private static let byteCount = 128

    package init(in folder: OpenFolder) throws {
        queue = try DiskFile.open("regnum.queue", in: folder, creation: .createIfMissing)
        right = try DiskFile.open(WriteLock.fileName, in: folder, creation: .createIfMissing)
        rightIdentity = try right.status().identity
    }

    /// Whether its file is still under the name where others open it.
    package var isInPlace: Bool { FileIdentity(right.path) == rightIdentity }

    /// Waits until no other process may write. Returns whether none could since this object last held the lock.
    package func acquire(_ waiting: inout Waiting) throws -> Bool {
        try take(&waiting)
        if isMarked() {
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

    private func take(_ waiting: inout Waiting) throws {
        if let wait = abandoned, wait.resume() { return try end(wait, &waiting) }
        abandoned = nil
        let isFirst = try queue.lock(.exclusive, waiting: false)
        if isFirst, try takeRight(waiting: false) { return }
        let wait = LockWait()
        let isApart =
            waiting.hasLimit
            && SystemThread.runApart { [self] in
                wait.run({ try waitInLine(isFirst) }, giveBack: right.unlock)
            }
        if isApart { return try end(wait, &waiting) }
        try waiting.reported({ [right] in WriteLock.note(in: right) }) { try waitInLine(isFirst) }
    }

    private func end(_ wait: LockWait, _ waiting: inout Waiting) throws {
        abandoned = wait
        try wait.end(&waiting) { WriteLock.note(in: right) }
        abandoned = nil
    }

    /// Returns with the lock held and the turnstile released. `isFirst`: the process already holds the turnstile, and
    /// keeps its turn.
    private func waitInLine(_ isFirst: Bool) throws {
        if !isFirst { _ = try queue.lock(.exclusive, waiting: true) }
        _ = try takeRight(waiting: true)
    }

    /// The caller holds the turnstile. It is released when the lock is acquired or an error is thrown, and kept if the
    /// lock isn't free.
    private func takeRight(waiting: Bool) throws -> Bool {
        do {
            guard try right.lock(.exclusive, waiting: waiting) else { return false }
            queue.unlock()
            return true
        } catch {
            queue.unlock()
            throw error
        }
    }

    private func isMarked() -> Bool { (try? right.bytes(mark.count, at: 0)) == mark }

    /// A process that can't write its mark must not use the lock, unless it removes the mark that another holder might
    /// mistake for its own. That works even if the disk is full.
    private func leaveMark() throws {
        let name = CurrentProcess.name.utf8.prefix(WriteLock.byteCount - WriteLock.nameOffset)
        let note = mark + WriteLock.bytes(of: CurrentProcess.time) + [UInt8(name.count)] + name
        do {
            try write(note, at: 0)
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
