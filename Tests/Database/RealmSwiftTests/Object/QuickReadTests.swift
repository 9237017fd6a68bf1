// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmSwift

final class QuickReader: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var day: Date
    @Persisted var later: Date?
    @Persisted var target: QuickReader?
    @Persisted var part: QuickPart?
    @Persisted var friends: List<QuickReader>
    @Persisted var marks: Map<String, Int>
    @Persisted(originProperty: "target") var sources: LinkingObjects<QuickReader>
}

final class QuickPart: TestEmbedded {
    @Persisted var number: Int
}

final class QuickFiller: TestObject {
    @Persisted var id: Int
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>

    required init() {
        super.init()
        numbers.append(7)
        words.insert("made")
    }
}

final class QuickKeys: TestObject {
    @Persisted(primaryKey: true) var key: String
}

final class QuickObjectId: TestObject {
    @Persisted(primaryKey: true) var key: ObjectId
}

final class QuickUUID: TestObject {
    @Persisted(primaryKey: true) var key: UUID
}

final class QuickOptionalKey: TestObject {
    @Persisted(primaryKey: true) var key: Int?
}

final class QuickSizeKey: TestObject {
    @Persisted(primaryKey: true) var key: Size
}

/// Fast paths of reads compared with the general path.
@Suite struct QuickReadTests {
    private static let types: [ObjectBase.Type] = [QuickReader.self, QuickPart.self]

    @Test func dates() throws {
        let days: [Date] = [-62_135_596_800, -1.5, -0.25, 0, 0.000001, 1_700_000_000.123, 64_092_211_200].map {
            Date(timeIntervalSince1970: $0)
        }
        try withRealm(Self.types) { realm in
            try realm.write {
                for id in 0..<600 {
                    let later = id % 3 == 0 ? nil : days[id % days.count]
                    realm.create(
                        QuickReader.self,
                        value: ["id": id, "day": days[(id + 1) % days.count], "later": later] as [String: Any?])
                }
            }
            for (id, object) in realm.objects(QuickReader.self).enumerated() {
                let long: Date? = object._read(PropertyKey(try column("later", of: object).leafIndex))
                #expect(object.later == long)
                #expect(object.later == (id % 3 == 0 ? nil : days[id % days.count]))
                #expect(object.day == days[(id + 1) % days.count])
                #expect(object.freeze().day == object.day)
            }
        }
    }

    private func column(_ name: String, of object: ObjectBase) throws -> ColumnKey {
        try #require(object._rlmRow.managed?.column(named: name))
    }

    @Test func links() throws {
        try withRealm(Self.types) { realm in
            let objects = realm.objects(QuickReader.self).sorted(byKeyPath: "id")
            try realm.write {
                let all = (0..<700).map { realm.create(QuickReader.self, value: ["id": $0]) }
                for (id, object) in all.enumerated() where id % 7 != 0 {
                    object.target = all[id * 331 % all.count]
                    object.part = QuickPart()
                    object.part?.number = id
                }
                #expect(objects[5].target?.id == 5 * 331 % 700)
                objects[5].target = nil
                #expect(objects[5].target == nil)
                objects[5].target = objects[6]
                #expect(objects[5].target?.target?.id == 6 * 331 % 700)
            }
            for (id, object) in objects.enumerated() {
                let wanted = id % 7 == 0 ? nil : id == 5 ? 6 : id * 331 % 700
                #expect(object.target?.id == wanted)
                #expect(object.part?.number == (id % 7 == 0 ? nil : id))
                let long: QuickReader? = object._read(PropertyKey(try column("target", of: object).leafIndex))
                #expect(object.target == long)
                #expect(object.freeze().target?.id == wanted)
            }
            let source = objects[5]
            let target = try #require(source.target)
            try realm.write { realm.delete(target) }
            #expect(source.target == nil)
            #expect(target.isInvalidated)
        }
    }

