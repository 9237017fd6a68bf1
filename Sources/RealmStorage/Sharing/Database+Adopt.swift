// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Makes the version that the header names the one that is known here, whoever committed it. Guarded by `lock`.
    ///
    /// It stays pinned, by a slot or the floor, until the caller has pinned it or cleared the floor; with `mayWrite`,
    /// the right to write does as much. See `SharedAccess` for why that is enough.
    func adoptNewest(mayWrite: Bool = false) throws {
        // While we write nobody else commits, and our own commit is not to be seen before it is durable.
        guard sharing != nil, !isWriting, !isExclusive || mayWrite else { return }
        let pinnedAllAlong = registry.hasSlot
        if !mayWrite { try registry.setFloor(committed.record) }
        // While a version is pinned no top ref is used again: the same header means the same version.
        if pinnedAllAlong, try FileHeader(file, size: FileFormat.Header.byteCount) == committed.header { return }
        if try unchangedTop() { return }
        try file.refresh()
        let newest = try Database.load(file, readOnly: isReadOnly, into: committed.mapping)
        guard newest.version != committed.version else { return }
        guard newest.version > committed.version else {
            throw StorageError(
                .invalidDatabase, "the file was replaced by an older one while it was open; open it anew", path: path)
        }
        committed = newest
        foreign.version = newest.version
    }

    /// Whether the header and the version in the top array are those that are known.
    private func unchangedTop() throws -> Bool {
        let (header, size) = try FileHeader.stable(file)
        guard header == committed.header else { return false }
        guard committed.topRef != 0 else { return true }
        let space = NodeSpace(mapping: committed.mapping, fileEnd: Ref(size), writable: false)
        return try TopArray(space, committed.topRef, fileSize: size).version == committed.version
    }
}
