// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// A commit in two steps: one thread prepares it, another makes it durable.
@Suite struct PreparedCommitTests {
    @Test(arguments: [false, true]) func aPreparedCommitIsVisibleToItsMakerOnly(isEncrypted: Bool) throws {
        let test = try TestDatabase(cipher: isEncrypted ? QuickCipher() : nil)
        try test.write { _ = try $0.schema.addTable("class_A") }
        let before = test.database.version
        let transaction = try test.database.beginWrite()
        _ = try transaction.schema.addTable("class_B")
        let commit = try transaction.prepareCommit()
        try withExtendedLifetime(try commit.snapshot(label: "maker")) { own in
            #expect(own.version == before + 1 && commit.version == before + 1)
            #expect(try own.table(named: "class_B") != nil)
            #expect(test.database.version == before)
            #expect(try test.database.snapshot().table(named: "class_B") == nil)
            try commit.finish()
            #expect(test.database.version == before + 1)
            #expect(try own.table(named: "class_B") != nil)
            #expect(try test.database.snapshot().table(named: "class_B") != nil)
        }
        try test.write { _ = try $0.schema.addTable("class_C") }
        try test.close()
    }

    @Test func aReleasedPreparedCommitIsDiscarded() throws {
        let test = try TestDatabase()
        try test.write { _ = try $0.schema.addTable("class_A") }
        let before = test.database.version
        do {
            let transaction = try test.database.beginWrite()
            _ = try transaction.schema.addTable("class_B")
            _ = try transaction.prepareCommit()
        }
        #expect(test.database.version == before)
        #expect(try test.database.snapshot().table(named: "class_B") == nil)
        try test.write { _ = try $0.schema.addTable("class_C") }
        #expect(test.database.version == before + 1)
        try test.close()
    }

    @Test(arguments: [false, true]) func versionsOnTopOfAPreparedOne(isEncrypted: Bool) throws {
        let file = FaultyFile(try ImageFile())
        let database = try Database(
            file: isEncrypted ? try EncryptedFile(file, cipher: QuickCipher()) : file, readOnly: false)
        try database.write { _ = try $0.schema.addTable("class_A") }
        let before = database.version
        file.forget()
        var commit = try prepare("class_B", try database.beginWrite())
        var snapshots = [try commit.snapshot(label: "test")]
        for name in ["class_C", "class_D", "class_E"] {
            let abandoned = try commit.beginChild()
            _ = try abandoned.schema.addTable("class_X")
            abandoned.rollback()
            let next = try prepare(name, try commit.beginChild())
            #expect(!commit.isPending && next.isPending)
            commit = next
            snapshots.append(try commit.snapshot(label: "test"))
        }
        #expect(database.version == before)
        #expect(try names(try database.snapshot()) == ["class_A"])
        #expect(!file.events.contains { if case .sync = $0 { true } else { false } })
        try commit.finish()
        #expect(file.events.count { if case .sync = $0 { true } else { false } } == 2)
        #expect(database.version == before + 4)
        let all = ["class_A", "class_B", "class_C", "class_D", "class_E"]
        for (index, snapshot) in snapshots.enumerated() { #expect(try names(snapshot) == Array(all[...(index + 1)])) }
        try database.write { _ = try $0.schema.addTable("class_F") }
        #expect(try names(try database.snapshot()) == all + ["class_F"])
    }

    @Test func aLaterVersionThatFailsLeavesTheEarlierOne() throws {
        var failures = 0
        for count in 0... {
            let file = FaultyFile(try ImageFile())
            let database = try Database(file: file, readOnly: false)
            try database.write { _ = try $0.schema.addTable("class_A") }
            let commit = try prepare("class_B", try database.beginWrite())
            let next = try commit.beginChild()
            _ = try next.schema.addTable("class_C")
            file.fail(after: count)
            let later = try? next.prepareCommit()
            file.recover()
            if let later {
                try later.finish()
            } else {
                failures += 1
                #expect(commit.isPending && !next.isOpen)
                try commit.finish()
            }
            let reopened = try Database(file: file, readOnly: false)
            let expected = ["class_A", "class_B"] + (later == nil ? [] : ["class_C"])
            #expect(try names(try reopened.snapshot()) == expected && names(try database.snapshot()) == expected)
            try database.write { _ = try $0.schema.addTable("class_D") }
            if file.failedCall == nil { break }
        }
        #expect(failures > 3)
    }

    @Test func releasedVersionsAreDiscarded() throws {
        let test = try TestDatabase()
        try test.write { _ = try $0.schema.addTable("class_A") }
        let before = test.database.version
        do {
            let commit = try prepare("class_B", try test.database.beginWrite())
            let later = try prepare("class_C", try commit.beginChild())
            _ = try later.beginChild()
        }
        #expect(test.database.version == before)
        try test.write { _ = try $0.schema.addTable("class_D") }
        #expect(try names(try test.database.snapshot()) == ["class_A", "class_D"])
        try test.close()
    }

    private func prepare(_ name: String, _ transaction: WriteTransaction) throws -> PreparedCommit {
        _ = try transaction.schema.addTable(name)
        return try transaction.prepareCommit()
    }

    private func names(_ source: Snapshot) throws -> [String] {
        try source.tableKeys().compactMap { try source.table($0)?.name }
    }

    @Test func aSyncThatFailsLeavesTheVersionBefore() throws {
        let file = FaultyFile(try ImageFile())
        let database = try Database(file: file, readOnly: false)
        try database.write { _ = try $0.schema.addTable("class_A") }
        let before = database.version
        let transaction = try database.beginWrite()
        _ = try transaction.schema.addTable("class_B")
        let commit = try transaction.prepareCommit()
        file.failNext(.sync)
        #expect(throws: StorageError.self) { try commit.finish() }
        #expect(database.version == before)
        #expect(throws: StorageError.self) { try database.beginWrite() }
    }
}
