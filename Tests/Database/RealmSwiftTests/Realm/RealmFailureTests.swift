// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage
@testable import RealmSwift

final class WorldDog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var tag: String
    @Persisted var friend: WorldDog?
    @Persisted var toys: List<String>
    @Persisted var collars: MutableSet<Int>
    @Persisted var scores: Map<String, Int>
    @Persisted var any: AnyRealmValue
    @Persisted var house: WorldHouse?
    @Persisted(originProperty: "friend") var friendOf: LinkingObjects<WorldDog>
}

final class WorldHouse: EmbeddedObject {
    @Persisted var street: String
}

/// A Realm whose file fails on demand. The file has a session, so each write checks the file when it begins.
private struct FailingRealm {
    let folder: TemporaryFolder
    let file: FaultyFile
    let realm: Realm

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        file = FaultyFile(try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        guard case .begun(let start) = try SessionLock.enter(forDatabase: path), let session = start.letOthersIn()
        else { throw Failure("there is a session already") }
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [WorldDog.self, WorldHouse.self])
        configuration.access.tracksReads = false
        let database = try Database(file: file, sharing: try SharedAccess(path, session), readOnly: false)
        let opened = try DatabaseOpener.install(configuration, in: database)
        realm = Realm(try RealmInstance(opened.coordinator, configuration, at: .current, opened.version))
        try realm.write { realm.create(WorldDog.self, value: ["id": 1, "name": "Rex", "toys": ["ball"]]) }
    }

    /// Makes the file fail from the next write on. A write after one without a commit reads the state of the file
    /// again.
    func failWrites(with number: Int32) {
        realm.beginWrite()
        realm.cancelWrite()
        file.fail(after: 0, with: number, forEver: true)
    }

    func dog() throws -> WorldDog { try #require(realm.object(ofType: WorldDog.self, forPrimaryKey: 1)) }
}

private func code(of body: () throws -> Void) throws -> Realm.Error.Code? {
    do {
        try body()
        return nil
    } catch let error as Realm.Error {
        return error.code
    }
}

private func changeEverything(_ realm: Realm, _ dog: WorldDog) {
    dog.name = "Max"
    dog.age = 3
    dog.any = .fromArray([.int(1), .fromDictionary(["k": .string("v")])])
    dog.friend = WorldDog(value: ["id": 2])
    dog.house = WorldHouse()
    dog.toys.append("bone")
    dog.toys.insert("stick", at: 0)
    dog.toys.append(objectsIn: ["a", "b"])
    dog.toys[0] = "c"
    dog.toys.swapAt(0, 0)
    dog.toys.remove(at: 0)
    dog.toys.removeAll()
    dog.collars.insert(1)
    dog.collars.removeAll()
    dog.scores["a"] = 1
    dog.scores["a"] = nil
    dog.scores.removeAll()
    let created = realm.create(WorldDog.self, value: ["id": 7, "name": "Fox", "house": ["street": "s"]])
    #expect(created.realm == nil && created.name == "Fox" && created.house?.street == "s")
    created.age = 5
    #expect(created.age == 5)
    let added = WorldDog(value: ["id": 8])
    realm.add(added)
    #expect(added.realm == nil)
    dog.friend = added
    realm.delete(added)
    realm.create(WorldDog.self, value: ["id": 1, "name": "Moe"], update: .modified)
    realm.delete(dog.toys.isEmpty ? WorldDog() : dog)
    realm.delete(realm.objects(WorldDog.self))
    realm.delete(realm.objects(WorldDog.self).where { $0.id == 1 })
    realm.deleteAll()
}

/// I/O errors are thrown at the end of a write, and never end the process.
@Suite struct RealmFailureTests {
    static let numbers: [(Int32, Realm.Error.Code)] = [
        (EMFILE, .fileAccess), (ENFILE, .fileAccess), (EIO, .fileAccess), (ENOMEM, .addressSpaceExhausted),
        (ENOSPC, .outOfDiskSpace), (EACCES, .filePermissionDenied),
    ]

