// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Facts about a file as a whole (container 1, 5, 6).
struct FileFacts {
    /// Slot 11 of the top array (container 6.8).
    enum Evacuation: Equatable {
        case idle
        case decided(limit: UInt64)
        case underWay
    }

    let path: String
    let formatVersion: UInt8
    let isStreaming: Bool
    let isEncrypted: Bool
    /// 0 for a file without a commit.
    let version: UInt64
    let historyType: UInt64
    let historySchemaVersion: UInt64
    /// nil unless the file has a local history.
    let changesetCount: Int?
    /// nil unless the file is synchronised.
    let clientHistory: ClientHistoryFacts?
    let schemaVersion: UInt64?
    /// 0 for a file without a top array.
    let topSlotCount: Int
    let logicalByteCount: Int
    let byteCount: Int
    /// nil if the snapshot has no free lists.
    let freeBlockCount: Int?
    let freeByteCount: Int
    /// nil if the top array has no slot for it.
    let evacuation: Evacuation?
    let notes: [String]

    init(_ file: OpenFile) throws {
        path = file.path
        formatVersion = file.header.format == 0 ? FileFormat.version : file.header.format
        isStreaming = file.header.isStreaming
        isEncrypted = file.isEncrypted
        byteCount = file.byteCount
        schemaVersion = try SchemaVersion.read(file.snapshot)
        let top = file.snapshot.top
        version = top?.version ?? 0
        historyType = top?.historyType ?? FileFormat.History.none
        historySchemaVersion = top?.historySchemaVersion ?? 0
        topSlotCount = top?.count ?? 0
        logicalByteCount = top?.logicalSize ?? 0
        changesetCount = try LocalHistory(file.snapshot)?.count
        clientHistory = try ClientHistoryFacts(
            file.snapshot,
            byteCount: SubtreeSize(
                space: file.snapshot.space, budget: .init(file.snapshot, byteCount: file.byteCount)
            ).callAsFunction)
        let hasFreeLists = top.map { $0.count > FileFormat.Top.freeLengths && $0.elements[3] != 0 } ?? false
        let freeList = try file.snapshot.freeList()
        freeBlockCount = hasFreeLists ? freeList.entries.count : nil
        freeByteCount = freeList.byteCount
        evacuation = top?.evacuation.map(FileFacts.evacuation)
        notes = file.notes
    }

    /// The name in the dump format.
    var historyName: String {
        let names = ["none", "outOfRealm", "inRealm", "syncClient", "syncServer"]
        return historyType < names.count ? names[Int(historyType)] : "unknown"
    }

    private static func evacuation(_ element: Int64) -> Evacuation {
        if element == 0 { return .idle }
        return element & 1 == 0 ? .underWay : .decided(limit: UInt64(bitPattern: element) >> 1)
    }
}
