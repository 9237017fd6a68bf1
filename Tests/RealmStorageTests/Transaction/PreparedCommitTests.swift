// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// A commit in two steps: laid out by one thread, made durable by another.
@Suite struct PreparedCommitTests {
    @Test(arguments: [false, true]) func aPreparedCommitIsItsMakersAlone(isEncrypted: Bool) throws {
        let test = try TestDatabase(cipher: isEncrypted ? QuickCipher() : nil)
        try test.write { _ = try $0.createTable("class_A") }
        let before = test.database.version
        let transaction = try test.database.beginWrite()
        _ = try transaction.createTable("class_B")
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
        try test.write { _ = try $0.createTable("class_C") }
        try test.close()
    }

    @Test func aPreparedCommitThatIsLetGoIsGivenUp() throws {
        let test = try TestDatabase()
        try test.write { _ = try $0.createTable("class_A") }
        let before = test.database.version
        do {
            let transaction = try test.database.beginWrite()
            _ = try transaction.createTable("class_B")
            _ = try transaction.prepareCommit()
        }
        #expect(test.database.version == before)
        #expect(try test.database.snapshot().table(named: "class_B") == nil)
        try test.write { _ = try $0.createTable("class_C") }
        #expect(test.database.version == before + 1)
        try test.close()
    }

    @Test func aSyncThatFailsLeavesTheVersionBefore() throws {
        let file = FaultyFile(try ImageFile())
        let database = try Database(file: file, readOnly: false)
        try database.write { _ = try $0.createTable("class_A") }
        let before = database.version
        let transaction = try database.beginWrite()
        _ = try transaction.createTable("class_B")
        let commit = try transaction.prepareCommit()
        file.failNext(.sync)
        #expect(throws: StorageError.self) { try commit.finish() }
        #expect(database.version == before)
        #expect(throws: StorageError.self) { try database.beginWrite() }
    }
}
