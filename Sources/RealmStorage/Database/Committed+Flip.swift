// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database.Committed {
    /// What a crash may bring back in the place of this version, which another process committed; nil for nothing.
    ///
    /// The flip that made a version the newest (container 6.7, step 5) may not be on disk although we see it: its sync
    /// failed, and the system shows what it could not write. Until another sync has written the header anew, a crash
    /// brings the version before it back. That one is named by the other slot, and has to stay whole so long. If the
    /// other slot names something else, because a commit failed since then or the file has just left its streaming
    /// form, the flags are written once more and synced here, and nothing has to be kept. The caller holds the write
    /// lock.
    func resolveFlip(in file: any DatabaseFile) throws -> VersionRecord? {
        let ref = header.selected == 0 ? header.topRefs.1 : header.topRefs.0
        guard ref != 0, topRef != 0 else { return nil }
        if let before = try predecessor(at: ref, in: file) { return before }
        try header.rewriteFlags(in: file)
        try file.sync()
        return nil
    }

    /// The version before this one, if that is what begins at `ref`.
    private func predecessor(at ref: UInt64, in file: any DatabaseFile) throws -> VersionRecord? {
        let size = min(try file.size(), mapping.fileWindow)
        guard ref & 7 == 0, ref < UInt64(size) else { return nil }
        let space = NodeSpace(mapping: mapping, fileEnd: Ref(size), writable: false)
        guard let top = try? TopArray(space, Ref(ref), fileSize: size), top.version + 1 == version else { return nil }
        return VersionRecord(version: top.version, topRef: Ref(ref), logicalSize: top.logicalSize)
    }
}
