// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A database's part in sharing its file with other processes that use Regnum (container 8.9).
///
/// # The protocol
///
/// Every process that has the file open holds the session lock shared (`SessionLock`), which excludes realm-core. The
/// folder `<path>.management` contains:
/// * `regnum.write` and `regnum.queue`, the write lock (`WriteLock`);
/// * `regnum.open`, held shared during an opening, and exclusively by a process that needs exclusive access;
/// * a file for each participant with the versions that it pins (`ParticipantFile`).
///
/// One of the processes that have a synchronised file open holds the lock of the folder itself (`SyncAgency`).
///
/// All locks are BSD locks, which the kernel releases when a process dies. Only the file's header defines the committed
/// version, unless a crash interrupted a commit. That commit has a record (`CommitRecord`). A process that opens the
/// file for writing, or gets the write lock after another process, finishes the commit first, so its version is never
/// written a second time.
///
/// **A commit** requires the write lock. It reads all participants' pins once, before it allocates its first byte. From
/// them and from its base, the version that the header names, it computes its horizon R (container 6.2). A process that
/// has committed already has the base if, by the write lock, no other process has held the lock since.
///
/// **To pin the newest version**, a reader reads the header and the top array of the version X that it names. It writes
/// the pin of X, then reads again whether the header and that top array are unchanged. If they aren't, it removes the
/// pin and starts over. No lock is needed. At the second read the header named X, and the pin existed:
/// * A commit that read the pins after this one was written preserves X.
/// * At most one commit had read the pins before and wasn't published yet, because commits exclude each other. If it
///   was published before the second read, it wrote X or a later version; otherwise X is its base. It preserves both.
///
/// An unchanged header alone isn't sufficient, because top refs are reused two commits later. So the version in the top
/// array is compared too. All of this is read through the file, not the mapping, because unpinned parts of the file may
/// be truncated at any time. A pin that is removed again reserves space only briefly. It's marked as confirmed after
/// the second read, and only then proves to others that its version can still be read (`VersionMark`).
///
/// While X stays pinned its top ref isn't reused, so an unchanged header means that X is still the newest version.
///
/// **To open the file**, a participant pins the newest version and reads it. If it's the first of its session, or if
/// the file has to be repaired, it first acquires the write lock and then determines the remaining work again. So the
/// next process completes the work of one that died. In both cases the version stays pinned until nothing more of it is
/// read.
///
/// The first participant of a session usually needs none of this (`Database.ExclusiveOpening`). While it holds the
/// session lock exclusively there is no other participant, so a file without pending work is read and pinned directly.
/// Its own file exists and is locked before it admits others. A process that opens the file later finds the pin, and no
/// process has exclusive access.
///
/// Other processes see a commit when its flip is written. A small commit is durable by then, because of its record; a
/// large one a moment later. A power failure in between removes the large commit from the file. A process that has
/// committed after it has made it durable.
///
/// Immutable except for the locks that it holds.
package final class SharedAccess: Sendable {
    let session: SessionLock
    let folder: OpenFolder
    private let knownWriteLock = PublishedOnce<WriteLock>()

    convenience init(_ path: String, _ session: SessionLock) throws {
        self.init(session, try SharedAccess.folder(of: path))
    }

    init(_ session: SessionLock, _ folder: OpenFolder) {
        self.session = session
        self.folder = folder
    }

    /// Opens the management folder of the database at `path`. Creates it if it's missing, with permissions for all
    /// users of the database file.
    static func folder(of path: String) throws -> OpenFolder {
        try OpenFolder.make(path + ".management", for: FilePermissions(ofFileAt: path, else: .ownerOnly))
    }

    var home: FileHome { FileHome(lock: session.identity, folder: folder.identity) }

    /// Throws unless a process that opens the database now would find this participant: the lock file and the folder
    /// still have their names. The caller must hold the write lock.
    func verifyInPlace() throws {
        let missing =
            if !session.isInPlace { session.path } else if try !writeLock.isInPlace { folder.path } else { "" }
        guard !missing.isEmpty else { return }
        throw StorageError(
            .fileAccess,
            "'\(Folder.lastName(of: missing))' beside it was removed or replaced while it was open, so that no "
                + "process sees which others use the file; nothing was written; close it everywhere and open it again")
    }

    /// The write lock. Its files are opened, and created if missing, at the first use: most participants only read.
    var writeLock: WriteLock {
        get throws { try knownWriteLock.value ?? knownWriteLock.publish(try WriteLock(in: folder)) }
    }

    func giveBackWriteLock() { knownWriteLock.value?.release() }

    /// Opened for each lock, which is rare, so an open database holds one descriptor less.
    private func openingLock() throws -> DiskFile {
        try DiskFile.open("regnum.open", in: folder, creation: .createIfMissing)
    }

    /// Performs an opening, while no process has exclusive access.
    func whileOpening<Result>(_ body: () throws -> Result) throws -> Result {
        let opening = try openingLock()
        _ = try opening.lock(.shared, waiting: true)
        defer { opening.unlock() }
        return try body()
    }

    /// Calls `body` while no process can join the session. Returns nil if a process is joining.
    func whileNoProcessOpens<Result>(_ body: () throws -> Result?) throws -> Result? {
        let opening = try openingLock()
        guard try opening.lock(.exclusive, waiting: false) else { return nil }
        defer { opening.unlock() }
        return try body()
    }
}
