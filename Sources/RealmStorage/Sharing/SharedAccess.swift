// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database's part in sharing its file with other processes of ours (container 8.9).
///
/// # The protocol
///
/// Everyone who has the file open holds the session lock shared (`SessionLock`), which keeps realm-core away. In the
/// folder `<path>.management` lie `regnum.write` and `regnum.queue`, the right to write (`WriteLock`), `regnum.open`,
/// held shared while opening and exclusively by whoever needs the file for himself, and a file for each participant with
/// the versions it pins (`ParticipantFile`). All locks are BSD locks, which the kernel takes from a process that dies.
/// Nothing but the file's header says what is committed.
///
/// **A commit** happens under the right to write. It reads all participants' pins once, before it places its first
/// byte, and computes its horizon R (container 6.2) from them and from its base, the version that the header names.
///
/// **To pin the newest version** a reader first pins a floor K, any version that it knows to have been committed, then
/// reads the header and the top array X it names, then pins X, then lets go of K. No lock is needed, nor a second look:
/// * A commit that read the pins after K was written has R ≤ K ≤ X and leaves X and all that follow alone.
/// * At most one commit had read the pins before that and was not published yet, since commits exclude each other. Its
///   R is at most its base, which the header still named when K was written; so X, read from the header later, is that
///   base or a later version, and R ≤ X again.
///
/// Either way X, wherever the header got to meanwhile, stays as it is until the reader lets go. A pin that is held
/// already serves as the floor. Since top refs are used again, equal headers mean equal versions only while a pin is
/// held; without one the version in the top array decides.
///
/// **To open the file** a participant makes its file with a floor below every version, then reads the header. It takes
/// the right to write only if the session is its own or the file needs to be brought in order first, and looks again
/// then; so a process that died over it is healed by the next.
///
/// Immutable but for the locks it holds.
package final class SharedAccess: Sendable {
    let session: SessionLock
    let writeLock: WriteLock
    let folder: String
    private let opening: DiskFile

    /// Takes part in the session at `path`; the folder and the lock files are made if they are missing.
    init(_ path: String, _ session: SessionLock) throws {
        self.session = session
        folder = path + ".management"
        try Folder.create(folder)
        writeLock = try WriteLock(in: folder)
        opening = try DiskFile.open(folder + "/regnum.open", readOnly: false, creation: .createIfMissing)
    }

    /// Runs what opens the file, while nobody has it for himself.
    func whileOpening<Result>(_ body: () throws -> Result) throws -> Result {
        _ = try opening.lock(.shared, waiting: true)
        defer { opening.unlock() }
        return try body()
    }

    /// Runs `body` while nobody can begin to take part; nil if somebody is doing so right now.
    func whileNobodyOpens<Result>(_ body: () throws -> Result?) throws -> Result? {
        guard try opening.lock(.exclusive, waiting: false) else { return nil }
        defer { opening.unlock() }
        return try body()
    }
}
