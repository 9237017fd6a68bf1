// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The right to write, among processes: a lock file with a turnstile before it.
///
/// Whoever wants to write passes the turnstile `regnum.queue` and stands in it until `regnum.write` is his. A process
/// that has just written therefore cannot overtake one that waits: it finds the turnstile occupied, and is behind. Both
/// are BSD locks, so a process that is killed leaves neither behind.
///
/// Whoever gets the right puts his mark into `regnum.write` before he does anything with it. So one who finds his own
/// mark there knows that nobody else has written since, nor has died over it. What a power failure makes of the mark
/// matters to nobody, because no process that is alive then has it.
///
/// One thread at a time may use an instance; all it has is immutable, hence `Sendable`.
package final class WriteLock: Sendable {
    private let queue: DiskFile
    private let right: DiskFile
    private let rightIdentity: FileIdentity
    private let mark = CurrentProcess.uniqueBytes()

    /// Opens the two files in `folder`, and makes them if they are missing.
    package init(in folder: OpenFolder) throws {
        queue = try DiskFile.open("regnum.queue", in: folder, creation: .createIfMissing)
        right = try DiskFile.open("regnum.write", in: folder, creation: .createIfMissing)
        rightIdentity = try right.status().identity
    }

    /// Whether its file still is where others look for it.
    package var isInPlace: Bool { FileIdentity(right.path) == rightIdentity }

    /// Returns when nobody else may write: true if nobody else could since this object had the right last.
    package func acquire() throws -> Bool {
        _ = try queue.lock(.exclusive, waiting: true)
        defer { queue.unlock() }
        _ = try right.lock(.exclusive, waiting: true)
        if isMarked() { return true }
        do {
            // Whoever cannot tell the others that he has the right must not use it.
            unsafe try mark.withUnsafeBytes { unsafe try right.write($0, at: 0) }
        } catch {
            release()
            throw error
        }
        return false
    }

    /// Whether this object was the last to have the right.
    private func isMarked() -> Bool { (try? right.bytes(mark.count, at: 0)) == mark }

    package func release() { right.unlock() }

    /// Runs `body`, which leaves the database as it is, with the right to write, or returns at once if somebody has it.
    package func lockedIfFree(_ body: () throws -> Void) throws {
        guard try right.lock(.exclusive, waiting: false) else { return }
        defer { right.unlock() }
        try body()
    }

    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        _ = try acquire()
        defer { release() }
        return try body()
    }
}
