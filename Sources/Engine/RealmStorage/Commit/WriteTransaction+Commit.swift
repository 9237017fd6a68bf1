// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension WriteTransaction {
    /// Commits the changes durably as the next version and returns its number. The steps are those of container 6.7,
    /// with the third and the fourth exchanged.
    ///
    /// If this throws, the database is unchanged: until the flip of step 5 the header selects the base, and no byte of
    /// the base was overwritten. If a sync failed, or if the flip or a record of the commit may already have reached
    /// the disk (`DatabaseFile.giveUp`), the database rejects further writes until it's reopened: the state on disk
    /// after a failed sync is unknown, and the system may report a later sync as successful without having written the
    /// data.
    @discardableResult
    package func commit() throws -> UInt64 { try prepareCommit().finish() }

    /// Performs steps 1 and 2 of a commit: the new version is in the file, but other processes can't find it yet.
    ///
    /// The steps that wait for the disk are in `PreparedCommit.finish()`, which any thread can call. No other process
    /// or thread can write until then.
    package func prepareCommit() throws -> PreparedCommit {
        precondition(isOpen, "the write transaction has ended")
        // If the upgrade of an older file fails, for example because the disk is full, the file must remain unchanged.
        let oldSize = LegacyFormat(base.header.format) == nil ? nil : try? database.file.size()
        do {
            let commit = try stage()
            leaveParentCommit(isStaged: true)
            return commit
        } catch {
            // The data that a parent commit has written must remain.
            if parentCommit == nil { _ = database.file.giveUp() }
            if let oldSize { try? database.file.resize(to: oldSize) }
            let failure = (error as? SystemError).map(StorageError.init) ?? error
            // The next attempt can use the space that the last commit has freed.
            if parentCommit == nil, isOutOfSpace(failure) {
                try? database.settleFlip(of: base)
            }
            end()
            throw failure
        }
    }

    private func stage() throws -> PreparedCommit {
        let file = database.file
        if let failure = store.failure {
            throw StorageError(
                failure.code, "nothing was written, because a change failed half-way: \(failure.message)")
        }
        guard baseVersion + 1 < FileFormat.versionLimit else {
            throw StorageError(
                .limitExceeded,
                "the file is at version \(baseVersion), the maximum; write a copy with new version numbers "
                    + "('realm copy --new-version')")
        }
        // Otherwise the file would be extended with zeros to its old length.
        try database.verifyOwnProcess()
        try database.verifySize(base)
        // 1. All changed nodes below the top array, children before parents.
        try historyWriter?.writeHistory(of: self)
        try tombstones.removeUnlinked()
        try encodeTables()
        if historyWriter == nil { try writeLocalHistory() }
        try finishTop()
        // 2. The free lists of the new version and its top array; the file has the length that they imply.
        let layout = try layOut()
        let logicalSize = top.logicalSize
        if try file.size() < logicalSize { try file.resize(to: logicalSize) }
        // Before anything refers to the version: the address space may be too small for a file of this size.
        let mapping = try database.mapping(base.mapping, for: logicalSize)
        let state = Database.Committed(
            version: top.version, topRef: layout.topRef, logicalSize: logicalSize, header: base.header, mapping: mapping
        )
        let record = try layout.space.recordPlace.flatMap { place in
            try makeRecord(of: state, layout.written).map { ($0, place) }
        }
        return PreparedCommit(self, state, file, layout.space.reachable, record)
    }

    /// Returns nil if this commit has written more than a record can hold. Also nil if it has freed so much space that
    /// the next commit should reuse it: until the flip is durable, the base's space remains in use.
    private func makeRecord(of state: Database.Committed, _ written: WrittenBlocks) throws -> CommitRecord? {
        let freedByteCount = store.freed.reduce(0) { $0 + $1.length }
        guard !written.isTooMuch, freedByteCount <= WrittenBlocks.maxBytes else { return nil }
        let baseTop = try space.node(base.topRef)
        var baseSum = Checksum()
        unsafe baseSum.add(UnsafeRawBufferPointer(start: baseTop.payload - 8, count: baseTop.header.byteCount))
        return CommitRecord(base: base.record.name, baseSum: baseSum, made: state.record.name, written: written)
    }

    func encodeTables() throws {
        for table in loadedTables where unsafe !table.changes.isEmpty {
            directory.elements[table.key.slot] = try table.encode(in: store).element
            directoryChanged = true
        }
        guard directoryChanged || top.ref == 0 else { return }
        typealias Slot = FileFormat.Top
        try store.free(try top.child(Slot.names))
        try store.free(try top.child(Slot.tables))
        top.elements[Slot.names] = try NameList.encode(directory.names, in: store).element
        top.elements[Slot.tables] = try store.create(directory.elements, flags: NodeHeader.Flags.hasRefs).element
    }

    /// Writes one empty history entry, as required of the sole user of a file (container 7.2, C8). A file without a
    /// history gets the slots of a local database (5.2).
    private func writeLocalHistory() throws {
        try store.freeTree(try top.history())
        setHistory(try makeEmptyEntry(), FileFormat.History.local, schema: FileFormat.History.localSchemaVersion)
    }

    /// Creates a tree with one empty entry of the log that realm-core's sessions share.
    package func makeEmptyEntry() throws -> Ref {
        let parts = [
            try store.create([0]), try store.create(flags: NodeHeader.Flags.blob, width: 1), try store.create([0]),
        ]
        return try store.create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Replaces the history. The caller frees or continues the previous one.
    package func setHistory(_ root: Ref, _ type: UInt64, schema: UInt64) {
        typealias Slot = FileFormat.Top
        while top.elements.count < Slot.count { top.elements.append(0) }
        top.elements[Slot.historyType] = Tagged.encode(type)
        top.elements[Slot.history] = root.element
        top.elements[Slot.historySchemaVersion] = Tagged.encode(schema)
    }

    package var history: Ref { get throws { try top.history() } }
    package var historySchemaVersion: UInt64 { top.historySchemaVersion }

    /// The ident of a client file (container 5.1, slot 10); 0 until a server assigns one.
    package var fileIdent: UInt64 {
        get { top.fileIdent }
        set {
            while top.elements.count < FileFormat.Top.count { top.elements.append(0) }
            top.elements[FileFormat.Top.fileIdentifier] = Tagged.encode(newValue)
        }
    }

    private func finishTop() throws {
        typealias Slot = FileFormat.Top
        if top.elements[Slot.fileIdentifier] == 0 { top.elements[Slot.fileIdentifier] = Tagged.encode(0) }
        // `moveNodes` decides again in each commit which nodes to move out of a shrinking file, so the progress
        // recorded by another engine isn't needed (container 6.8).
        if let evacuation = top.evacuation {
            if evacuation & 1 == 0 { try store.free(Ref(element: evacuation)) }
            top.elements[Slot.evacuation] = 0
        }
    }
}
