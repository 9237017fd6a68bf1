// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private struct NoNumber: FailableCustomPersistable {
    typealias PersistedType = Int
    init() {}
    init?(persistedValue: Int) { return nil }
    var persistableValue: Int { 1 }
}

private final class PartObject: TestEmbedded {
    @Persisted var number = 0
}

private struct NumberPart: CustomPersistable, Equatable {
    typealias PersistedType = PartObject
    var number: Int
    init(persistedValue: PartObject) { number = persistedValue.number }
    var persistableValue: PartObject { PartObject(value: [number]) }
}

private final class MeasuredItem: TestObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var decimal: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted var numbers: Map<String, Int?>
    @Persisted var set: MutableSet<MeasuredItem>
    @Persisted var items: List<MeasuredItem>
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

private final class PartHolder: TestObject {
    @Persisted var part: NumberPart
}

private final class PartItem: TestObject {
    @Persisted var parts: List<NumberPart>
}

private final class FirstTarget: TestObject {
    @Persisted var number = 0
    @Persisted(originProperty: "firstLink") var origins: LinkingObjects<FirstOrigin>
    override static func _realmObjectName() -> String? { "SharedTarget" }
    override static func propertiesMapping() -> [String: String] { ["number": "value"] }
}

private final class SecondTarget: TestObject {
    @Persisted var count = 0
    @Persisted(originProperty: "secondLink") var origins: LinkingObjects<SecondOrigin>
    override static func _realmObjectName() -> String? { "SharedTarget" }
    override static func propertiesMapping() -> [String: String] { ["count": "value"] }
}

private final class FirstOrigin: TestObject {
    @Persisted var firstLink: FirstTarget?
    override static func _realmObjectName() -> String? { "SharedOrigin" }
    override static func propertiesMapping() -> [String: String] { ["firstLink": "link"] }
}

private final class SecondOrigin: TestObject {
    @Persisted var secondLink: SecondTarget?
    override static func _realmObjectName() -> String? { "SharedOrigin" }
    override static func propertiesMapping() -> [String: String] { ["secondLink": "link"] }
}

/// Rows of the second compatibility measurement.
@Suite struct SecondMeasurementTests {
    private static let types: [ObjectBase.Type] = [MeasuredItem.self]

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

