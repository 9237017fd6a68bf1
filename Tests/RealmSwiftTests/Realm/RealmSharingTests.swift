// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmSwift

final class SharedCounter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A Realm beside another process, for which a second opening of the file stands.
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

    /// The other way round: the file is open elsewhere before this process opens it as a Realm.
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

    @Test func pinsTellWhoKeepsWhat() throws {
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
            #expect(pins.allSatisfy { $0.processIdentifier == Int(getpid()) && $0.holders == 1 })
            #expect(pins.allSatisfy { abs($0.since.timeIntervalSinceNow) < 600 })
        }
    }

    @Test func B_222_anActiveVersionTooManyEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
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
        }
        expect("Number of active versions (2) in the Realm exceeded the limit of 1", in: result)
    }
}
