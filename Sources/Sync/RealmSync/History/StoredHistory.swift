// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The history of a client file at one version (§4.6), read-only.
package struct StoredHistory {
    package struct Entry {
        package let version: UInt64
        /// The last server version that was integrated before, or by it.
        package let remoteVersion: UInt64
        /// 0 for a change of this file.
        package let originIdent: UInt64
        /// Milliseconds since 2015.
        package let timestamp: UInt64
        let storedChangeset: [UInt8]
        let storedReciprocal: [UInt8]?
        let isCompressed: Bool

        /// Whether the entry is uploaded unless the server has it.
        package var isUpload: Bool { originIdent == 0 && !storedChangeset.isEmpty }

        /// The changeset as committed. Empty for changes of other files, except in files of older clients: there it's
        /// the concatenation of the changesets of a download.
        package func changeset() throws -> [UInt8] { try decoded(storedChangeset) }

        package var hasReciprocal: Bool { storedReciprocal != nil }

        /// The form of the changeset after merges; nil if no merge changed it.
        package func reciprocal() throws -> [UInt8]? { try storedReciprocal.map(decoded) }

        private func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
            isCompressed ? try CompressedChangeset.decoded(bytes) : bytes
        }
    }

    package let version: UInt64
    /// 0 until a server assigns an ident.
    package let fileIdent: UInt64
    package let count: Int
    private let slots: [Int64]
    private let space: NodeSpace
    private let root: Ref
    private let schema: UInt64
    /// Keeps the addresses in `space` valid. Nil for the history of a transaction, which is valid only as long as the
    /// transaction.
    private let snapshot: Snapshot?

    /// Returns nil if the snapshot isn't that of a synchronised file, or if the history has an older layout.
    package init?(_ snapshot: Snapshot) throws {
        guard let top = snapshot.top, top.historyType == FileFormat.History.syncClient, try top.history() != 0,
            HistorySlots.oldestSchema...HistorySlots.schema ~= top.historySchemaVersion
        else { return nil }
        try self.init(
            snapshot.space, try top.history(), version: snapshot.version, fileIdent: top.fileIdent,
            schema: top.historySchemaVersion, snapshot)
    }

    package init?(before transaction: WriteTransaction) throws {
        guard try transaction.history != 0 else { return nil }
        try self.init(
            transaction.store.space, try transaction.history, version: transaction.baseVersion,
            fileIdent: transaction.fileIdent, schema: transaction.historySchemaVersion, nil)
    }

    private init(
        _ space: NodeSpace, _ root: Ref, version: UInt64, fileIdent: UInt64, schema: UInt64, _ snapshot: Snapshot?
    ) throws {
        self.space = space
        self.snapshot = snapshot
        self.schema = schema
        self.root = root
        self.version = version
        self.fileIdent = fileIdent
        let node = try space.refs(root)
        guard node.count == HistorySlots.count else {
            throw StorageError.corrupt("a history of \(node.count) slots", at: root)
        }
        let slots = try (0..<node.count).map { try node.element($0) }
        self.slots = slots
        for slot in HistorySlots.numbers where slots[slot] != 0 && slots[slot] & 1 == 0 {
            throw StorageError.corrupt("a history with a node in the place of a number", at: root)
        }
        let counts = try (HistorySlots.changesets...HistorySlots.originTimestamps).map { slot in
            try StoredHistory.tree(space, slots, slot, root)?.count ?? 0
        }
        count = counts[0]
        // Each entry has at least one byte of its time, so the file's size limits the number of entries.
        guard counts.allSatisfy({ $0 == counts[0] }), UInt64(count) <= version, count <= Int(space.fileEnd) else {
            throw StorageError.corrupt("a history whose columns have \(counts) entries at version \(version)", at: root)
        }
    }

    private static func tree(_ space: NodeSpace, _ slots: [Int64], _ slot: Int, _ root: Ref) throws -> BPlusTree? {
        guard slots[slot] != 0 else { return nil }
        guard slots[slot] & 1 == 0 else { throw StorageError.corrupt("a number in the place of a node", at: root) }
        return try BPlusTree(space, Ref(element: slots[slot]), slot <= HistorySlots.reciprocals ? .binary : .int)
    }

    /// Nil if the number was never set.
    package func number(_ slot: Int) -> UInt64? { slots[slot] == 0 ? nil : Tagged.decode(slots[slot]) }

    package var file: SaltedIdent? {
        fileIdent == 0 ? nil : SaltedIdent(ident: fileIdent, salt: number(HistorySlots.salt) ?? 0)
    }

    package var progress: ClientProgress {
        func number(_ slot: Int) -> UInt64 { self.number(slot) ?? 0 }
        return ClientProgress(
            download: DownloadCursor(
                serverVersion: number(HistorySlots.downloadServerVersion),
                clientVersion: number(HistorySlots.downloadClientVersion)),
            latest: SaltedVersion(
                version: number(HistorySlots.latestServerVersion), salt: number(HistorySlots.latestServerVersionSalt)),
            upload: UploadCursor(
                clientVersion: number(HistorySlots.uploadClientVersion),
                serverVersion: number(HistorySlots.uploadServerVersion)))
    }

    package var downloadedBytes: UInt64 { number(HistorySlots.downloadedBytes) ?? 0 }
    package var downloadableBytes: UInt64 { number(HistorySlots.downloadableBytes) ?? 0 }
    package var uploadedBytes: UInt64 { number(HistorySlots.uploadedBytes) ?? 0 }
    package var uploadableBytes: UInt64 { number(HistorySlots.uploadableBytes) ?? 0 }

    package var state: ClientFileState {
        ClientFileState(file: file, progress: progress, newestVersion: version)
    }

    package var baseVersion: UInt64 { version - UInt64(count) }

    package func indexes(after version: UInt64) -> Range<Int> {
        Int(min(max(version, baseVersion), self.version) - baseVersion)..<count
    }

    /// Calls `body` with the position and the entry, in order, until it returns `false`.
    package func forEachEntry(in range: Range<Int>, _ body: (Int, Entry) throws -> Bool) throws {
        guard !range.isEmpty else { return }
        let columns = try (HistorySlots.changesets...HistorySlots.originTimestamps).map { slot in
            guard let tree = try StoredHistory.tree(space, slots, slot, root) else {
                throw StorageError.corrupt("a history without entries", at: root)
            }
            return tree
        }
        var cursors = columns.map { BPlusTreeCursor($0) }
        for index in range {
            var values: [StoredValue] = []
            for column in cursors.indices {
                let (leaf, row) = try cursors[column].position(index)
                values.append(try leaf.value(at: row))
            }
            let entry = Entry(
                version: baseVersion + UInt64(index) + 1, remoteVersion: values[2].number,
                originIdent: values[3].number, timestamp: values[4].number, storedChangeset: values[0].bytes ?? [],
                storedReciprocal: values[1].bytes, isCompressed: schema >= HistorySlots.firstCompressedSchema)
            guard try body(index, entry) else { return }
        }
    }

    package func pendingUploads() throws -> (count: Int, byteCount: Int) {
        var result = (count: 0, byteCount: 0)
        try forEachEntry(in: indexes(after: progress.upload.clientVersion)) { _, entry in
            guard entry.isUpload else { return true }
            result.count += 1
            result.byteCount += try entry.changeset().count
            return true
        }
        return result
    }

    /// Returns own changes after a version, in order. Stops after the change that exceeds `limit` bytes.
    package func uploads(after version: UInt64, limit: Int) throws -> UploadBatch {
        var batch = UploadBatch(entries: [], isComplete: true)
        var size = 0
        try forEachEntry(in: indexes(after: version)) { _, entry in
            guard entry.isUpload else { return true }
            guard size <= limit else {
                batch.isComplete = false
                return false
            }
            let changeset = try entry.changeset()
            size += changeset.count
            batch.entries.append(
                ClientMessage.Upload.Entry(
                    clientVersion: entry.version, serverVersion: entry.remoteVersion, timestamp: entry.timestamp,
                    changeset: changeset))
            return true
        }
        return batch
    }
}

extension StoredValue {
    fileprivate var number: UInt64 { if case .int(let number) = self { UInt64(bitPattern: number) } else { 0 } }
    fileprivate var bytes: [UInt8]? { if case .binary(let bytes) = self { bytes } else { nil } }
}