    @Test(arguments: numbers) func aWriteThatCannotBeginThrows(_ number: Int32, _ expected: Realm.Error.Code) throws {
        let failing = try FailingRealm()
        let (realm, dog) = (failing.realm, try failing.dog())
        failing.failWrites(with: number)
        var ran = false
        #expect(try code { try realm.write { ran = true } } == expected)
        #expect(!ran && !realm.isInWriteTransaction && dog.name == "Rex")

        realm.beginWrite()
        #expect(realm.isInWriteTransaction)
        changeEverything(realm, dog)
        #expect(dog.name == "Rex" && Array(dog.toys) == ["ball"] && dog.friend == nil && dog.scores.count == 0)
        #expect(realm.objects(WorldDog.self).count == 1)
        #expect(try code { try realm.commitWrite() } == expected)
        #expect(!realm.isInWriteTransaction)
        realm.beginWrite()
        realm.cancelWrite()
        #expect(!realm.isInWriteTransaction && dog.name == "Rex")

        failing.file.recover()
        try realm.write { dog.name = "Bo" }
        #expect(dog.name == "Bo")
    }

    @Test func aFailedCommitThrowsAndIsRolledBack() throws {
        let failing = try FailingRealm()
        let (realm, dog) = (failing.realm, try failing.dog())
        var created: WorldDog?
        let code = try code {
            try realm.write {
                dog.name = "Max"
                created = realm.create(WorldDog.self, value: ["id": 2])
                failing.file.failNext(.write)
            }
        }
        #expect(code == .outOfDiskSpace && dog.name == "Rex" && created?.isInvalidated == true)
        try realm.write {
            realm.create(WorldDog.self, value: ["id": 3])
            dog.name = "Bo"
        }
        #expect(dog.name == "Bo" && created?.isInvalidated == true)
    }

    @Test func afterAFailedSyncWritesThrow() throws {
        let failing = try FailingRealm()
        let (realm, dog) = (failing.realm, try failing.dog())
        failing.file.failNext(.sync)
        #expect(try code { try realm.write { dog.name = "Max" } } == .fileAccess)
        #expect(try code { try realm.write { dog.name = "Max" } } == .fail)
        #expect(dog.name == "Rex")
    }

    // MARK: Damage

    private func withDamage(in column: String, _ body: (Realm) throws -> Void) throws {
        let (folder, realm) = try damagedRealm(column)
        try body(realm)
        withExtendedLifetime(folder) {}
    }

    private func damagedRealm(_ column: String) throws -> (TemporaryFolder, Realm) {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/test.realm")
        var configuration = Realm.Configuration(fileURL: url, objectTypes: [WorldDog.self, WorldHouse.self])
        configuration.access.tracksReads = false
        try RealmFailureTests.fill(configuration)
        let ref = try RealmFailureTests.leaf(of: column, url.path)
        let file = try DiskFile.open(url.path, readOnly: false)
        // A node larger than the file.
        try [UInt8(0x46), 0xFF, 0xFF, 0xFF].withUnsafeBytes { try file.write($0, at: Int(ref) + 4) }
        return (folder, try Realm(configuration: configuration))
    }

    /// Unread damage may be the cause of an error, so the file is audited before the process ends.
    @Test func anErrorCausedByDamageDoesNotEndTheProcess() throws {
        try withDamage(in: "tag") { realm in
            #expect(realm.objects(WorldDog.self).filter("nonsense == 1").isEmpty)
            let outcome = try code { try realm.write { _ = realm.create(WorldDog.self, value: ["id": 9]) } }
            #expect(outcome == .invalidDatabase)
        }
        try withDamage(in: "tag") { realm in
            let outcome = try code { try realm.write { realm.objects(WorldDog.self).first?.toys.remove(at: 5) } }
            #expect(outcome == .invalidDatabase)
        }
    }

