// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Writes the history of a transaction's new version (§4.6).
struct HistoryEditor {
    struct Entry {
        /// Empty for changes of other files.
        var changeset: [UInt8] = []
        var remoteVersion: UInt64
        /// 0 for changes of this file.
        var originIdent: UInt64 = 0
        var timestamp: UInt64
    }

    private let store: NodeStore
    private var slots: [Int64]

    /// Continues the history of a transaction, or creates one.
    init(_ transaction: WriteTransaction, now: UInt64) throws {
        store = transaction.store
        let root = try transaction.history
        if root != 0 {
            let node = try store.space.refs(root)
            slots = try (0..<node.count).map { try node.element($0) }
            try store.free(root)
            if transaction.historySchemaVersion < HistorySlots.firstCompressedSchema { try compress() }
        } else {
            slots = Array(repeating: 0, count: HistorySlots.count)
            slots[HistorySlots.schemaVersions] = try makeSchemaVersions(transaction.baseVersion, now).element
        }
    }

    /// Creates the record of the history's creation. Schema, library, version, and Unix time have a column each.
    private func makeSchemaVersions(_ version: UInt64, _ now: UInt64) throws -> Ref {
        let library = try store.create("Regnum".utf8.map { Int64($0) })
        let seconds = Int64(now / 1000) + SyncClock.epoch
        let columns = [
            try store.create([Int64(HistorySlots.schema)]),
            try store.create([library.element], flags: NodeHeader.Flags.hasRefs),
            try store.create([Int64(bitPattern: version)]), try store.create([seconds]),
        ]
        return try store.create(columns.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    private mutating func compress() throws {
        for slot in [HistorySlots.changesets, HistorySlots.reciprocals] where slots[slot] != 0 {
            let space = store.space
            try change(slot) { editor, root, count in
                for index in 0..<count {
                    guard case .binary(let bytes) = try BPlusTree(space, root, .binary).value(at: index) else {
                        continue
                    }
                    try editor.set(&root, at: index, .binary(CompressedChangeset.encoded(bytes)))
                }
            }
        }
    }

    // MARK: Numbers

    subscript(slot: Int) -> UInt64 {
        get { slots[slot] == 0 ? 0 : Tagged.decode(slots[slot]) }
        set { slots[slot] = Tagged.encode(newValue) }
    }

    mutating func set(_ progress: ClientProgress) {
        self[HistorySlots.downloadServerVersion] = progress.download.serverVersion
        self[HistorySlots.downloadClientVersion] = progress.download.clientVersion
        self[HistorySlots.latestServerVersion] = progress.latest.version
        self[HistorySlots.latestServerVersionSalt] = progress.latest.salt
        self[HistorySlots.uploadClientVersion] = progress.upload.clientVersion
        self[HistorySlots.uploadServerVersion] = progress.upload.serverVersion
    }

    // MARK: Entries

    mutating func append(_ entry: Entry) throws {
        try change(HistorySlots.changesets) { editor, root, count in
            if entry.changeset.isEmpty { return try editor.insert(&root, at: count, .null) }
            try editor.insertBytes(&root, at: count, CompressedChangeset.encoded(entry.changeset))
        }
        try append(.null, HistorySlots.reciprocals)
        try append(.int(Int64(bitPattern: entry.remoteVersion)), HistorySlots.remoteVersions)
        try append(.int(Int64(bitPattern: entry.originIdent)), HistorySlots.originIdents)
        try append(.int(Int64(bitPattern: entry.timestamp)), HistorySlots.originTimestamps)
    }

    private mutating func append(_ value: StoredValue, _ slot: Int) throws {
        try change(slot) { editor, root, count in try editor.insert(&root, at: count, value) }
    }

    /// Stores the merged form of an own change: no bytes if the merge removed all instructions.
    mutating func setReciprocal(_ changeset: [UInt8], at index: Int) throws {
        try change(HistorySlots.reciprocals) { editor, root, _ in
            try editor.setBytes(&root, at: index, CompressedChangeset.encoded(changeset))
        }
    }

    mutating func trim(_ number: Int) throws {
        let store = store
        for slot in HistorySlots.changesets...HistorySlots.originTimestamps {
            try change(slot) { editor, root, count in
                if number == count {
                    try store.freeTree(root)
                    root = try editor.create()
                } else {
                    for _ in 0..<number { try editor.erase(&root, at: 0) }
                }
            }
        }
    }

    /// Bases the entries on a server version. `changesets`, keyed by position, replace the own changes; entries before
    /// the first of them are removed.
    mutating func rebase(onto serverVersion: UInt64, _ changesets: [Int: [UInt8]]) throws {
        guard let first = changesets.keys.min() else { return try trim(entryCount) }
        try trim(first)
        let number = StoredValue.int(Int64(bitPattern: serverVersion))
        for index in 0..<(try entryCount) {
            try change(HistorySlots.changesets) { editor, root, _ in
                guard let changeset = changesets[first + index] else { return try editor.set(&root, at: index, .null) }
                try editor.setBytes(&root, at: index, CompressedChangeset.encoded(changeset))
            }
            try set(HistorySlots.reciprocals, at: index, .null)
            try set(HistorySlots.remoteVersions, at: index, number)
        }
    }

    private mutating func set(_ slot: Int, at index: Int, _ value: StoredValue) throws {
        try change(slot) { editor, root, _ in try editor.set(&root, at: index, value) }
    }

    /// Removes the state of one client of the server. Keeps the server version of the downloads.
    mutating func forgetClient() throws {
        let kept = HistorySlots.downloadedState.map { self[$0] }
        for slot in HistorySlots.numbers { self[slot] = 0 }
        for (slot, value) in zip(HistorySlots.downloadedState, kept) { self[slot] = value }
        try trim(try entryCount)
    }

    private var entryCount: Int {
        get throws {
            guard slots[HistorySlots.changesets] != 0 else { return 0 }
            return try BPlusTree(store.space, Ref(element: slots[HistorySlots.changesets]), .binary).count
        }
    }

    private mutating func change(_ slot: Int, _ body: (BPlusTreeEditor, inout Ref, Int) throws -> Void) throws {
        let kind = slot <= HistorySlots.reciprocals ? LeafKind.binary : .int
        let editor = BPlusTreeEditor(store, kind)
        guard slots[slot] & 1 == 0 else { throw StorageError.corrupt("a number in the place of a history", at: 0) }
        var root = try slots[slot] == 0 ? editor.create() : Ref(element: slots[slot])
        try body(editor, &root, try BPlusTree(store.space, root, kind).count)
        slots[slot] = root.element
    }

    mutating func finish(_ transaction: WriteTransaction) throws {
        if slots[HistorySlots.sharedLog] != 0 { try store.freeTree(Ref(element: slots[HistorySlots.sharedLog])) }
        slots[HistorySlots.sharedLog] = try transaction.makeEmptyEntry().element
        let root = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
        transaction.setHistory(root, FileFormat.History.syncClient, schema: HistorySlots.schema)
    }
}
