// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The version that a crash could restore instead of this one. The caller holds the write lock.
///
/// The flip that made a version the newest (container 6.7, step 5) may be visible without being on disk: it waits for
/// the next sync (`CommitRecord`), or its sync failed and the system still shows the unwritten data. Until another sync
/// has written the header, a crash restores the version before it. The header's other slot selects that version, and
/// its nodes must be preserved until then.
extension Database.Committed {
    var mayFallBack: Bool { otherRef != 0 && topRef != 0 }

    /// Nil if the other slot doesn't select the version before this one.
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

    /// Ensures that a crash can't restore an older version. Needed if the other slot doesn't select the version before
    /// this one, because several were committed at once, or the file was just converted from streaming form.
    func resolveFlip(in file: any DatabaseFile) throws {
        try header.write(in: file)
        try file.sync()
    }

    /// A header that selects this version, even if the header in the file selects an earlier one.
    var naming: FileHeader { isAhead ? header.selecting(topRef) : header }

    private var otherRef: UInt64 { header.selected == 0 ? header.topRefs.1 : header.topRefs.0 }
}
