// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database's part in sharing its file with other processes of ours (container 8.9).
///
/// # The protocol
///
/// Everyone who has the file open holds the session lock shared (`SessionLock`), which keeps realm-core away. In the
/// folder `<path>.management` lie `regnum.write` and `regnum.queue`, the right to write (`WriteLock`), `regnum.open`,
/// held shared while opening and exclusively by whoever needs the file for himself, and a file for each participant
/// with the versions it pins (`ParticipantFile`). All locks are BSD locks, which the kernel takes from a process that
/// dies. Nothing but the file's header says what is committed.
///
/// **A commit** happens under the right to write. It reads all participants' pins once, before it places its first
/// byte, and computes its horizon R (container 6.2) from them and from its base, the version that the header names.
///
/// **To pin the newest version** a reader reads the header and the top array of the version X it names, writes the pin
/// of X, and looks again whether the header and that top array are the same; if not, it takes the pin back and begins
/// anew. No lock is needed. When it looked the second time the header named X, and the pin was there:
/// * A commit that read the pins after that one was written leaves X alone.
/// * At most one commit had read the pins before that and was not published yet, since commits exclude each other. If
///   it was published when the reader looked again, X is what it wrote, or later; if not, X is its base. It spares
///   either.
///
/// The same header alone would prove nothing, because top refs are used again two commits later: so the version in the
/// top array is compared too. All of this is read through the file, not the mapping, because what is not pinned yet may
/// be cut off the file at any time. A pin that is taken back had at worst kept space for a moment.
///
/// While X stays pinned its top ref is not used again, so an unchanged header means that X is the newest still.
///
/// **To open the file** a participant pins the newest version and reads it. If it is the first of its session, or the
/// file has to be brought in order, it does so with the right to write instead, and looks again then what there is to
/// do; so a process that died over it is healed by the next.
///
/// Other processes see a commit when its flip is written, which is a moment before it is durable. A power failure
/// in between takes it from the file; a process that has committed upon it has made it durable.
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
        writeLock = try SharedAccess.writeLock(in: folder)
        opening = try DiskFile.open(folder + "/regnum.open", readOnly: false, creation: .createIfMissing)
    }

    /// The folder is made only when it is missed: as a rule it is there.
    private static func writeLock(in folder: String) throws -> WriteLock {
        do {
            return try WriteLock(in: folder)
        } catch let error as SystemError where error.number == ENOENT {
            try Folder.create(folder)
            return try WriteLock(in: folder)
        }
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
