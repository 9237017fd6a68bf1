// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Pins the newest version, whichever process committed it, and makes it the one that is known here. Guarded by
    /// `lock`. See `SharedAccess` for how and why.
    func pinNewest(_ label: String) throws -> UInt64 {
        try verifyOwnProcess()
        if try isUpToDate() { return try registry.pin(committed.record, label) }
        if committed.isAhead, let pin = try pinAhead(label) { return pin }
        let (named, pin) = try NamedVersion.pinNewest(of: file, in: &registry, label)
        do {
            try adopt(named)
        } catch {
            registry.unpin(pin)
            throw error
        }
        return pin
    }

    /// Pins a version that the header does not name: as long as that has not changed, no process has written to the
    /// file, because an opening for writing begins with the header. Guarded by `lock`.
    private func pinAhead(_ label: String) throws -> UInt64? {
        let pin = try registry.pin(committed.record, label)
        if try FileHeader(file, size: FileFormat.Header.byteCount).names(committed.header) { return pin }
        registry.unpin(pin)
        return nil
    }

    /// Makes the newest version the one that is known here. Guarded by `lock`.
    func adoptNewest() throws {
        guard try !isUpToDate() else { return }
        registry.unpin(try pinNewest("looking"))
    }

    /// Makes the newest version the one that is known here, with the write lock held, so that the header stays as it
    /// is.
    ///
    /// Where this object was the last to hold the write lock, and it has committed, what it knows is what is in the
    /// file, unless another program has written over it: so the header alone is looked at. After anything else but a
    /// commit, which may have been one that failed half-way, nothing is known.
    func adoptForWriting() throws {
        let isKnown = hasNewest
        hasNewest = false
        guard sharing != nil else { return }
        if !isKnown {
            // A process that died in a commit left the version as it was, but not the pages of an encrypted file.
            try file.refresh()
            // Or it left all of the commit but the flip, and an opening that comes now goes by that.
            if !committed.isAhead { try Database.rollForward(file) }
        }
        let header = try FileHeader(file, size: FileFormat.Header.byteCount)
        // A version that is pinned keeps its top array, so that no other can have the same place.
        if isKnown || committed.isAhead || registry.isPinned(committed.version), header.names(committed.header) {
            committed.header = header
        } else {
            try adopt(try NamedVersion(file))
        }
    }

    private func isUpToDate() throws -> Bool {
        // While we write no other process commits, and our own commit is not to be seen before it is durable.
        guard sharing != nil, !isWriting, !isExclusive, !isView else { return true }
        guard registry.isPinned(committed.version) else { return false }
        try verifySize(committed)
        return try FileHeader(file, size: FileFormat.Header.byteCount).names(committed.header)
    }

    /// Whether what is known here is how an older file would look after its upgrade, which is never committed to.
    private var isView: Bool { committed.topRef >= Ref(committed.mapping.fileWindow) }

    /// What is pinned, or cannot change for another reason, becomes the version that is known here.
    private func adopt(_ named: NamedVersion) throws {
        let record = named.record
        guard record.version != committed.version else {
            (committed.header, committed.isAhead) = (named.header, false)
            return
        }
        guard record.version > committed.version else {
            throw StorageError(
                .invalidDatabase, "the file was replaced by an older one while it was open; open it anew", path: path)
        }
        // Only now: what is read of the file from here on is as new as the version.
        try file.refresh()
        if record.logicalSize > committed.mapping.fileWindow {
            committed.mapping = try Database.map(file, atLeast: record.logicalSize, withSlab: !isReadOnly)
        }
        committed = Committed(
            version: record.version, topRef: record.topRef, logicalSize: record.logicalSize, header: named.header,
            mapping: committed.mapping)
        foreign.version = record.version
    }
}
