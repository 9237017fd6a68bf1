// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Client files rewritten from a fresh copy (§7.2, §7.3).
@Suite struct ClientResetTests {
    private typealias State = ResetState

    private let own: [Changeset] = [
        Changeset([
            .createObject(State.three), State.set("n", .int(3), of: State.three),
            State.set("friend", .link(State.three)),
        ]),
        Changeset([
            State.set("n", .int(9)), State.insert(.int(7), 3, of: 3), State.set("part", .int(4), .key("v")),
            .eraseObject(State.two),
        ]),
    ]
    private let server: [Changeset] = [
        Changeset([
            State.column("more", .string, isNullable: true), State.table("B"),
            .createObject(ObjectReference("B", .int(1))),
            State.set("n", .int(5)), State.insert(.int(0), 0, of: 3), State.set("x", .dictionary),
            State.set("x", .list, .key("k")),
            .change(State.place("x", .key("k"), .index(0)), .insert(.string("a"), priorSize: 0)),
            State.set("parts", .int(6), .index(1), .key("v")), State.set("friend", .null),
            .change(State.place("set"), .setInsert(.int(8))), State.set("map", .erased, .key("b")),
            State.set("named", .link(State.two), .key("k")),
        ])
    ]

    @Test func discardMakesTheFileEqualToThatOfTheServer() throws {
        let files = try ResetFiles(State.base, own: own, server: server)
        try files.reset(.discard)
        #expect(try files.local.state() == files.fresh.state())
        #expect(try files.local.history().pendingUploads().count == 0)
        try files.local.close()
    }

    @Test func recoverAppliesOwnChangesAgain() throws {
        let files = try ResetFiles(State.base, own: own, server: server)
        let before = try files.uploads().map(\.clientVersion)
        let made = try files.reset(.recover)
        var expected = own
        expected[1].instructions[1] = State.insert(.int(7), 3, of: 4)
        #expect(made == expected)
        #expect(try files.uploads().map(\.clientVersion) == before)
        #expect(try files.local.history().uploadableBytes == UInt64(made.reduce(0) { $0 + $1.encoded().count }))
        #expect(try files.local.state().content(at: State.place("n")) == .value(.int(9)))
        try files.local.close()
    }

