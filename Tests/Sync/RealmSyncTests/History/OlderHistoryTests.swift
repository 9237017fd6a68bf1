// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import TestTraits
import Testing

@testable import RealmSync

/// Histories written by older clients.
@Suite struct OlderHistoryTests {
    /// Schema 11 stored changesets uncompressed. Such a history reads the same, and the next commit upgrades it.
    @Test(.behaviour("V02"), arguments: HistoryFixtureTests.names) func changesetsThatAreNotCompressedAreRead(
        _ name: String
    ) throws {
        let fixture = Fixtures.path("sync/files/\(name).realm")
        let before = try changesets(of: try Database.open(fixture, readOnly: true).snapshot())
        let folder = try TemporaryFolder()
        let path = folder.path + "/old.realm"
        try TestFile.write(try TestFile.read(fixture), path)
        try storeUncompressed(path, before)
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        #expect(snapshot.top?.historySchemaVersion == 11)
        #expect(try changesets(of: snapshot) == before)
        try FileAudit.requireClean(bytes: TestFile.read(path), strict: false)
        let client = try ClientDatabase(copyOf: try TestFile.read(path))
        let pending = try client.history().uploads(after: 0, limit: .max)
        try client.database.write { write in
            let table = try write.schema.addTable("class_Added")
            try write.schema.setPrimaryKey(try write.schema.addColumn("_id", .int, to: table), of: table)
        }
        #expect(try client.database.snapshot().top?.historySchemaVersion == 12)
        let after = try changesets(of: try client.database.snapshot())
        #expect(after.count == before.count + 1 && Array(after.dropLast()) == before)
        #expect(try client.history().uploads(after: 0, limit: .max).entries.dropLast() == pending.entries[...])
        try client.close()
    }

    /// Until August 2022, clients stored all changesets that they integrated together in one version.
    @Test(.behaviour("V02")) func changesetsThatFollowEachOtherAreRead() throws {
        let one = Changeset([.addTable(TableDefinition("A", .embedded)), .eraseTable("B")])
        let two = Changeset([.eraseTable("C"), .addTable(TableDefinition("A", .embedded))])
        let bytes = one.encoded() + two.encoded() + one.encoded()
        let all = one.instructions + two.instructions + one.instructions
        #expect(try Changeset(decodingSeries: bytes).instructions == all)
        #expect(throws: ChangesetError.self) { try Changeset(decoding: bytes) }
        #expect(try Changeset(decodingSeries: []).instructions.isEmpty)
        #expect(throws: ChangesetError.self) { try Changeset(decodingSeries: bytes + [99]) }
    }

    private struct Stored: Equatable {
        let changeset: [UInt8]
        let reciprocal: [UInt8]?
    }

    private func changesets(of snapshot: Snapshot) throws -> [Stored] {
        let history = try #require(try StoredHistory(snapshot))
        var found: [Stored] = []
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            found.append(Stored(changeset: try entry.changeset(), reciprocal: try entry.reciprocal()))
            return true
        }
        return found
    }

    private func storeUncompressed(_ path: String, _ entries: [Stored]) throws {
        try OldHistory(
            changesets: entries.map { $0.changeset.isEmpty ? .null : .binary($0.changeset) },
            reciprocals: entries.map { $0.reciprocal.map { .binary($0) } ?? .null }
        ).write(to: path)
    }
}

extension OlderHistoryTests {
    /// The original compresses changesets like this on Apple's platforms.
    @Test func changesetsInLZFSEAreRefusedWithAWayOut() {
        let error = #expect(throws: StorageError.self) {
            try CompressedChangeset.decoded([0x21, 9, 0x62, 0x76, 0x78, 0x6E])
        }
        #expect(error?.code == .incompatibleHistory && error?.message.contains("realm upgrade --local") == true)
    }
}
