// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database's part in sharing its file with other processes of ours (container 8.9).
///
/// # The protocol
///
/// Every process that has the file open holds the session lock shared (`SessionLock`), which keeps realm-core away. The
/// folder `<path>.management` contains `regnum.write` and `regnum.queue`, the write lock (`WriteLock`), `regnum.open`,
/// held shared while opening and exclusively by a process that needs exclusive access, and a file for each participant
/// with the versions it pins (`ParticipantFile`). All locks are BSD locks, which the kernel releases when a process
/// dies. Only the file's header defines the committed version, unless a crash interrupted a commit: that commit has a
/// record (`CommitRecord`), and a process that opens the file for writing, or gets the write lock after another one,
/// finishes it first. So its version is never written a second time.
///
/// **A commit** happens under the write lock. It reads all participants' pins once, before it places its first byte,
/// and computes its horizon R (container 6.2) from them and from its base, the version that the header names. A process
/// that has committed has the base already if, by the write lock, no other has held the lock since.
///
/// **To pin the newest version** a reader reads the header and the top array of the version X it names, writes the pin
/// of X, and reads again whether the header and that top array are unchanged; if not, it removes the pin and starts
/// over. No lock is needed. At the second read the header named X, and the pin was there:
/// * A commit that read the pins after that one was written spares X.
/// * At most one commit had read the pins before that and was not published yet, since commits exclude each other. If
///   it was published before the second read, it wrote X or a later version; if not, X is its base. It spares either.
///
/// An unchanged header alone would prove nothing, because top refs are used again two commits later: so the version in
/// the top array is compared too. All of this is read through the file, not the mapping, because unpinned parts may be
/// cut off the file at any time. A pin that is removed again reserves space only briefly.
///
/// While X stays pinned its top ref is not used again, so an unchanged header means that X is the newest still.
///
/// **To open the file** a participant pins the newest version and reads it. If it is the first of its session, or the
/// file has to be repaired, it does so with the write lock instead, and then checks again which work remains; so the
/// next process completes the work of one that died. Either way the version stays pinned until nothing more of it is
/// read.
///
/// The first participant of a session usually needn't do this (`Database.ExclusiveOpening`): while it holds the session
/// lock exclusively there is no other participant, and a file without pending work is read and pinned directly. Its own
/// file exists and is locked before it admits others, so a process that opens the file then finds the pin, and none has
/// exclusive access.
///
/// Other processes see a commit when its flip is written: a small one is durable by then, by its record, and a large
/// one a moment later. A power failure in between takes that from the file; a process that has committed upon it has
/// made it durable.
///
/// Immutable but for the locks it holds.
package final class SharedAccess: Sendable {
    let session: SessionLock
    let folder: OpenFolder
    private let knownWriteLock = PublishedOnce<WriteLock>()

    /// Joins the session at `path`; the folder is created if it is missing.
    convenience init(_ path: String, _ session: SessionLock) throws {
        self.init(session, try SharedAccess.folder(of: path))
    }

    init(_ session: SessionLock, _ folder: OpenFolder) {
        self.session = session
        self.folder = folder
    }

    /// The management folder of the database at `path`, which is made if it is missing, for all users that may use
    /// that.
    static func folder(of path: String) throws -> OpenFolder {
        try OpenFolder.make(path + ".management", for: FilePermissions(ofFileAt: path, else: .ownerOnly))
    }

    /// The lock file and folder shared by all participants.
    var home: FileHome { FileHome(lock: session.identity, folder: folder.identity) }

    /// Throws unless a process that opens the database now meets this participant: the lock file and the folder are
    /// where they were. The caller holds the write lock.
    func verifyInPlace() throws {
        let missing =
            if !session.isInPlace { session.path } else if try !writeLock.isInPlace { folder.path } else { "" }
        guard !missing.isEmpty else { return }
        throw StorageError(
            .fileAccess,
            "'\(Folder.lastName(of: missing))' beside it was removed or replaced while it was open, so that no "
                + "process sees which others use the file; nothing was written; close it everywhere and open it again")
    }

    /// The write lock. Its files are opened at the first use, and made if they are missing: most only read.
    var writeLock: WriteLock {
        get throws { try knownWriteLock.value ?? knownWriteLock.publish(try WriteLock(in: folder)) }
    }

    /// Releases the write lock, which the caller has acquired.
    func giveBackWriteLock() { knownWriteLock.value?.release() }

    /// The file is opened for each lock, which is rare: an open database then holds one descriptor less.
    private func openingLock() throws -> DiskFile {
        try DiskFile.open("regnum.open", in: folder, creation: .createIfMissing)
    }

    /// Runs an opening, while no process has exclusive access.
    func whileOpening<Result>(_ body: () throws -> Result) throws -> Result {
        let opening = try openingLock()
        _ = try opening.lock(.shared, waiting: true)
        defer { opening.unlock() }
        return try body()
    }

    /// Runs `body` while no process can join the session; nil if one is joining at the moment.
    func whileNoProcessOpens<Result>(_ body: () throws -> Result?) throws -> Result? {
        let opening = try openingLock()
        guard try opening.lock(.exclusive, waiting: false) else { return nil }
        defer { opening.unlock() }
        return try body()
    }
}
