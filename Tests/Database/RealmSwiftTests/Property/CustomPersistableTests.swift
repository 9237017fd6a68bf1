// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import TestTraits
import Testing

@testable import RealmSwift

struct Kelvin: CustomPersistable, Equatable {
    typealias PersistedType = Double
    var degrees: Double
    init(degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
}

struct Even: FailableCustomPersistable, Equatable {
    typealias PersistedType = Int
    let half: Int
    init(half: Int) { self.half = half }
    init?(persistedValue: Int) {
        guard persistedValue.isMultiple(of: 2) else { return nil }
        half = persistedValue / 2
    }
    var persistableValue: Int { half * 2 }
}

/// No value is stored as an empty text.
struct Word: FailableCustomPersistable, Equatable {
    typealias PersistedType = String
    let text: String
    init?(persistedValue: String) {
        guard !persistedValue.isEmpty else { return nil }
        text = persistedValue
    }
    var persistableValue: String { text }
}

class StoredPoint: TestEmbedded {
    @Persisted var x: Double
    @Persisted var y: Double
}

struct Point: CustomPersistable, Equatable {
    typealias PersistedType = StoredPoint
    var x = 0.0
    var y = 0.0
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    init(persistedValue: StoredPoint) { (x, y) = (persistedValue.x, persistedValue.y) }
    var persistableValue: StoredPoint { StoredPoint(value: [x, y]) }
}

class Weather: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kelvin: Kelvin
    @Persisted var optKelvin: Kelvin?
    @Persisted var even: Even
    @Persisted var optEven: Even?
    @Persisted var kelvins: List<Kelvin>
    @Persisted var kelvinSet: MutableSet<Kelvin>
    @Persisted var kelvinMap: Map<String, Kelvin?>
    @Persisted var evens: List<Even?>
    @Persisted var point: Point
    @Persisted var optPoint: Point?
    @Persisted var points: List<Point>
    @Persisted var pointMap: Map<String, Point?>
    @Persisted var size: Size
    @Persisted var sizes: Map<String, Size?>

    static let types: [ObjectBase.Type] = [Weather.self, StoredPoint.self]
}

class StoredWeather: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kelvin: Double
    @Persisted var even: Int
    @Persisted var optEven: Int?
    @Persisted var evens: List<Int?>

    override class func _realmObjectName() -> String? { "Weather" }
}

private struct NoNumber: FailableCustomPersistable {
    typealias PersistedType = Int
    init() {}
    init?(persistedValue: Int) { return nil }
    var persistableValue: Int { 1 }
}

private final class RefusingItem: TestObject {
    @Persisted var single: NoNumber?
    @Persisted var list: List<NoNumber?>
    @Persisted var set: MutableSet<NoNumber?>
    @Persisted var map: Map<String, NoNumber?>
}

private final class RefusingList: TestObject {
    @Persisted var list: List<NoNumber>
}

@Suite struct CustomPersistableTests: TrapSuite {
    private static func fill(_ weather: Weather) {
        weather.kelvin = Kelvin(degrees: 300)
        weather.optKelvin = Kelvin(degrees: 1)
        weather.even = Even(half: 4)
        weather.kelvins.append(objectsIn: [Kelvin(degrees: 2), Kelvin(degrees: 1)])
        weather.kelvinSet.insert(objectsIn: [Kelvin(degrees: 2), Kelvin(degrees: 2)])
        weather.kelvinMap["a"] = Kelvin(degrees: 3)
        weather.kelvinMap.updateValue(nil, forKey: "b")
        weather.evens.append(objectsIn: [nil, Even(half: 1)])
        weather.point = Point(x: 1, y: 2)
        weather.points.append(objectsIn: [Point(x: 3, y: 4), Point(x: 1, y: 1)])
        weather.pointMap["p"] = Point(x: 5, y: 6)
        weather.sizes["s"] = .large
    }

