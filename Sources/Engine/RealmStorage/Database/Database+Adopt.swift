// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Pins the newest version, committed by any process, and makes it the current version of this object. Guarded by
    /// `lock`. See `SharedAccess` for the protocol and its reasons.
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

    /// Pins a version that the header doesn't select. While the header is unchanged, no process has written to the
    /// file, because an opening for writing begins with the header. Guarded by `lock`.
    private func pinAhead(_ label: String) throws -> UInt64? {
        let pin = try registry.pin(committed.record, label, isConfirmed: false)
        if try FileHeader(file, size: FileFormat.Header.byteCount).names(committed.header) {
            registry.confirm(pin)
            return pin
        }
        registry.unpin(pin)
        return nil
    }

    /// Guarded by `lock`.
    func adoptNewest() throws {
        guard try !isUpToDate() else { return }
        registry.unpin(try pinNewest("looking"))
    }

    /// Makes the newest version the current version of this object. The caller holds the write lock, so the header
    /// can't change.
    ///
    /// If this object has made the last commit, its state matches the file unless another program has overwritten it,
    /// so only the header is read. Otherwise, for example after a commit that failed half-way, nothing is assumed.
    func adoptForWriting() throws {
        let isKnown = hasNewest
        hasNewest = false
        guard sharing != nil else { return }
        if !isKnown {
            // If another process has died during a commit, the version is unchanged, but pages of an encrypted file may
            // differ.
            try file.refresh()
            // Or it completed the commit except for the flip, and the next opening would complete it.
            if !committed.isAhead { try Database.rollForward(file) }
        }
        let header = try FileHeader(file, size: FileFormat.Header.byteCount)
        // The top array of a pinned version is preserved, so no other version can have the same ref.
        if isKnown || committed.isAhead || registry.isPinned(committed.record), header.names(committed.header) {
            committed.header = header
        } else {
            try adopt(try NamedVersion(file))
        }
    }

    private func isUpToDate() throws -> Bool {
        // During a write no other process commits, and this object's own commit must not be visible before it's
        // durable.
        guard sharing != nil, !isWriting, !isExclusive, !isView else { return true }
        guard registry.isPinned(committed.record) else { return false }
        try verifySize(committed)
        return try FileHeader(file, size: FileFormat.Header.byteCount).names(committed.header)
    }

    /// Whether the current version is a view of an older file in its upgraded state, which is never committed to.
    private var isView: Bool { committed.topRef >= Ref(committed.mapping.fileWindow) }

    /// Makes `named` the current version. It must be pinned, or immutable for another reason.
    private func adopt(_ named: NamedVersion) throws {
        let record = named.record
        guard record.version != committed.version else {
            (committed.header, committed.isAhead) = (named.header, false)
            return
        }
        guard record.version > committed.version else {
            throw StorageError(
                .invalidDatabase, "the file was replaced by an older one while it was open; open it again", path: path)
        }
        // Must be last: data read from the file afterwards are at least as new as the version.
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
