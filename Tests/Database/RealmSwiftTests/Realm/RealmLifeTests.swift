// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

enum LifeSize: Int, PersistableEnum { case small, large }

final class LifeToy: Object {
    @Persisted var name: String
}

final class LifeAddress: EmbeddedObject {
    @Persisted var city: String
}

final class LifeDog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var weight: Double
    @Persisted var age: Int?
    @Persisted var size: LifeSize
    @Persisted var born: Date
    @Persisted var tag: UUID
    @Persisted var price: Decimal128
    @Persisted var photo: Data?
    @Persisted var toy: LifeToy?
    @Persisted var friend: LifeDog?
    @Persisted var home: LifeAddress?
    @Persisted var nicknames: List<String>
    @Persisted var friends: List<LifeDog>
    @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<LifeDog>
}

@Suite struct RealmLifeTests {
    static func configuration() -> Realm.Configuration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return Realm.Configuration(
            fileURL: folder.appendingPathComponent("life.realm"),
            objectTypes: [LifeDog.self, LifeToy.self, LifeAddress.self])
    }

    static func check(_ configuration: Realm.Configuration) throws {
        let bytes = [UInt8](try Data(contentsOf: try #require(configuration.fileURL)))
        let report = FileChecker.check(bytes: bytes)
        #expect(report.isClean, "\(report)")
        try FileManager.default.removeItem(at: try #require(configuration.fileURL).deletingLastPathComponent())
    }

    @Test func valuesSurviveReopening() throws {
        let configuration = Self.configuration()
        let born = Date(timeIntervalSince1970: 1_234_567)
        let tag = UUID()
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            let dog = LifeDog(value: ["id": 1, "name": "Rex", "age": 3, "weight": 7.5, "photo": Data([1, 2, 3])])
            dog.size = .large
            dog.born = born
            dog.tag = tag
            dog.price = 12.5
            dog.toy = LifeToy(value: ["name": "ball"])
            dog.friend = dog
            dog.home = LifeAddress(value: ["city": "Oslo"])
            try realm.write { realm.add(dog) }
            #expect(dog.realm == realm)
            #expect(dog.name == "Rex")
        }
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            let dog = try #require(realm.object(ofType: LifeDog.self, forPrimaryKey: 1))
            #expect(dog.name == "Rex")
            #expect(dog.age == 3)
            #expect(dog.weight == 7.5)
            #expect(dog.size == .large)
            #expect(dog.born == born)
            #expect(dog.tag == tag)
            #expect(dog.price == 12.5)
            #expect(dog.photo == Data([1, 2, 3]))
            #expect(dog.toy?.name == "ball")
            #expect(dog.friend == dog)
            #expect(dog.home?.city == "Oslo")
            let toy = try #require(dog.toy)
            try realm.write { realm.delete(toy) }
            #expect(dog.toy == nil)
            #expect(toy.isInvalidated)
            #expect(toy.name == "")
            try realm.write {
                dog.name = "Max"
                dog.home = LifeAddress(value: ["city": "Rome"])
            }
            #expect(dog.name == "Max")
            #expect(dog.home?.city == "Rome")
        }
        try Self.check(configuration)
    }

    @Test(.behaviour("B-234", "B-236")) func aCancelledWriteLeavesNoTrace() throws {
        let configuration = Self.configuration()
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            let kept = LifeDog(value: ["id": 1, "name": "kept"])
            try realm.write { realm.add(kept) }
            realm.beginWrite()
            let lost = LifeDog(value: ["id": 2, "name": "lost"])
            realm.add(lost)
            kept.name = "changed"
            realm.cancelWrite()
            #expect(kept.name == "kept")
            #expect(lost.isInvalidated)
            try realm.write { realm.add(LifeDog(value: ["id": 2, "name": "new"])) }
            #expect(lost.isInvalidated)
            #expect(realm.object(ofType: LifeDog.self, forPrimaryKey: 2)?.name == "new")
        }
        try Self.check(configuration)
    }

    private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
}
