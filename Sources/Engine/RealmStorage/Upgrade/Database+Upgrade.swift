// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Throws if `options` don't allow opening for writing a file with this `header` and `top` (container 7.1, 10.1).
    static func validateWritable(_ header: FileHeader, _ top: TopArray?, _ options: OpenOptions) throws {
        if LegacyFormat(header.format) != nil, !options.allowsUpgrade {
            throw StorageError(.upgradeRequired(header.format), "Database upgrade required but prohibited.")
        }
        guard let top else { return }
        guard top.version < FileFormat.versionLimit else {
            throw StorageError(
                .invalidDatabase,
                "the file claims to be at version \(top.version), which leaves no room for commits; open it read-only",
                offset: top.ref)
        }
        if let history = options.synchronisedHistory { return try validate(top, for: history) }
        switch top.historyType {
        case FileFormat.History.none: return
        // The upgrade removes these histories, because their entries are useless to Regnum.
        case FileFormat.History.outside where LegacyFormat(header.format)?.hasRowTables == true: return
        case FileFormat.History.local where LegacyFormat(header.format)?.hasRowTables == true: return
        case FileFormat.History.local where top.historySchemaVersion > FileFormat.History.localSchemaVersion:
            throw StorageError(
                .incompatibleHistory,
                "the file has a history of schema \(top.historySchemaVersion), newer than this library (1); open it "
                    + "read-only, or use a newer release")
        case FileFormat.History.local: return
        case FileFormat.History.syncClient where options.historyConversion == .local: return
        case FileFormat.History.syncClient:
            throw StorageError(
                .incompatibleHistory,
                "the file belongs to a synchronised Realm (history type 3); open it read-only, or make it a local one "
                    + "by opening it with `storage.convertsSyncedFile`")
        case FileFormat.History.syncServer:
            throw StorageError(
                .incompatibleHistory,
                "the file belongs to a server of synchronised Realms (history type 4), which alone writes it; open it "
                    + "read-only, or make a copy")
        default:
            throw StorageError(
                .incompatibleHistory,
                "the file has a history of type \(top.historyType), which cannot be continued; open it read-only")
        }
    }

    private static func validate(_ top: TopArray, for history: any SynchronisedHistory) throws {
        guard top.historyType != FileFormat.History.none else { return }
        guard top.historyType == FileFormat.History.syncClient,
            history.schemaVersions.contains(top.historySchemaVersion)
        else {
            throw StorageError(
                .incompatibleHistory,
                "the file has a history of type \(top.historyType) and schema \(top.historySchemaVersion), which is "
                    + "not that of a synchronised Realm; open it as a local one, or make a synchronised copy of it "
                    + "with `writeCopy(configuration:)`")
        }
    }

    /// Converts the snapshot found at opening: an older format to the current one, and the history of a synchronised
    /// file to a local one.
    ///
    /// When opened for writing, the conversion is one ordinary commit: a crash leaves the old file or the new one. When
    /// opened read-only, the changes are made in memory only, so no other code handles older formats.
    func bringUpToDate(_ report: (@Sendable (UpgradeProgress) -> Void)? = nil) throws {
        let state = lock.locked { committed }
        guard state.topRef != 0 else { return }
        let era = LegacyFormat(state.header.format)
        if isReadOnly {
            if let era { try publishView(of: state, era, report) }
            return
        }
        let space = NodeSpace(mapping: state.mapping, fileEnd: Ref(state.logicalSize), writable: false)
        let top = try TopArray(space, state.topRef, fileSize: state.logicalSize)
        guard era != nil || synchronisedHistory == nil && top.historyType == FileFormat.History.syncClient else {
            return
        }
        let transaction = try beginWrite()
        do {
            // Another process may have converted the file before this one acquired the write lock.
            let era = LegacyFormat(transaction.base.header.format)
            guard era != nil || transaction.top.historyType == FileFormat.History.syncClient else {
                return transaction.rollback()
            }
            if let era { try Upgrade(transaction, era, for: .commit, report).run() }
            if synchronisedHistory == nil { try transaction.convertHistory() }
            try transaction.commit()
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }

    private func publishView(
        of state: Committed, _ era: LegacyFormat, _ report: (@Sendable (UpgradeProgress) -> Void)?
    ) throws {
        writer.enter()
        let transaction: WriteTransaction
        do {
            transaction = try WriteTransaction(database: self, base: state, pin: 0)
        } catch {
            writer.leave()
            throw error
        }
        do {
            try Upgrade(transaction, era, for: .view, report).run()
            publish(try transaction.detach(), isFlipDurable: true)
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }
}

extension WriteTransaction {
    /// Frees the history of a synchronised file and removes its identity in the cloud (container 7.3). The commit
    /// creates a local history.
    fileprivate func convertHistory() throws {
        guard top.historyType == FileFormat.History.syncClient else { return }
        typealias Slot = FileFormat.Top
        try store.freeTree(try top.history())
        while top.elements.count < Slot.count { top.elements.append(0) }
        top.elements[Slot.history] = 0
        top.elements[Slot.fileIdentifier] = Tagged.encode(0)
    }

    /// Ends the transaction and returns its view as a readable version, with its dirty nodes in the slab.
    fileprivate func detach() throws -> Database.Committed {
        try encodeTables()
        let topRef = try store.create(top.elements, flags: NodeHeader.Flags.hasRefs)
        end(keepingSlab: true)
        return Database.Committed(
            version: base.version, topRef: topRef, logicalSize: base.logicalSize, header: base.header,
            mapping: base.mapping, slabByteCount: store.slabByteCount)
    }
}
