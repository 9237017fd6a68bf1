// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for property types.

/// A custom value stored as a string.
struct GuideVersion: Equatable, CustomPersistable {
    typealias PersistedType = String
    var parts: [Int]

    init(_ parts: Int...) { self.parts = parts }
    init(persistedValue: String) { parts = persistedValue.split(separator: ".").compactMap { Int($0) } }
    var persistableValue: String { parts.map(String.init).joined(separator: ".") }
}

/// A custom value whose stored form may be invalid.
struct GuideWeekday: Equatable, FailableCustomPersistable {
    typealias PersistedType = Int
    let number: Int

    init?(persistedValue: Int) {
        guard (0..<7).contains(persistedValue) else { return nil }
        number = persistedValue
    }
    var persistableValue: Int { number }
}

/// A custom value stored as an embedded object.
struct GuideCoordinate: Equatable, CustomPersistable {
    typealias PersistedType = GuideStoredCoordinate
    var latitude: Double
    var longitude: Double

    init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
    init(persistedValue: GuideStoredCoordinate) {
        self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
    }
    var persistableValue: GuideStoredCoordinate {
        GuideStoredCoordinate(value: ["latitude": latitude, "longitude": longitude])
    }
}

class GuideStoredCoordinate: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideTypes: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var flag: Bool
    @Persisted var count: Int
    @Persisted var small: Int8?
    @Persisted var ratio: Double
    @Persisted var price: Decimal128
    @Persisted var text: String
    @Persisted var bytes: Data
    @Persisted var moment: Date
    @Persisted var token: UUID
    @Persisted var names: List<String>
    @Persisted var years: MutableSet<Int>
    @Persisted var limits: Map<String, Double>
    @Persisted var anything: AnyRealmValue
    @Persisted var version = GuideVersion(1)
    @Persisted var weekday: GuideWeekday?
    @Persisted var place: GuideCoordinate

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct SupportedTypesGuideTests {
    private let types: [ObjectBase.Type] = [GuideTypes.self, GuideStoredCoordinate.self]

    @Test func everyTypeKeepsItsValue() throws {
        try withRealm(types) { realm in
            let one = GuideTypes()
            one.flag = true
            one.small = -5
            one.price = "19.99"
            one.bytes = Data([1, 2, 3])
            one.moment = Date(timeIntervalSince1970: 1_000_000)
            let token = one.token
            try realm.write { realm.add(one) }
            let stored = realm.objects(GuideTypes.self)[0]
            #expect(stored.flag && stored.small == -5 && stored.price == Decimal128("19.99"))
            #expect(stored.bytes == Data([1, 2, 3]) && stored.moment.timeIntervalSince1970 == 1_000_000)
            #expect(stored.token == token && stored.count == 0 && stored.text == "")
        }
    }

    @Test func collections() throws {
        try withRealm(types) { realm in
            let one = GuideTypes()
            try realm.write {
                realm.add(one)
                one.names.append(objectsIn: ["b", "a", "b"])
                one.years.insert(objectsIn: [1999, 2001, 1999])
                one.limits["low"] = 0.5
                // Keys can't contain dots or begin with a dollar sign, so programs encode such keys.
                let key = try #require("a.b".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                one.limits[key] = 1
            }
            #expect(Array(one.names) == ["b", "a", "b"] && one.years.count == 2)
            #expect(one.limits.keys.compactMap(\.removingPercentEncoding).sorted() == ["a.b", "low"])
            #expect(realm.objects(GuideTypes.self).where { $0.names.contains("a") }.count == 1)
            #expect(realm.objects(GuideTypes.self).where { $0.years.max == 2001 }.count == 1)
        }
    }

    @Test func mixedValues() throws {
        try withRealm(types) { realm in
            let one = GuideTypes()
            try realm.write { realm.add(one) }
            for value: AnyRealmValue in [.none, .int(1), .string("one"), .object(one), .uuid(one.token)] {
                try realm.write { one.anything = value }
                #expect(one.anything == value)
            }
            switch one.anything {
            case .uuid(let token): #expect(token == one.token)
            default: Issue.record("not what was stored last")
            }
        }
    }

    @Test func typesOfOnesOwn() throws {
        try withRealm(types) { realm in
            let one = GuideTypes()
            one.version = GuideVersion(2, 7)
            one.weekday = GuideWeekday(persistedValue: 3)
            one.place = GuideCoordinate(latitude: 52.5, longitude: 13.4)
            try realm.write { realm.add(one) }
            #expect(one.version.parts == [2, 7] && one.weekday?.number == 3 && one.place.latitude == 52.5)
            let all = realm.objects(GuideTypes.self)
            #expect(all.where { $0.version == GuideVersion(2, 7) }.count == 1)
            #expect(all.where { $0.place == GuideCoordinate(latitude: 52.5, longitude: 13.4) }.count == 1)
            #expect(realm.schema["GuideTypes"]?["version"]?.type == .string)
        }
    }

    @Test func decimalsAndIdentifiers() throws {
        #expect(Decimal128("0.1") + Decimal128("0.2") == Decimal128("0.3"))
        let identifier = ObjectId.generate()
        #expect(try ObjectId(string: identifier.stringValue) == identifier)
        #expect(abs(identifier.timestamp.timeIntervalSinceNow) < 60)
    }
}