    private static func verify(_ weather: Weather) {
        #expect(weather.kelvin.degrees == 300 && weather.optKelvin?.degrees == 1)
        #expect(weather.even.half == 4 && weather.optEven == nil)
        #expect(weather.kelvins.map(\.degrees) == [2, 1] && weather.kelvinSet.count == 1)
        #expect(weather.kelvinSet.contains(Kelvin(degrees: 2)) && weather.kelvins.index(of: Kelvin(degrees: 1)) == 1)
        #expect(weather.kelvinMap["a"]??.degrees == 3 && weather.kelvinMap["b"] == .some(nil))
        #expect(Array(weather.evens) == [nil, Even(half: 1)])
        #expect(weather.point == Point(x: 1, y: 2) && weather.optPoint == nil)
        #expect(Array(weather.points) == [Point(x: 3, y: 4), Point(x: 1, y: 1)] && weather.points[1].x == 1)
        #expect(weather.pointMap["p"] == Point(x: 5, y: 6) && weather.pointMap.values == [Point(x: 5, y: 6)])
        #expect(weather.sizes["s"] == .large)
    }

    @Test(.behaviour("B-089")) func everyPlace() throws {
        let weather = Weather()
        #expect(weather.kelvin.degrees == 0 && weather.even.half == 0 && weather.point == Point(x: 0, y: 0))
        Self.fill(weather)
        Self.verify(weather)
        try withRealm(Weather.types) { realm in
            try realm.write { realm.add(weather) }
            Self.verify(weather)
            let other = try realm.write { realm.create(Weather.self, value: ["id": 1]) }
            try realm.write { Self.fill(other) }
            Self.verify(other)
            let copy = try realm.write { realm.create(Weather.self, value: Weather(value: other), update: .all) }
            Self.verify(copy)
        }
    }

    @Test(.behaviour("B-090")) func schemaShowsTheStoredType() {
        let schema = Weather().objectSchema
        #expect(schema["kelvin"]?.type == .double && schema["optEven"]?.type == .int)
        #expect(schema["optEven"]?.isOptional == true && schema["kelvin"]?.isOptional == false)
        #expect(schema["kelvinSet"]?.isSet == true && schema["kelvinMap"]?.isMap == true)
        #expect(schema["point"]?.type == .object && schema["point"]?.objectClassName == "StoredPoint")
    }

    @Test(.behaviour("B-091")) func noMigration() throws {
        let folder = try TemporaryFolderURL()
        try folder.open(Weather.types) { realm in
            let weather = Weather()
            Self.fill(weather)
            try realm.write { realm.add(weather) }
        }
        try folder.open([StoredWeather.self], additive: true) { realm in
            let weather = try #require(realm.objects(StoredWeather.self).first)
            #expect(weather.kelvin == 300 && weather.even == 8)
            try realm.write {
                weather.even = 7
                weather.optEven = 7
            }
        }
        try folder.open(Weather.types, additive: true) { realm in
            // B-093: 7 isn't an Even.
            #expect(realm.objects(Weather.self).first?.optEven == nil)
        }
    }

    @Test(.behaviour("B-096")) func eachAssignmentMakesARow() throws {
        try withRealm(Weather.types) { realm in
            let weather = try realm.write { realm.create(Weather.self) }
            try realm.write {
                weather.point = Point(x: 1, y: 1)
                weather.point = Point(x: 2, y: 2)
                weather.optPoint = Point(x: 3, y: 3)
                weather.optPoint = nil
            }
            #expect(weather.point.x == 2 && weather.optPoint == nil)
            #expect(realm.instance.allKeys(of: realm.instance.requireManaged(StoredPoint.self)).count == 1)
        }
    }

    @Test(.behaviour("B-099")) func valuesOfBothKinds() {
        let weather = Weather(value: [
            "kelvin": 5.0, "optEven": Even(half: 2), "points": [["x": 1.0], Point(x: 2, y: 2)],
        ])
        #expect(weather.kelvin.degrees == 5 && weather.optEven?.half == 2)
        #expect(weather.points.map(\.x) == [1, 2])
    }

    @Test func dynamicAccessSeesStoredValues() throws {
        try withRealm(Weather.types) { realm in
            let weather = try realm.write { realm.create(Weather.self, value: ["kelvin": Kelvin(degrees: 4)]) }
            #expect(weather["kelvin"] as? Double == 4)
            try realm.write { weather["even"] = 6 }
            #expect(weather.even.half == 3)
        }
    }

