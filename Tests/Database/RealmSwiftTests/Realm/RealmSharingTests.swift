// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

final class SharedCounter: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: Int
}

/// A Realm whose file another process uses, simulated by a second opening.
@Suite struct RealmSharingTests {
    private func increment(_ database: Database) throws {
        try database.write { transaction in
            guard let table = try transaction.table(named: "class_SharedCounter"),
                let column = table.column(named: "value")?.key, let object = try table.object(primaryKey: .int(1)),
                case .int(let value) = try table.value(column, of: object)
            else { throw Failure("no counter") }
            try transaction.set(.int(value + 1), column, of: object, in: table.key)
        }
    }

    @Test func commitsOfOthersAreSeen() throws {
        try withRealm([SharedCounter.self]) { realm in
            let path = try #require(realm.configuration.fileURL?.path)
            let counter = try realm.write { realm.create(SharedCounter.self, value: ["id": 1, "value": 0]) }
            let other = try Database.open(path)
            try increment(other)
            #expect(counter.value == 0)
            #expect(realm.refresh())
            #expect(counter.value == 1)
            #expect(!realm.refresh())
            try increment(other)
            try realm.write { counter.value += 10 }
            #expect(counter.value == 12)
            try increment(other)
            realm.beginWrite()
            #expect(counter.value == 13)
            realm.cancelWrite()
            #expect(try other.snapshot().version == other.version)
        }
    }

    @Test func aFileThatIsOpenElsewhereIsOpened() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let other = try Database.open(path)
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [SharedCounter.self])
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(SharedCounter(value: ["id": 1, "value": 5])) }
        #expect(try other.snapshot().table(named: "class_SharedCounter")?.count() == 1)
    }

    @Test func pinsNameTheirHoldersAndVersions() throws {
        try withRealm([SharedCounter.self]) { realm in
            let path = try #require(realm.configuration.fileURL?.path)
            let other = try Database.open(path)
            try realm.write { realm.add(SharedCounter(value: ["id": 1])) }
            let held = try other.snapshot(label: "backup")
            try increment(other)
            realm.refresh()
            let pins = try realm.pins()
            #expect(pins.map(\.label) == ["backup", "Realm"])
            #expect(pins.map(\.version) == [held.version, held.version + 1])
            #expect(pins.allSatisfy { $0.processIdentifier == Int(getpid()) && $0.holders == 1 && $0.role == .reader })
            #expect(pins.allSatisfy { abs($0.since.timeIntervalSinceNow) < 600 })
        }
    }

    @Test(.behaviour("B-222")) func anActiveVersionTooManyEndsTheProcess() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let folder = try TemporaryFolder()
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: folder.path + "/test.realm"), objectTypes: [SharedCounter.self])
            configuration.maximumNumberOfActiveVersions = 1
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(SharedCounter(value: ["id": 1])) }
            let held = try Database.open(folder.path + "/test.realm").snapshot()
            try realm.write { realm.add(SharedCounter(value: ["id": 2])) }
            try realm.write { realm.add(SharedCounter(value: ["id": 3])) }
            withExtendedLifetime(held) {}
        }.expectText("Number of active versions (2) in the Realm exceeded the limit of 1")
    }

    @Test func readOnlyNextToAWriter() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [SharedCounter.self])
        try create(configuration)
        configuration.readOnly = true
        let other = try Database.open(path)
        for round in 0..<3 {
            try reading(configuration) { realm in
                let counter = try #require(realm.object(ofType: SharedCounter.self, forPrimaryKey: 1))
                for step in 0..<10 {
                    #expect(counter.value == 10 * round)
                    if step == 5 { #expect(try other.pins().map(\.label) == ["Realm"]) }
                    try increment(other)
                }
                realm.invalidate()
                #expect(realm.objects(SharedCounter.self).first?.value == 10 * (round + 1))
            }
        }
    }

    @inline(never)
    private func create(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(SharedCounter(value: ["id": 1, "value": 0])) }
    }

    @inline(never)
    private func reading(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: configuration))
    }

    /// A lock file that the user may not open is logged once. Then a file changed by another process is an error.
    @Test func readOnlyWithoutTheLockFile() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/test.realm"
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: [SharedCounter.self])
            let tests = RealmSharingTests()
            try tests.create(configuration)
            configuration.readOnly = true
            for name in ["", ".lock", ".management"] { chmod(path + name, name == ".management" ? 0o555 : 0o444) }
            let other = try Database.open(path)
            chmod(folder.path, 0o755)
            // Root has all permissions.
            let isRoot = getuid() == 0
            if isRoot { seteuid(65534) }
            let lines = Locked<[String]>([])
            Logger.shared = Logger(level: .info) { _, text in lines.withLock { $0.append(text) } }
            try tests.reading(configuration) { realm in
                let counter = realm.object(ofType: SharedCounter.self, forPrimaryKey: 1)
                guard counter?.value == 0 else { throw Failure("not read") }
                if isRoot { seteuid(0) }
                try tests.increment(other)
                realm.invalidate()
                guard realm.objects(SharedCounter.self).isEmpty else { throw Failure("read without a pin") }
                if isRoot { seteuid(65534) }
            }
            let reports = lines.withLock { $0 }
            guard reports.filter({ $0.contains("without its lock file") }).count == 1,
                reports.filter({ $0.contains("another process has written to the file") }).count == 1
            else { throw Failure("\(reports)") }
            try tests.reading(configuration) { realm in
                guard realm.objects(SharedCounter.self).first?.value == 1 else { throw Failure("not the newest") }
            }
        }
    }

    @Test func aWriteWaitsNoLongerThanItMay() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [SharedCounter.self])
        #expect(configuration.storage.writeTimeout == nil)
        configuration.storage.writeTimeout = .milliseconds(50)
        let waiter = Waiter()
        try await waiter.open(configuration)
        let other = try Database.open(path)
        let transaction = try other.beginWrite()
        let error = await #expect(throws: Realm.Error.self) { try await waiter.write() }
        #expect(error?.code == .writeTimeout)
        #expect(error?.message.contains("this process, which has held the write lock for") == true)
        #expect(try await waiter.writers() == [Int(getpid())])
        transaction.rollback()
        // The cancelled attempt may briefly hold the lock.
        try other.beginWrite().rollback()
        try await waiter.write(tries: 100)
    }

    private actor Waiter {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func write(tries: Int = 1) async throws {
            for attempt in 1...tries {
                do {
                    return try await realm?.asyncWrite {} ?? ()
                } catch Realm.Error.writeTimeout where attempt < tries {}
            }
        }

        func writers() throws -> [Int] {
            try realm?.pins().filter { $0.role == .writer }.map(\.processIdentifier) ?? []
        }
    }
}
