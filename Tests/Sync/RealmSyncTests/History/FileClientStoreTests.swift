// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The store of a session, in a file.
@Suite struct FileClientStoreTests {
    private let schema = Changeset([
        .addTable(TableDefinition("A", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
        .column("li", of: "A", .int, .list),
        .column("n", of: "A", .int),
        .createObject(ObjectReference("A", .int(1))),
    ])

    private func place(_ column: Text, _ path: Path = .empty) -> Place {
        Place(ObjectReference("A", .int(1)), column, path)
    }

    private func change(
        _ version: UInt64, clientVersion: UInt64 = 0, _ instructions: Instruction...
    ) -> DownloadedChange {
        DownloadedChange(
            serverVersion: version, clientVersion: clientVersion,
            order: ChangeOrder(timestamp: 500 + version, fileIdent: 9), changeset: Changeset(instructions))
    }

    private func progress(_ server: UInt64, _ client: UInt64 = 0, uploaded: UInt64 = 0) -> ClientProgress {
        ClientProgress(
            download: DownloadCursor(serverVersion: server, clientVersion: client),
            latest: SaltedVersion(version: server, salt: 4), upload: UploadCursor(clientVersion: uploaded))
    }

    @Test func lifeOfAFile() throws {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        #expect(store.state == ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(schema) }
        try store.assign(SaltedIdent(ident: 3, salt: 33))
        #expect(store.state.file == SaltedIdent(ident: 3, salt: 33))
        let first = store.uploads(after: 0, limit: .max)
        #expect(first.isComplete)
        #expect(first.entries.map(\.clientVersion) == [2])
        #expect(try Changeset(decoding: first.entries[0].changeset) == schema)

        let own = Instruction.change(place("li", .one(.index(0))), .insert(.int(1), priorSize: 0))
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(Changeset([own])) }
        let other = Instruction.change(place("li", .one(.index(0))), .insert(.int(2), priorSize: 0))
        try store.integrate([change(5, clientVersion: 2, other)], progress(5, 2, uploaded: 2), downloadableBytes: 7)
        #expect(try client.state().content(at: place("li")) == .list([.value(.int(2)), .value(.int(1))]))
        let history = try client.history()
        #expect(history.count == 2)
        #expect(history.baseVersion == 3)
        #expect(history.downloadableBytes == 7)
        var forms: [[UInt8]?] = []
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            forms.append(try entry.reciprocal())
            return true
        }
        let form = Instruction.change(place("li", .one(.index(1))), .insert(.int(1), priorSize: 1))
        #expect(try forms.map { try $0.map { try Changeset(decoding: $0).instructions } } == [[form], nil])
        let uploads = store.uploads(after: 2, limit: .max).entries
        #expect(uploads.map(\.clientVersion) == [4])
        #expect(try uploads.map { try Changeset(decoding: $0.changeset).instructions } == [[own]])

        try store.integrate([], progress(6, 4, uploaded: 4), downloadableBytes: 0)
        #expect(try client.history().baseVersion == 5)
        #expect(try client.history().uploadedBytes > 0)
        try FileAudit.requireCleanTwice(path: client.path)
    }

    @Test func uploadsAreCutByTheirSize() throws {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(schema) }
        for number in 0..<10 {
            let add = Instruction.change(place("n"), .addInteger(Int64(number)))
            try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(Changeset([add])) }
        }
        let batch = store.uploads(after: 2, limit: 40)
        #expect(!batch.isComplete)
        #expect(batch.entries.count > 1)
        #expect(batch.entries.count < 10)
        #expect(store.uploads(after: 2, limit: .max).entries.count == 10)
    }

    @Test func inapplicableChangesLeaveTheFileUnchanged() throws {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        try store.assign(SaltedIdent(ident: 3, salt: 33))
        try store.integrate(
            [change(1, schema.instructions[0], schema.instructions[2])], progress(1), downloadableBytes: 0)
        let (state, model) = (store.state, try client.state())
        let bad: [Instruction] = [
            .change(place("n"), .addInteger(1)),
            .createObject(ObjectReference("B", .int(1))),
            .createObject(ObjectReference("A", .string("x"))),
            .addTable(TableDefinition("A", .embedded)),
            .column("n", of: "A", .string),
            .eraseColumn(ColumnReference("A", "m")), .eraseTable("B"),
        ]
        for instruction in bad {
            #expect {
                try store.integrate(
                    [change(2, .createObject(ObjectReference("A", .int(8))), instruction)], progress(2),
                    downloadableBytes: 0)
            } throws: {
                ($0 as? SessionError)?.code == .badChangeset
            }
        }
        #expect(store.state == state)
        #expect(try client.state() == model)
    }

    @Test func linksWaitForTheirObjects() throws {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        let link = Instruction.column("next", of: "A", .link, isNullable: true, target: "A")
        let two = ObjectReference("A", .int(2))
        try store.integrate(
            [
                change(
                    1, schema.instructions[0], link, schema.instructions[3],
                    .change(place("next"), .update(.link(two), isDefault: false)))
            ], progress(1), downloadableBytes: 0)
        #expect(try client.database.snapshot().table(named: "class_A")?.tombstoneKeys().count == 1)
        try store.integrate([change(2, .createObject(two))], progress(2), downloadableBytes: 0)
        let table = try #require(try client.database.snapshot().table(named: "class_A"))
        #expect(try table.tombstoneKeys().isEmpty)
        try store.integrate([change(3, .eraseObject(two))], progress(3), downloadableBytes: 0)
        #expect(try client.state().content(at: place("next")) == .value(.link(two)))
        try FileAudit.requireClean(path: client.path)
    }
}