    @Test func queries() throws {
        try withRealm(Weather.types) { realm in
            try realm.write {
                for id in 0..<5 { realm.create(Weather.self, value: ["id": id, "kelvin": Double(id)]) }
            }
            let all = realm.objects(Weather.self)
            #expect(all.where { $0.kelvin == Kelvin(degrees: 3) }.map(\.id) == [3])
            #expect(all.where { $0.kelvin > Kelvin(degrees: 3) }.map(\.id) == [4])
            #expect(all.filter("kelvin < 1").map(\.id) == [0] && all.sorted(by: \.kelvin, ascending: false)[0].id == 4)
        }
    }

    private static func storeOdd(_ body: (Weather) throws -> Void) {
        do {
            let folder = try TemporaryFolderURL()
            try folder.open([StoredWeather.self]) { realm in
                try realm.write { _ = realm.create(StoredWeather.self, value: ["even": 7, "evens": [7]]) }
            }
            try folder.open(Weather.types, additive: true) { realm in
                if let weather = realm.objects(Weather.self).first { try body(weather) }
            }
        } catch { print("unexpected: \(error)") }
    }

    @Test(.behaviour("B-092", "B-094", "B-095", "T03", "T13"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Failed to convert persisted value '7' to type 'Even' in a non-optional context.") {
            CustomPersistableTests.storeOdd { _ = $0.even }
        },
        // An optional element is nil (row T3).
        Trap("evens[0] is nil") {
            CustomPersistableTests.storeOdd { if $0.evens[0] == nil { throwRealmException("evens[0] is nil") } }
        },
        Trap("Failed to default construct a Word using the default value for persisted type String.") {
            class Diary: TestObject { @Persisted var word: Word }
            _ = Diary().word
        },
        Trap("Could not convert value '1' to type 'NoNumber'.") {
            inWrite([RefusingList.self]) { realm in
                let item = realm.create(RefusingList.self)
                item.list.append(NoNumber())
                _ = item.list[0]
            }
        },
        Trap("of type 'NSNull' for") { _ = Weather(value: ["points": [NSNull()]]) },
    ]

    @Test(.behaviour("B-093")) func optionalPropertyThatFailsIsNil() throws {
        let file = try TemporaryFolderURL()
        try file.open([StoredWeather.self]) { realm in
            try realm.write { _ = realm.create(StoredWeather.self, value: ["optEven": 7]) }
        }
        try file.open(Weather.types, additive: true) { realm in
            let weather = try #require(realm.objects(Weather.self).first)
            #expect(weather.optEven == nil)
        }
    }

    @Test(.behaviour("T03")) func aRefusedValueReadsNil() throws {
        let values: [String: Any] = ["single": 1, "list": [1, 2], "set": [1], "map": ["a": 1]]
        func verify(_ item: RefusingItem) {
            #expect(item.single == nil && item.list.count == 2 && item.list[1] == nil && item.set.count == 1)
            #expect(item.map.count == 1 && item.map["a"] == .some(nil))
        }
        verify(RefusingItem(value: values))
        try withRealm([RefusingItem.self]) { realm in
            try realm.write {
                let item = realm.create(RefusingItem.self, value: values)
                verify(item)
                item["single"] = 7
                #expect(item.single == nil && realm.objects(RefusingItem.self).filter("single == 7").count == 1)
                item.single = NoNumber()
                item.list.append(NoNumber())
                #expect(item.single == nil && item.list[2] == nil)
                #expect(realm.objects(RefusingItem.self).filter("single == 1 AND ANY list == 1").count == 1)
            }
        }
    }

    @Test(.behaviour("T16")) func aMemberwiseComparisonIsWrittenAsOne() {
        let condition = Query<Weather>._constructForTesting().point == Point(x: 1, y: 2)
        #expect(condition._constructPredicate().0 == "(point == %@)")
        let other = Query<Weather>._constructForTesting().point != Point(x: 1, y: 2)
        #expect(other._constructPredicate().0 == "(point != %@)")
    }
}
