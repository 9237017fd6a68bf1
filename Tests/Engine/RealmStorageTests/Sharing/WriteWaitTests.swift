// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Waiting for another process that writes or synchronises.
@Suite struct WriteWaitTests {
    private let limit: Int64 = 20_000_000

    @Test func theWriterIsNamed() throws {
        let test = try TestDatabase()
        let child = try ChildProcess(["hold", test.path])
        #expect(try child.nextLine() == "ready")
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) { try test.database.beginWrite(within: limit) }
            #expect(error?.code == .writeTimeout)
            #expect(error?.message.contains("process \(child.identifier) ('regnum-crash-child')") == true)
        }
        let pin = try #require(try test.database.pins().first)
        #expect((pin.processIdentifier, pin.version, pin.label) == (child.identifier, 1, "writer"))
        #expect(pin.since <= CurrentProcess.time && pin.since > CurrentProcess.time - 600_000_000_000)
        try child.kill()
        try requireNoWriter(test.database)
        try test.write { _ in }
        try test.close()
    }

    @Test func aLimitHoldsWithinTheProcessToo() throws {
        let test = try TestDatabase()
        var options = OpenOptions()
        options.patience.limit = limit
        let other = try Database.open(test.path, options: options)
        let transaction = try test.database.beginWrite()
        #expect(throws: StorageError.self) { try test.database.beginWrite(within: limit) }
        #expect(throws: StorageError.self) { try other.beginWrite() }
        #expect(throws: StorageError.self) { try other.compact() }
        let own = try #require(try test.database.pins().first)
        #expect(own.label == "writer")
        let seen = try #require(try other.pins().first)
        #expect((seen.version, seen.label) == (1, "writer"))
        transaction.rollback()
        for database in [test.database, other] { try requireNoWriter(database) }
        try other.beginWrite(within: 60_000_000_000).rollback()
        try test.database.beginWrite(within: 60_000_000_000).rollback()
    }

    /// A waiting process gets the lock before one that releases it and immediately acquires it again.
    @Test func aWaitingProcessIsNext() throws {
        let test = try TestDatabase()
        // The opening of a file without data waits for the write lock as well.
        try test.write { _ = try $0.schema.addTable("class_Item") }
        for _ in 0..<5 {
            let transaction = try test.database.beginWrite()
            let child = try ChildProcess(["wait", test.path])
            #expect(try child.nextLine() == "opened")
            try waitUntilWaitedFor(test.path)
            transaction.rollback()
            let error = #expect(throws: StorageError.self) { try test.database.beginWrite(within: limit) }
            #expect(error?.code == .writeTimeout)
            #expect(try child.nextLine() == "ready")
            try child.kill()
            try test.database.beginWrite().rollback()
        }
        #expect(try !isWaitedFor(test.path))
        try test.close()
    }

    /// A killed waiter leaves the file marked as waited for. The next writer removes the mark, and waits for no one.
    @Test func aKilledWaiterIsNotWaitedFor() throws {
        let test = try TestDatabase()
        for _ in 0..<5 {
            let transaction = try test.database.beginWrite()
            let children = try (0..<3).map { _ in try ChildProcess(["hold", test.path]) }
            try waitUntilWaitedFor(test.path)
            for child in children { try child.kill() }
            transaction.rollback()
            #expect(try isWaitedFor(test.path))
            try test.database.beginWrite(within: 0).rollback()
            #expect(try !isWaitedFor(test.path))
        }
        try test.write { _ in }
        try test.close()
    }

    @Test func theAgentIsReplacedOnceItWasKilled() throws {
        let test = try TestDatabase()
        let agency = try #require(test.database.syncAgency())
        let child = try ChildProcess(["agent", test.path])
        #expect(try child.nextLine() == "ready")
        #expect(try !agency.tryToBecomeAgent())
        try child.kill()
        #expect(try agency.tryToBecomeAgent())
        let error = #expect(throws: Failure.self) { try ChildProcess(["agent", test.path]).finish() }
        #expect(error?.description.contains("another process is the agent") == true)
    }

    private func isWaitedFor(_ path: String) throws -> Bool {
        try Images.read(path + ".management/regnum.write")[16] == 1
    }

    private func waitUntilWaitedFor(_ path: String) throws {
        for _ in 0..<120_000 {
            if try isWaitedFor(path) { return }
            CurrentProcess.pause(microseconds: 10_000)
        }
        throw Failure("no process waits for the write lock")
    }

    /// A cancelled wait briefly holds the lock once it is served.
    private func requireNoWriter(_ database: Database) throws {
        for _ in 0..<120_000 {
            if try database.pins().isEmpty { return }
            CurrentProcess.pause(microseconds: 10_000)
        }
        throw Failure("there is still a writer: \(try database.pins())")
    }
}
