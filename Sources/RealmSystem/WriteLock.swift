// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The right to write, among processes: a lock file with a turnstile before it.
///
/// Whoever wants to write passes the turnstile `regnum.queue` and stands in it until `regnum.write` is his. A process
/// that has just written therefore cannot overtake one that waits: it finds the turnstile occupied, and is behind. Both
/// are BSD locks, so a process that is killed leaves neither behind. One thread at a time may use an instance; the
/// descriptors are immutable, hence `Sendable`.
package final class WriteLock: Sendable {
    private let queue: DiskFile
    private let right: DiskFile

    /// Opens the two files in `folder`, and makes them if they are missing.
    package init(in folder: OpenFolder) throws {
        queue = try DiskFile.open("regnum.queue", in: folder, creation: .createIfMissing)
        right = try DiskFile.open("regnum.write", in: folder, creation: .createIfMissing)
    }

    /// Returns when nobody else may write.
    package func acquire() throws {
        _ = try queue.lock(.exclusive, waiting: true)
        defer { queue.unlock() }
        _ = try right.lock(.exclusive, waiting: true)
    }

    package func release() { right.unlock() }

    /// Runs `body` with the right to write, or returns at once if somebody has it.
    package func lockedIfFree(_ body: () throws -> Void) throws {
        guard try right.lock(.exclusive, waiting: false) else { return }
        defer { right.unlock() }
        try body()
    }

    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try acquire()
        defer { release() }
        return try body()
    }
}
