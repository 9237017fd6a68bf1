// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import TestTraits
import Testing

/// Writes whose changesets exceed one blob (container 2.10).
@Suite(.serialized) struct LargeWriteTests {
    private let schema = Changeset([
        .addTable(TableDefinition("A", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
        .column("images", of: "A", .binary, .list),
        .createObject(ObjectReference("A", .int(1))),
    ])
    private let list = Place(ObjectReference("A", .int(1)), "images")

    private func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var (state, words) = (seed, [UInt64](repeating: 0, count: count / 8))
        for index in words.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words[index] = state ^ state >> 29
        }
        return words.withUnsafeBytes { Array($0) }
    }

    private func insertions(_ images: [[UInt8]]) -> Changeset {
        Changeset(
            images.enumerated().map { index, image in
                .change(Place(list.object, list.column, .one(.index(index))), .insert(.binary(image), priorSize: index))
            })
    }

    @Test func aWriteOfMoreThanABlobIsStoredMergedAndUploaded() throws {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(schema) }
        try store.assign(SaltedIdent(ident: 3, salt: 33))
        let own = insertions([noise(10_000_000, 1), noise(10_000_000, 2)])
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(own) }
        func uploads() -> [Changeset?] {
            FileClientStore(client.database).uploads(after: 3, limit: .max).entries.map {
                try? Changeset(decoding: $0.changeset)
            }
        }
        #expect(uploads() == [own])
        // The insertions of another client transform the write to another form of the same length.
        let change = DownloadedChange(
            serverVersion: 5, clientVersion: 2, order: ChangeOrder(timestamp: 1, fileIdent: 9),
            changeset: insertions([[7]]))
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: 5, clientVersion: 2), latest: SaltedVersion(version: 5, salt: 4),
            upload: UploadCursor(clientVersion: 2))
        try store.integrate([change], progress, downloadableBytes: 0)
        var form: Changeset?
        try client.history().forEachEntry(in: 0..<1) { _, entry in
            form = try entry.reciprocal().map { try Changeset(decoding: $0) }
            return true
        }
        #expect(form?.instructions.count == 2 && form != own)
        #expect(try client.database.compact())
        try client.reopen()
        #expect(uploads() == [own])
        let acknowledged = ClientProgress(
            download: DownloadCursor(serverVersion: 5, clientVersion: 4), latest: progress.latest,
            upload: UploadCursor(clientVersion: 4))
        try FileClientStore(client.database).integrate([], acknowledged, downloadableBytes: 0)
        #expect(uploads().isEmpty)
        try client.close()
        try PythonChecker.requireClean(path: client.path)
    }

    @Test(.behaviour("U01")) func aWriteThatNoMessageCarriesNamesItsLargestProperty() throws {
        var options = OpenOptions()
        options.synchronisedHistory = ClientFileHistory(now: { 1000 }, limit: 2000)
        let folder = try TemporaryFolder()
        let database = try Database.open(folder.path + "/test.realm", options: options)
        try database.write { try ChangesetApplier($0, isRecorded: true).apply(schema) }
        #expect {
            try database.write { transaction in
                try ChangesetApplier(transaction, isRecorded: true).apply(insertions([noise(1600, 1), noise(800, 2)]))
            }
        } throws: {
            ($0 as? StorageError)?.code == .limitExceeded && "\($0)".contains("can have 2000")
                && "\($0)".contains("'A.images' accounts for 2400")
        }
        try database.write { try ChangesetApplier($0, isRecorded: true).apply(insertions([noise(1600, 1)])) }
        #expect(try StoredHistory(database.snapshot())?.pendingUploads().count == 2)
    }
}