    /// An object frozen or thawed at its own version refers to the same row.
    @Test func frozenAndThawed() throws {
        try withRealm(Self.types) { realm in
            var generator = SeededGenerator(for: "freeze")
            var days: [Int: Date] = [:]
            var live: [Int: QuickReader] = [:]
            var frozen: [(object: QuickReader, source: QuickReader, id: Int, day: Date)] = []
            try withTrace("seed \(generator.seed)") {
                for step in 0..<150 {
                    let id = generator.below(200)
                    let day = Date(timeIntervalSince1970: Double(step))
                    try realm.write {
                        if let object = live[id], generator.chance(50) {
                            object.day = day
                            #expect(object.freeze().day == days[id])
                            days[id] = day
                        } else if let object = live.removeValue(forKey: id) {
                            realm.delete(object)
                            #expect(object.isInvalidated)
                            days[id] = nil
                        } else {
                            live[id] = realm.create(QuickReader.self, value: ["id": id, "day": day] as [String: Any])
                            days[id] = day
                        }
                    }
                    for id in days.keys.sorted() where generator.chance(10) {
                        guard let object = live[id], let wanted = days[id] else { continue }
                        if generator.chance(50) { #expect(object.day == wanted) }
                        frozen.append((object.freeze(), object, id, wanted))
                        #expect(frozen.last?.object.thaw()?.day == wanted)
                    }
                }
            }
            for (object, source, id, day) in frozen {
                #expect(object.id == id && object.day == day)
                #expect(object.thaw()?.day == (source.isInvalidated ? nil : source.day))
            }
        }
    }

    /// Objects from a collection or a link retain their Realm.
    @Test func objectsOutliveTheRest() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/test.realm")
        var kept: [QuickReader] = []
        func fill() throws {
            let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: Self.types))
            try realm.write {
                let first = realm.create(QuickReader.self, value: ["id": 1])
                let second = realm.create(QuickReader.self, value: ["id": 2])
                first.target = second
                first.friends.append(second)
            }
            for object in realm.objects(QuickReader.self) { kept.append(object) }
            for object in realm.objects(QuickReader.self).where({ $0.id == 1 }) { kept += object.friends }
            kept.append(try #require(kept[0].target))
            kept.append(try #require(realm.object(ofType: QuickReader.self, forPrimaryKey: 2)))
            for object in kept[1].sources { kept.append(object) }
        }
        try fill()
        #expect(kept.map(\.id) == [1, 2, 2, 2, 2, 1])
        let last = kept.removeLast()
        kept = []
        #expect(last.target?.id == 2)
        let realm = try #require(last.realm)
        try realm.write { last.target?.marks["a"] = 3 }
        #expect(last.target?.marks["a"] == 3)
    }

