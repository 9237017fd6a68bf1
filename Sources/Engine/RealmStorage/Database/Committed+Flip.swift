// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// What a crash may bring back in the place of this version. The caller holds the write lock.
///
/// The flip that made a version the newest (container 6.7, step 5) may not be on disk although we see it: it waits for
/// the next sync (`CommitRecord`), or its sync failed, and the system shows what it could not write. Until another sync
/// has written the header anew, a crash brings the version before it back. That one is named by the other slot, and has
/// to stay whole so long.
extension Database.Committed {
    /// Whether there is such a version, or may be.
    var mayFallBack: Bool { otherRef != 0 && topRef != 0 }

    /// The version before this one, if that is what the other slot names.
    func predecessor(in file: any DatabaseFile) throws -> VersionRecord? {
        guard mayFallBack else { return nil }
        let size = min(try file.size(), mapping.fileWindow)
        guard otherRef & 7 == 0, otherRef < UInt64(size) else { return nil }
        let space = NodeSpace(mapping: mapping, fileEnd: Ref(size), writable: false)
        guard let top = try? TopArray(space, Ref(otherRef), fileSize: size), top.version + 1 == version else {
            return nil
        }
        return VersionRecord(version: top.version, topRef: Ref(otherRef), logicalSize: top.logicalSize)
    }

    /// Sees to it that no crash brings an older version back: where the other slot names something else than the
    /// version before, because several were committed at once or the file has just left its streaming form.
    func resolveFlip(in file: any DatabaseFile) throws {
        try header.write(in: file)
        try file.sync()
    }

    /// The header that names this version, if that of the file is behind.
    var naming: FileHeader { isAhead ? header.selecting(topRef) : header }

    private var otherRef: UInt64 { header.selected == 0 ? header.topRefs.1 : header.topRefs.0 }
}
