// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The changes of a version that only one file receives.
struct FileChange {
    /// For a bootstrap, the objects that it replaces or removes, as erasures: merges discard other changes of them.
    var changeset: Changeset
    /// The bootstrap is sent in parts that aren't stored.
    var isBootstrap: Bool
    /// The version of the file whose writes are reverted.
    var clientVersion: UInt64 = 0
    var rejected: [ServerError.Rejection.Update] = []
    /// The objects of uploads that were merged with the bootstrap, or with forms that the file has never received.
    /// Versions before the bootstrap don't change them in the file, and a file that misses it needs them again.
    var lost: Set<ObjectReference> = []
    /// The encoded changeset of a large bootstrap, which isn't in memory; `changeset` is empty then.
    private var spooled: SpooledBytes?
    /// The encoded changeset of a change that isn't recorded yet, which is encoded once for the log and the file.
    private var encoded: [UInt8]?

    /// The number of instructions of a bootstrap that isn't kept in memory.
    private static let large = 4096

    init(
        changeset: Changeset, isBootstrap: Bool, clientVersion: UInt64 = 0,
        rejected: [ServerError.Rejection.Update] = []
    ) {
        (self.changeset, self.isBootstrap) = (changeset, isBootstrap)
        (self.clientVersion, self.rejected) = (clientVersion, rejected)
    }

    func withEncodedChangeset() -> FileChange {
        var change = self
        change.encoded = changeset.encoded()
        return change
    }

    /// Moves a large bootstrap to a file. If that fails, it remains in memory.
    func spooled(in spool: SpoolFile?) -> FileChange {
        var change = self
        change.encoded = nil
        guard isBootstrap, changeset.instructions.count >= FileChange.large,
            let bytes = try? spool?.store(encoded ?? changeset.encoded())
        else { return change }
        (change.changeset, change.spooled) = (Changeset(), bytes)
        return change
    }

    /// The encoded changeset.
    ///
    /// - Throws: `SystemError`.
    var bytes: [UInt8] { get throws { try spooled?.bytes ?? encoded ?? changeset.encoded() } }

    /// The size of the changeset in the file, in bytes; 0 if it's in memory.
    var spooledSize: Int { spooled?.count ?? 0 }

    /// Returns the change with its changeset in memory.
    ///
    /// - Throws: `SystemError`.
    func loaded() throws -> FileChange {
        guard let spooled else { return self }
        var change = self
        (change.changeset, change.spooled) = (try Changeset(decoding: try spooled.bytes), nil)
        return change
    }
}