    /// A file that the original has reset: `pbs-reset-recover-unconfirmed`.
    @Test func theHistoryIsRebased() throws {
        let files = try ResetFiles(
            State.base, own: [own[0], Changeset([.eraseObject(State.two)]), own[0]],
            server: [Changeset([.eraseObject(State.two)])])
        try files.reset(.recover)
        let history = try files.local.history()
        var entries: [(UInt64, UInt64, Bool, Bool)] = []
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            entries.append((entry.version, entry.remoteVersion, entry.isUpload, entry.hasReciprocal))
            return true
        }
        // 1 is the ident, 2 the download. Version 4 is empty, and 6 is the reset.
        let expected: [(UInt64, UInt64, Bool, Bool)] = [
            (4, 2, true, false), (5, 2, false, false), (6, 2, true, false), (7, 2, false, false),
        ]
        #expect(entries.map { "\($0)" } == expected.map { "\($0)" })
    }

    @Test func equalFilesAreLeftUnchanged() throws {
        let files = try ResetFiles(State.base)
        let outcome = try ClientReset(local: files.local.database, fresh: files.fresh.database).run(.discard)
        #expect(outcome.mode == .discard)
        #expect(!outcome.hasChangedObjects)
        let one = try ResetFiles(State.base, own: [Changeset([State.set("n", .int(3))])])
        #expect(try ClientReset(local: one.local.database, fresh: one.fresh.database).run(.discard).hasChangedObjects)
    }

    // MARK: Impossible resets

    private func reason(
        _ mode: ClientResetMode = .discard, _ base: Changeset = State.base, own: [Instruction],
        server: [Instruction] = []
    ) throws -> ClientResetError.Reason? {
        let files = try ResetFiles(base, own: [Changeset(own)], server: [Changeset(server)])
        let (state, version) = (try files.local.state(), try files.local.database.snapshot().version)
        do {
            try files.reset(mode)
            return nil
        } catch let error as ClientResetError {
            #expect(!error.message.isEmpty)
            #expect(try files.local.state() == state)
            #expect(try files.local.database.snapshot().version == version)
            #expect(try ClientResetRecord.pending(in: files.local.database) == nil)
            return error.reason
        }
    }

    @Test func classesAndPropertiesOfTheFileAloneAreRefused() throws {
        #expect(try reason(own: [State.table("B")]) == .schema)
        #expect(try reason(own: [State.column("more", .int)]) == .schema)
        #expect(try reason(own: [State.column("more", .int)], server: [State.column("more", .string)]) == .schema)
        #expect(
            try reason(own: [State.column("more", .int)], server: [State.column("more", .int, isNullable: true)])
                == .schema)
        #expect(
            try reason(own: [State.column("more", .int)], server: [State.column("more", .int, .list)]) == .schema)
        let other = Instruction.addTable(
            TableDefinition("B", .topLevel(PrimaryKeyColumn("_id", .string, isNullable: false))))
        #expect(try reason(own: [State.table("B")], server: [other]) == .schema)
        #expect(try reason(own: [State.table("B")], server: [.addTable(TableDefinition("B", .embedded))]) == .schema)
        #expect(try reason(.recover, own: [State.table("B")]) == nil)
    }

    @Test func aCopyThatWasNotDownloadedIsRefused() throws {
        let (local, fresh) = (try ClientDatabase(), try ClientDatabase())
        #expect { try ClientReset(local: local.database, fresh: fresh.database).run(.discard) } throws: {
            ($0 as? ClientResetError)?.reason == .file
        }
    }

    @Test func unrecoverableChangesMayBeDiscarded() throws {
        let own = [Changeset([.eraseColumn(ColumnReference("A", "n"))])]
        let files = try ResetFiles(State.base, own: own)
        #expect { try files.reset(.recover) } throws: { ($0 as? ClientResetError)?.reason == .recovery }
        #expect(try files.reset(.recover, mayDiscard: true) == [])
        #expect(try ClientResetRecord.pending(in: files.local.database)?.mode == .discard)
        #expect(try files.local.state() == files.fresh.state())
    }

    @Test func aServerMayForbidRecovery() throws {
        let files = try ResetFiles(State.base, own: own)
        #expect { try files.reset(.recover, isRecoveryAllowed: false) } throws: {
            ($0 as? ClientResetError)?.reason == .recoveryNotAllowed
        }
        try files.reset(.recover, isRecoveryAllowed: false, mayDiscard: true)
        #expect(try files.local.state() == files.fresh.state())
    }

    // MARK: Record

    @Test func theRecordStaysUntilItIsRemoved() throws {
        let files = try ResetFiles(State.base, own: own)
        let cause = ClientResetCause(.reset, errorCode: 208, message: "the server forgot this file")
        try files.reset(.recover, cause: cause)
        let record = try #require(try ClientResetRecord.pending(in: files.local.database))
        #expect(record.mode == .recover)
        #expect(record.cause == cause)
        #expect(record.time.seconds > 1_700_000_000)
        let uploads = try files.uploads()
        try ClientResetRecord.remove(from: files.local.database)
        #expect(try ClientResetRecord.pending(in: files.local.database) == nil)
        #expect(try files.local.database.snapshot().table(named: "client_reset_metadata") != nil)
        #expect(try files.uploads() == uploads)
        let version = try files.local.database.snapshot().version
        try ClientResetRecord.remove(from: files.local.database)
        #expect(try files.local.database.snapshot().version == version)
        try files.local.close()
    }

    @Test func resetsInACircleFail() throws {
        for mode in [ClientResetMode.discard, .recover] {
            let files = try ResetFiles(State.base, own: own)
            try files.reset(mode)
            #expect { try files.reset(mode) } throws: { ($0 as? ClientResetError)?.reason == .cycle }
            try files.reset(mode, cause: ClientResetCause(.resetWithoutRecovery))
            try ClientResetRecord.remove(from: files.local.database)
            try files.reset(mode)
        }
    }

    @Test func recoverOrDiscardDiscardsInACircleOnce() throws {
        let files = try ResetFiles(State.base, own: own)
        try files.reset(.recover, mayDiscard: true)
        #expect(try files.local.history().pendingUploads().count > 0)
        try files.reset(.recover, mayDiscard: true)
        #expect(try ClientResetRecord.pending(in: files.local.database)?.mode == .discard)
        #expect(try files.local.state() == files.fresh.state())
        #expect { try files.reset(.recover, mayDiscard: true) } throws: {
            ($0 as? ClientResetError)?.reason == .cycle
        }
    }

    /// Incomplete resets in files of the original.
    @Test(arguments: ["pbs-reset-recover-unconfirmed", "flx-reset-unconfirmed"])
    func recordsOfTheOriginalRead(_ name: String) throws {
        let path = Fixtures.path("sync/files/" + name + ".realm")
        let client = try ClientDatabase(copyOf: TestFile.read(path))
        let record = try #require(try ClientResetRecord.pending(in: client.database))
        #expect(record.mode == .recover)
        #expect(record.cause == ClientResetCause(.reset, errorCode: 1032, message: "scripted reset"))
        try ClientResetRecord.remove(from: client.database)
        #expect(try ClientResetRecord.pending(in: client.database) == nil)
        try client.close()
    }

    @Test func theRecordHasTheLayoutOfTheOriginal() throws {
        func layout(_ database: Database) throws -> [String] {
            let table = try #require(try database.snapshot().table(named: "client_reset_metadata"))
            return table.publicColumns.map { "\($0.name) \($0.type) \($0.attributes.rawValue)" }
        }
        let path = Fixtures.path("sync/files/pbs-reset-recover-unconfirmed.realm")
        let files = try ResetFiles(State.base)
        try files.reset(.discard)
        #expect(try layout(files.local.database) == layout(Database.open(path, readOnly: true)))
    }
}
