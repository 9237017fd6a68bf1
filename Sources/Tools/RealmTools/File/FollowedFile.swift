// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A database file that a command keeps open while other programs commit to it, and the version that it shows.
package final class FollowedFile {
    package let path: String
    package let database: Database
    /// Pinned while it's shown.
    package private(set) var snapshot: Snapshot
    private let label: String
    private var token: ForeignCommitToken?

    /// Opens a file, and pins its newest version under `label`.
    package init(_ path: String, cipher: (any PageCipher)?, canWrite: Bool = false, label: String) throws {
        self.path = path
        self.label = label
        database = try FollowedFile.open(path, cipher: cipher, canWrite: canWrite)
        snapshot = try database.snapshot(label: label)
    }

    /// Opens a file for a command during which other programs can open it too.
    static func open(_ path: String, cipher: (any PageCipher)?, canWrite: Bool) throws -> Database {
        canWrite
            ? try WritableFile.openAsIs(path, cipher: cipher)
            : try Database.open(path, readOnly: true, joining: .always, cipher: cipher)
    }

    package var byteCount: Int { get throws { try OpenFile.disk(path).size() } }

    /// Calls `body`, on any thread, after commits of other programs.
    package func onForeignCommit(_ body: @escaping @Sendable () -> Void) throws {
        token = try database.onForeignCommit(body)
    }

    /// Advances to the newest version. Returns the changes; nil if nothing was committed.
    package func advance() throws -> VersionDiff? {
        let newest = try database.snapshot(label: label)
        guard newest.version != snapshot.version else { return nil }
        let changes = try VersionDiff(from: snapshot, to: newest)
        snapshot = newest
        return changes
    }
}