    @Test(.behaviour("T03")) func anElementThatIsNotOptionalTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite([RefusingList.self]) { realm in
                let item = realm.create(RefusingList.self)
                item.list.append(NoNumber())
                _ = item.list[0]
            }
        }
        expect("Could not convert value '1' to type 'NoNumber'.", in: result)
    }

    @Test(.behaviour("T04")) func decimalsOfFoundationAreDecimals() throws {
        let number = NSDecimalNumber(string: "5.5")
        try withRealm(Self.types) { realm in
            try realm.write {
                for value in [Decimal(5.5), number] as [Any] {
                    for item in [MeasuredItem(), realm.create(MeasuredItem.self, value: ["id": 1], update: .all)] {
                        item["decimal"] = value
                        item["any"] = value
                        #expect(item.decimal == 5.5 && item.any == .decimal128(5.5))
                    }
                    let found = realm.objects(MeasuredItem.self).filter("decimal == %@ AND any == %@", value, value)
                    #expect(found.count == 1)
                }
            }
        }
    }

    @Test(.behaviour("T05")) func theInverseIsOfTheClassThatThePropertyNames() throws {
        let types: [ObjectBase.Type] = [FirstTarget.self, SecondTarget.self, FirstOrigin.self, SecondOrigin.self]
        try withRealm(types) { realm in
            try realm.write { realm.add(FirstOrigin(value: ["firstLink": ["number": 5]] as [String: Any])) }
            let (first, second) = (realm.objects(FirstTarget.self).first, realm.objects(SecondTarget.self).first)
            #expect(first?.origins.count == 1 && second?.origins.first?.secondLink?.count == 5)
            #expect(realm.objects(SecondTarget.self).filter("origins.@count == 1").count == 1)
        }
    }

    @Test(.behaviour("T06")) func aSubqueryMayCompareTwoPaths() throws {
        let condition: (Query<MeasuredItem>) -> Query<Bool> = { ($0.items.text == $0.text).count == 0 }
        let text = condition(Query<MeasuredItem>._constructForTesting())._constructPredicate().0
        #expect(text == "(SUBQUERY(items, $col1, ($col1.text == text)).@count == %@)")
        try withRealm(Self.types) { realm in
            try realm.write { _ = realm.create(MeasuredItem.self, value: ["id": 1, "items": [["id": 2]]]) }
            let parsed = realm.objects(MeasuredItem.self).filter("SUBQUERY(items, $x, $x.text == text).@count == 0")
            let found = realm.objects(MeasuredItem.self).where(condition)
            #expect(found.map(\.id) == parsed.map(\.id) && found.count == 1)
        }
    }

    @Test(.behaviour("T07")) func nothingInAnOptionalIsStoredAsNull() throws {
        func put<Value>(_ value: Value, in item: MeasuredItem) { item.numbers.setValue(value, forKey: "a") }
        try withRealm(Self.types) { realm in
            try realm.write {
                for item in [MeasuredItem(), realm.create(MeasuredItem.self)] {
                    put(Int?.none, in: item)
                    #expect(item.numbers.count == 1 && item.numbers["a"] == .some(nil))
                    put(NSNull(), in: item)
                    #expect(item.numbers.count == 1 && item.numbers["a"] == .some(nil))
                    item.numbers.setValue(nil, forKey: "a")
                    #expect(item.numbers.count == 0)
                }
            }
        }
    }

    @Test(.behaviour("T08")) func aSetGivesEachValueOnce() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let item = realm.create(MeasuredItem.self)
                for id in 1...3 { item.set.insert(realm.create(MeasuredItem.self, value: ["id": id, "text": "same"])) }
                let texts: [AnyObject] = item.set.value(forKey: "text")
                let objects: [AnyObject] = item.set.value(forKey: "self")
                #expect(texts.count == 1 && objects.count == 3)
            }
        }
    }

    @Test(.behaviour("T09")) func shapesAreArguments() throws {
        let corner = try #require(GeoPoint(latitude: 1, longitude: 1))
        let shapes: [Any] = [
            GeoBox(bottomLeft: (0, 0), topRight: (1, 1)) as Any,
            GeoCircle(center: corner, radius: try #require(Distance.kilometers(1))),
            try #require(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)])),
        ]
        for shape in shapes { #expect((shape as? any CVarArg)?._cVarArgEncoding.count == 1) }
    }

    @Test(.behaviour("T12")) func theSumOfAnEmptyMapIsAnInt() {
        #expect(Map<String, AnyRealmValue>().sum() == .int(0))
    }

    @Test(.behaviour("T13")) func nullIsRejectedInAListOfObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PartItem(value: ["parts": [NSNull()]])
        }
        expect("of type 'NSNull' for", in: result)
    }

    @Test(.behaviour("T14")) func aHoleMayNotHaveASideOnTheOuterRing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let polygon = GeoPolygon(
                outerRing: [(0, 0), (0, 3), (3, 3), (3, 0), (0, 0)], holes: [[(0, 1), (0, 2), (1, 1.5), (0, 1)]])
            inRealm([GeoShop.self, GeoSpot.self, GeoTop.self, GeoOther.self]) { realm in
                _ = realm.objects(GeoShop.self).filter("location IN %@", polygon!).count
            }
        }
        expect("Secondary ring 1 not contained by first exterior ring", in: result)
    }

    @Test(.behaviour("T16")) func descriptionsOfLinks() {
        let properties = ObjectSchema(FirstTarget().classInfo)
        let origins = properties["origins"]?.description ?? ""
        #expect(
            origins.hasPrefix(
                """
                origins {
                \ttype = linking objects;
                \tobjectClassName = FirstOrigin;
                \tlinkOriginPropertyName = firstLink;
                \tcolumnName = 
                """), "\(origins)")
        let link = ObjectSchema(MeasuredItem().classInfo)["items"]?.description ?? ""
        #expect(link.contains("\tobjectClassName = MeasuredItem;\n\tlinkOriginPropertyName = (null);\n\tcolumnName"))
    }

    @Test(.behaviour("T16")) func theKeyOfAManagedObjectByKeyValueCoding() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite([MeasuredItem.self]) { $0.create(MeasuredItem.self).setValue(0, forKey: "id") }
        }
        expect("Cannot modify primary key after creation: 'MeasuredItem.id'", in: result)
    }

    @Test(.behaviour("T16")) func dynamicObjectsNameTheClassOfTheirElements() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let item = realm.create(MeasuredItem.self, value: ["id": 1, "any": AnyRealmValue.double(2)])
                item.items.append(item)
            }
            let objects = realm.dynamicObjects("MeasuredItem")
            #expect(objects.description.hasPrefix("Results<MeasuredItem> <0x"))
            let text = try #require(objects.first).description
            #expect(text.contains("\titems = List<MeasuredItem> <0x") && text.contains("\tany = 2;"))
        }
    }

    @Test(.behaviour("T16")) func aMemberwiseComparisonIsWrittenAsOne() {
        let condition = Query<PartHolder>._constructForTesting().part == NumberPart(persistedValue: PartObject())
        #expect(condition._constructPredicate().0 == "(part == %@)")
        let other = Query<PartHolder>._constructForTesting().part != NumberPart(persistedValue: PartObject())
        #expect(other._constructPredicate().0 == "(part != %@)")
    }

    @Test(.behaviour("T16")) func coordinatesHaveSixDigits() throws {
        let circle = try #require(GeoCircle(center: (59.21345678, 18.2), radiusInRadians: 0.01234567))
        #expect(circle.description == "GeoCircle([18.2, 59.2135, 0], 0.0123457)")
    }

    @Test(.behaviour("U11")) func aListFindsObjectsByTheirRows() throws {
        try withRealm(Self.types) { realm in
            let list = try realm.write {
                let item = realm.create(MeasuredItem.self, value: ["id": 0])
                for id in 1...100 {
                    item.items.append(realm.create(MeasuredItem.self, value: ["id": id, "text": "t"]))
                }
                return item.items
            }
            let (first, last) = (list[0], list[99])
            #expect(list._customContainsEquatableElement(last) == true && list.contains(last))
            #expect(realm.objects(MeasuredItem.self).contains(first))
            #expect(list.freeze().contains(last.freeze()) && !list.contains(last.freeze()))
            #expect(!list.contains(MeasuredItem(value: [1])))
            try realm.write { list.remove(at: 0) }
            #expect(!list.contains(first))
            try realm.write { realm.delete(first) }
            #expect(!list.contains(first))
        }
    }
}