    @inline(never) private static func fill(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for id in 0..<3 {
                realm.create(
                    WorldDog.self,
                    value: ["id": id, "name": "dog \(id)", "tag": "long enough for a node of its own, \(id)"])
            }
        }
    }

    @inline(never) private static func leaf(of column: String, _ path: String) throws -> Ref {
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        let table = try #require(try snapshot.table(named: "class_WorldDog"))
        let key = try #require(table.column(named: column))
        let leaf = try table.clusters.position(at: 0).leaf.node
        return Ref(element: leaf[key.leafIndex + 1])
    }

    @Test func aChangeThatMeetsDamageMakesTheCommitThrow() throws {
        try withDamage(in: "tag") { realm in
            let dog = try #require(realm.object(ofType: WorldDog.self, forPrimaryKey: 1))
            var thrown: Realm.Error?
            do {
                try realm.write {
                    dog.age = 4
                    dog.tag = "new"
                    #expect(dog.age == 4 && realm.isInWriteTransaction)
                    dog.age = 5
                    #expect(dog.age == 4)
                    changeEverything(realm, dog)
                }
            } catch let error as Realm.Error { thrown = error }
            #expect(thrown?.code == .invalidDatabase)
            #expect(thrown?.message.contains("test.realm") == true && thrown?.message.contains("offset") == true)
            #expect(dog.age == 0 && dog.name == "dog 1" && realm.objects(WorldDog.self).count == 3)
            #expect(try code { try realm.write { dog.age = 6 } } == .invalidDatabase)
            realm.beginWrite()
            realm.cancelWrite()
        }
    }

    @Test(arguments: ["id", "name", "age", "tag", "friend", "toys", "collars", "scores", "any", "house"])
    func everyChangeOfADamagedColumnIsSurvived(_ column: String) throws {
        try withDamage(in: column) { realm in
            let dogs = realm.objects(WorldDog.self)
            realm.beginWrite()
            for dog in dogs { changeSafely(realm, dog) }
            realm.deleteAll()
            realm.cancelWrite()
            for dog in dogs {
                _ = (dog.id, dog.name, dog.age, dog.tag, dog.friend?.id, dog.any, dog.house?.street)
                _ = (Array(dog.toys), dog.toys.sorted().first, Array(dog.collars), dog.collars.sum())
                _ = (dog.collars.max(), dog.scores["a"], dog.scores.sum(), Array(dog.scores.keys))
                _ = (Array(dog.friendOf), dog.friendOf.count, dog.toys.map { $0 }, dog.description)
            }
            _ = (dogs.sorted(byKeyPath: "name").first?.id, dogs.sum(ofProperty: "age") as Int)
            _ = (dogs.max(ofProperty: "age") as Int?, dogs.distinct(by: ["tag"]).count)
            _ = (dogs.where { $0.tag == "x" || $0.friend.age > 3 }.count, Array(dogs).count)
            let code = try code { try realm.write { realm.deleteAll() } }
            #expect(code == .invalidDatabase)
        }
    }

    private func changeSafely(_ realm: Realm, _ dog: WorldDog) {
        dog.name = "Max"
        dog.age = 3
        dog.tag = "other"
        dog.any = .string("x")
        dog.friend = dog
        dog.house = WorldHouse()
        dog.toys.append("bone")
        dog.collars.insert(1)
        dog.scores["a"] = 1
        if !dog.toys.isEmpty { dog.toys.remove(at: 0) }
        realm.create(WorldDog.self, value: ["id": 2, "name": "Moe", "toys": ["x"]], update: .modified)
    }

    @Test func aReadOnlyFileWithoutTheClassHasNoObjects() throws {
        let folder = try TemporaryFolder()
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/test.realm"), objectTypes: [LifeToy.self])
        try autoreleased { try Realm(configuration: configuration).write {} }
        configuration.objectTypes = [LifeToy.self, WorldDog.self, WorldHouse.self]
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        let dogs = realm.objects(WorldDog.self)
        #expect(dogs.isEmpty && dogs.count == 0 && Array(dogs).isEmpty && dogs.first == nil && dogs.last == nil)
        #expect(dogs.where { $0.name == "Rex" && $0.age > 3 }.isEmpty && dogs.where { $0.age == 1 }.count == 0)
        #expect(dogs.filter("name BEGINSWITH 'R'").sorted(byKeyPath: "name").distinct(by: ["age"]).isEmpty)
        #expect(dogs.sorted(byKeyPath: "name").first == nil && (dogs.sum(ofProperty: "age") as Int) == 0)
        #expect((dogs.max(ofProperty: "age") as Int?) == nil && dogs.index(matching: "age == 1") == nil)
        #expect(realm.object(ofType: WorldDog.self, forPrimaryKey: 1) == nil)
        #expect(dogs.freeze().isEmpty)
    }

    // MARK: Asynchronous writes and observers

    @MainActor @Test func asynchronousWritesReportErrors() async throws {
        let failing = try FailingRealm()
        let (realm, dog) = (failing.realm, try failing.dog())
        failing.failWrites(with: EIO)
        let codes = await withCheckedContinuation { (continuation: CheckedContinuation<[Realm.Error.Code?], Never>) in
            var codes: [Realm.Error.Code?] = []
            realm.writeAsync({ Issue.record("a write that cannot begin was run") }) { error in
                codes.append((error as? Realm.Error)?.code)
            }
            realm.beginAsyncWrite {
                dog.name = "Max"
                realm.commitAsyncWrite { error in
                    codes.append((error as? Realm.Error)?.code)
                    continuation.resume(returning: codes)
                }
            }
        }
        #expect(codes == [.fileAccess, .fileAccess] && dog.name == "Rex")
        await #expect(throws: Realm.Error.self) { try await realm.asyncWrite { dog.name = "Max" } }
        failing.file.recover()
        try await realm.asyncWrite { dog.name = "Bo" }
        #expect(dog.name == "Bo" && !realm.isPerformingAsynchronousWriteOperations)
    }

    /// Another process may commit the number of the failed version before the failure is reported.
    @MainActor @Test(arguments: [false, true])
    func aFailedVersionIsLeftEvenIfAnotherProcessCommitsItsNumber(freezesFirst: Bool) async throws {
        let failing = try FailingRealm()
        let (realm, dog) = (failing.realm, try failing.dog())
        let commits = realm.instance.coordinator.host.commits
        let other = try Database.open(failing.folder.path + "/test.realm")
        var errors: [(any Error)?] = []
        var names: [String] = []
        let token = realm.observe { _, _ in names.append(dog.name) }
        realm.beginWrite()
        dog.name = "Void"
        commits.suspend()
        realm.commitAsyncWrite { error in MainActor.assumeIsolated { errors.append(error) } }
        failing.file.fail(after: 0, with: EIO, forEver: true)
        commits.resume()
        commits.sync {}
        failing.file.recover()
        #expect(dog.name == "Void")
        try RealmFailureTests.rename("Other", in: other)
        #expect(realm.instance.snapshot?.version == other.version)
        if freezesFirst { #expect(dog.freeze().name == "Other") }
        #expect(await eventually { !errors.isEmpty })
        #expect(errors.map { ($0 as? Realm.Error)?.code } == [.fileAccess] && dog.name == "Other")
        #expect(names == ["Void", "Other"])
        token.invalidate()
        try RealmFailureTests.rename("Next", in: other)
        realm.refresh()
        #expect(dog.name == "Next")
    }

    private static func rename(_ name: String, in database: Database) throws {
        try database.write { transaction in
            let table = try #require(try transaction.table(named: "class_WorldDog"))
            let column = try #require(table.column(named: "name")?.key)
            let dog = try #require(try table.allKeys().first)
            try transaction.set(.string(name), column, of: dog, in: table.key)
        }
    }

    @MainActor @Test func damageIsReportedToAnObserverOnce() async throws {
        let (folder, realm) = try damagedRealm("tag")
        var errors: [Realm.Error.Code?] = []
        let token = realm.objects(WorldDog.self).where { $0.tag != "x" }.observe { change in
            if case .error(let error) = change { errors.append((error as? Realm.Error)?.code) }
        }
        for _ in 0..<120_000 where errors.isEmpty { try await Task.sleep(nanoseconds: 10_000_000) }
        for _ in 0..<5 { realm.refresh() }
        try await Task.sleep(nanoseconds: 50_000_000)
        #expect(errors == [.invalidDatabase])
        token.invalidate()
        withExtendedLifetime(folder) {}
    }
}

/// A separate function, so that the objects it holds are released when it returns.
@inline(never) private func autoreleased(_ body: () throws -> Void) throws { try body() }