    /// Nothing else retains the Realm.
    @Test func theRealmIsReleasedWithThem() throws {
        weak var instance: RealmInstance?
        func open() throws {
            let folder = try TemporaryFolder()
            let url = URL(fileURLWithPath: folder.path + "/test.realm")
            let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: Self.types))
            try realm.write {
                realm.create(QuickReader.self, value: ["id": 1]).target = realm.objects(QuickReader.self)[0]
            }
            instance = realm.instance
            for object in realm.objects(QuickReader.self) { #expect(object.target?.target?.id == 1) }
        }
        try open()
        #expect(instance == nil)
    }

    @Test func collectionsOfFreshObjects() throws {
        try withRealm([QuickFiller.self]) { realm in
            try realm.write {
                for id in 0..<3 {
                    let filler = QuickFiller()
                    filler.id = id
                    filler.numbers.append(id)
                    realm.add(filler)
                }
            }
            for (id, filler) in realm.objects(QuickFiller.self).enumerated() {
                #expect(Array(filler.numbers) == [7, id])
                #expect(Array(filler.words) == ["made"])
                #expect(filler.numbers === filler.numbers)
            }
            try realm.write { realm.objects(QuickFiller.self)[0].numbers.removeAll() }
            #expect(realm.objects(QuickFiller.self)[0].numbers.isEmpty)
            #expect(realm.objects(QuickFiller.self).freeze()[1].numbers.count == 2)
        }
    }

    @Test func primaryKeys() throws {
        let types: [ObjectBase.Type] = [
            QuickReader.self, QuickPart.self, QuickKeys.self, QuickObjectId.self, QuickUUID.self, QuickOptionalKey.self,
            QuickSizeKey.self,
        ]
        let (objectId, uuid) = (ObjectId.generate(), UUID())
        try withRealm(types) { realm in
            try realm.write {
                realm.create(QuickReader.self, value: ["id": 4])
                realm.create(QuickKeys.self, value: ["key": "four"])
                realm.create(QuickObjectId.self, value: ["key": objectId])
                realm.create(QuickUUID.self, value: ["key": uuid])
                realm.create(QuickOptionalKey.self, value: ["key": 4])
                realm.create(QuickOptionalKey.self, value: ["key": nil] as [String: Any?])
                realm.create(QuickSizeKey.self, value: ["key": Size.large])
                #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 4)?.id == 4)
            }
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 4)?.id == 4)
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 5) == nil)
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: Int8(4))?.id == 4)
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 4 as Any)?.id == 4)
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 4 as Int?)?.id == 4)
            #expect(realm.object(ofType: QuickKeys.self, forPrimaryKey: "four")?.key == "four")
            #expect(realm.object(ofType: QuickKeys.self, forPrimaryKey: "four"[...])?.key == "four")
            #expect(realm.object(ofType: QuickKeys.self, forPrimaryKey: "five") == nil)
            #expect(realm.object(ofType: QuickObjectId.self, forPrimaryKey: objectId)?.key == objectId)
            #expect(realm.object(ofType: QuickObjectId.self, forPrimaryKey: objectId.stringValue)?.key == objectId)
            #expect(realm.object(ofType: QuickUUID.self, forPrimaryKey: uuid)?.key == uuid)
            #expect(realm.object(ofType: QuickOptionalKey.self, forPrimaryKey: 4)?.key == 4)
            #expect(realm.object(ofType: QuickOptionalKey.self, forPrimaryKey: nil as Int?) != nil)
            #expect(realm.object(ofType: QuickSizeKey.self, forPrimaryKey: Size.large)?.key == .large)
            #expect(realm.object(ofType: QuickSizeKey.self, forPrimaryKey: 7)?.key == .large)
            try realm.write { realm.deleteAll() }
            #expect(realm.object(ofType: QuickReader.self, forPrimaryKey: 4) == nil)
        }
    }

    /// Plain values take a fast path, other values are inspected. Both create equal objects.
    @Test func dictionaries() throws {
        let plain: [String: Any] = [
            "int": 5, "int8": 6, "bool": true, "float": 1.5, "double": 2, "string": "text", "data": Data([1, 2]),
            "date": Date(timeIntervalSince1970: 77), "size": 7, "color": "green", "optInt": 8, "optDouble": 3.25,
            "optString": "more", "unknown": 4,
        ]
        try withRealm { realm in
            try realm.write {
                realm.create(AllTypes.self, value: plain)
                realm.create(AllTypes.self, value: plain.mapValues { Optional($0) } as [String: Any?])
                realm.create(AllTypes.self, value: plain as [AnyHashable: Any])
            }
            let objects = Array(realm.objects(AllTypes.self))
            #expect(objects.count == 3)
            for object in objects {
                #expect((object.int, object.int8, object.bool, object.double) == (5, 6, true, 2))
                #expect((object.float, object.string, object.data) == (1.5, "text", Data([1, 2])))
                #expect((object.date, object.size, object.color) == (Date(timeIntervalSince1970: 77), .large, .green))
                #expect((object.optInt, object.optDouble, object.optString) == (8, 3.25, "more"))
            }
        }
    }

    @Test func mapsAndLists() throws {
        try withRealm(Self.types) { realm in
            let object = try realm.write { realm.create(QuickReader.self, value: ["id": 1]) }
            let keys = (0..<2500).map { "key \($0 * 7919 % 2500)" }
            try realm.write { for (value, key) in keys.enumerated() { object.marks[key] = value } }
            #expect(Set(object.marks.keys) == Set(keys))
            #expect(object.marks.keys == object.marks.keys.sorted())
            for entry in object.marks { #expect(keys[entry.value] == entry.key) }
            for (value, key) in keys.enumerated() { #expect(object.marks[key] == value) }
        }
    }
}
