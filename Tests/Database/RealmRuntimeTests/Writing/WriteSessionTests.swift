// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import Testing

/// Writes of instances without models.
@Suite struct WriteSessionTests {
    private func transaction(_ instance: RuntimeInstance) throws -> WriteTransaction {
        try #require(instance.reader.transaction)
    }

    @Test func aCommitMovesTheReader() throws {
        let database = try RuntimeDatabase()
        let instance = try RuntimeInstance(database)
        let before = try #require(instance.reader.snapshot?.version)
        try instance.writes.enter()
        #expect(instance.reader.isInWriteTransaction && instance.reader.snapshot == nil)
        let table = try transaction(instance).schema.addTable("class_A")
        instance.reader.changed()
        #expect(instance.reader.table(table) != nil)
        try instance.writes.commit()
        #expect(instance.reader.snapshot.map { $0.version > before } == true)
        #expect(instance.reader.table(table) != nil && !instance.reader.isInWriteTransaction)
        #expect(instance.calls == ["begin", "end", "commit"])
        #expect(database.log.texts.count == 1 && database.log.texts[0].hasSuffix("Committed to 'test'"))
    }

    @Test func aCancelledWriteLeavesNothing() throws {
        let instance = try RuntimeInstance(try RuntimeDatabase())
        try instance.writes.enter()
        let table = try transaction(instance).schema.addTable("class_A")
        let write = instance.reader.currentWrite
        instance.writes.cancel()
        #expect(instance.reader.table(table) == nil)
        #expect(instance.calls == ["begin", "end", "cancel"])
        let object = ObjectKey(0)
        #expect(instance.writes.cancelled.contains(object, of: table, hasPrimaryKey: false, createdInWrite: write))
        #expect(!instance.writes.cancelled.contains(object, of: table, hasPrimaryKey: false, createdInWrite: 0))
    }

    /// A write begins at the newest version, and its owner is notified if that isn't the one that was read.
    @Test func aWriteBeginsAtAnotherInstancesCommit() throws {
        let database = try RuntimeDatabase()
        let (instance, other) = (try RuntimeInstance(database), try RuntimeInstance(database))
        try other.writes.enter()
        let table = try transaction(other).schema.addTable("class_A")
        try other.writes.commit()
        #expect(instance.reader.table(table) == nil)
        try instance.writes.enter()
        #expect(instance.reader.table(table) != nil && instance.calls == ["begin, moved"])
        instance.writes.cancel()
    }

    /// After a world error, reads continue and the commit throws the error and rolls everything back.
    @Test func aFailedWriteThrowsAtItsCommit() throws {
        let instance = try RuntimeInstance(try RuntimeDatabase())
        try instance.writes.enter()
        let table = try transaction(instance).schema.addTable("class_A")
        instance.reader.failWrite(StorageError(.outOfSpace, "the disk is full"))
        #expect(instance.reader.table(table) != nil && instance.reader.isTroubled)
        let error = #expect(throws: StorageError.self) { try instance.writes.commit() }
        #expect(error?.code == .outOfSpace)
        #expect(instance.reader.table(table) == nil && !instance.reader.isTroubled)
        try instance.writes.enter()
        try instance.writes.commit()
    }

    @Test func anAbandonedWriteIsRolledBackAndLogged() throws {
        let database = try RuntimeDatabase()
        var table = TableKey.null
        do {
            let instance = try RuntimeInstance(database)
            // No thread retains the instance, unlike after `begin()` or `enter()`.
            let transaction = try database.host.database.beginWrite()
            _ = instance.reader.read(transaction, inWrite: 1)
            table = try transaction.schema.addTable("class_A")
        }
        #expect(database.log.texts.contains { $0.hasPrefix("warning: An RLMRealm instance was deallocated") })
        #expect(try RuntimeInstance(database).reader.table(table) == nil)
        try database.host.database.beginWrite().rollback()
    }
}
