// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Files of the original's client: their history reads as recorded, and they can be used here.
@Suite struct HistoryFixtureTests {
    static let names = Fixtures.names(in: "sync/files").filter { !$0.hasPrefix("users-") }

    private struct Fixture {
        let facts: JSON
        let bytes: [UInt8]

        init(_ name: String) throws {
            let path = Fixtures.path("sync/files/" + name)
            facts = try JSON(parsing: try TextFile.read(path + ".json"))
            bytes = try TestFile.read(path + ".realm")
        }
    }

    @Test func thereAreFiles() { #expect(Self.names.count == 29) }

    @Test(arguments: names) func historyReads(_ name: String) throws {
        let fixture = try Fixture(name)
        let path = Fixtures.path("sync/files/" + name + ".realm")
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        let history = try #require(try StoredHistory(snapshot))
        let facts = try fixture.facts.member("history")
        #expect(try history.version == UInt64(facts.int("snapshotVersion")))
        #expect(try history.fileIdent == UInt64(facts.int("fileIdent")))
        #expect(try history.baseVersion == UInt64(facts.int("baseVersion")))
        let numbers = [
            "clientFileIdentSalt", "latestServerVersion", "latestServerVersionSalt", "downloadServerVersion",
            "downloadClientVersion", "uploadClientVersion", "uploadServerVersion", "downloadedBytes",
            "downloadableBytes", "uploadedBytes", "uploadableBytes",
        ]
        for (offset, number) in numbers.enumerated() {
            let recorded: UInt64? = try facts.member(number).integer()
            #expect(history.number(2 + offset) == recorded, "\(number)")
        }
        try compareEntries(of: history, with: facts)
    }

    private func compareEntries(of history: StoredHistory, with facts: JSON) throws {
        let entries = try #require(facts.member("entries").elements)
        try #require(history.count == entries.count)
        var found: [StoredHistory.Entry] = []
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            found.append(entry)
            return true
        }
        for (entry, recorded) in zip(found, entries) {
            #expect(try entry.version == UInt64(recorded.int("version")))
            #expect(try entry.remoteVersion == UInt64(recorded.int("remoteVersion")))
            #expect(try entry.originIdent == UInt64(recorded.int("originFileIdent")))
            #expect(try entry.timestamp == UInt64(recorded.int("originTimestamp")))
            #expect(try Hexadecimal.text(entry.changeset()) == recorded["changeset"]?.text ?? "")
            #expect(try entry.reciprocal().map { Hexadecimal.text($0) } == recorded["reciprocal"]?.text)
            if let instructions = recorded["changesetInstructions"] {
                #expect(try Changeset(json: instructions) == Changeset(decoding: entry.changeset()))
            }
        }
    }

    /// The application's changes match the recorded instructions. A commit adds one entry after the pending ones.
    @Test(arguments: names) func theFileAcceptsFurtherCommits(_ name: String) throws {
        let fixture = try Fixture(name)
        let client = try ClientDatabase(copyOf: fixture.bytes)
        let before = try client.history()
        let pending = try before.uploads(after: before.progress.upload.clientVersion, limit: .max).entries
        let made = try client.database.write { transaction in
            let table = try transaction.schema.addTable("class_Added")
            let column = try transaction.schema.addColumn("_id", .int, to: table)
            try transaction.schema.setPrimaryKey(column, of: table)
            _ = try transaction.createObject(in: table, [column: .int(7)])
            return ObjectReference("Added", .int(7))
        }
        try client.reopen()
        let after = try client.history()
        #expect(after.version == before.version + 1)
        #expect(after.progress == before.progress)
        #expect(after.file == before.file)
        let uploads = try after.uploads(after: after.progress.upload.clientVersion, limit: .max).entries
        #expect(Array(uploads.dropLast()) == pending)
        let last = try #require(uploads.last)
        #expect(last.clientVersion == after.version)
        #expect(last.serverVersion == before.progress.download.serverVersion)
        #expect(
            try Changeset(decoding: last.changeset).instructions == [
                .addTable(TableDefinition("Added", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
                .createObject(made),
            ])
        try client.close()
        try PythonChecker.requireClean(path: client.path, strict: false)
    }
}
