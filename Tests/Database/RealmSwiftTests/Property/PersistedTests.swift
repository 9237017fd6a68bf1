// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Properties of unmanaged objects (model 2).
@Suite struct PersistedTests {
    @Test(.behaviour("B-001", "B-002", "B-009")) func emptyValues() {
        let object = AllTypes()
        #expect(object.int == 0 && object.int8 == 0 && object.int16 == 0 && object.int32 == 0 && object.int64 == 0)
        #expect(object.bool == false && object.float == 0 && object.double == 0)
        #expect(object.string == "" && object.data == Data() && object.decimal == Decimal128())
        #expect(abs(object.date.timeIntervalSinceNow) < 60)
        #expect(object.size == .small && object.color == .red)
    }

    @Test(.behaviour("B-003")) func optionalsAreNil() {
        let object = AllTypes()
        #expect(object.optInt == nil && object.optInt8 == nil && object.optInt16 == nil && object.optInt32 == nil)
        #expect(object.optInt64 == nil && object.optBool == nil && object.optFloat == nil && object.optDouble == nil)
        #expect(object.optString == nil && object.optData == nil && object.optDate == nil)
        #expect(object.optObjectId == nil && object.optUuid == nil && object.optDecimal == nil)
        #expect(object.optSize == nil && object.optColor == nil && object.link == nil && object.embedded == nil)
    }

    @Test(.behaviour("B-004", "B-005", "B-007")) func lazilyMadeDefaultsStay() {
        let object = AllTypes()
        let (id, uuid, date) = (object.objectId, object.uuid, object.date)
        #expect(object.objectId == id && object.uuid == uuid && object.date == date)
        #expect(AllTypes().objectId != id && AllTypes().uuid != uuid)
        #expect(object.ints === object.ints && object.links === object.links && object.ints.isEmpty)
        let holder = Holder()
        #expect(
            holder.ints === holder.ints && holder.intMap === holder.intMap && holder.ints.isEmpty
                && holder.intMap.count == 0)
    }

    @Test func valuesAreKept() {
        let object = AllTypes()
        object.int = -5
        object.int8 = .min
        object.string = "ä"
        object.optString = ""
        object.optInt = 3
        object.size = .large
        object.optColor = .green
        object.link = Dog()
        object.link?.name = "Rex"
        object.embedded = Address()
        object.embedded?.street = "A"
        #expect(object.int == -5 && object.int8 == .min && object.string == "ä" && object.optString == "")
        #expect(object.optInt == 3 && object.size == .large && object.optColor == .green)
        #expect(object.link?.name == "Rex" && object.embedded?.street == "A")
        object.optInt = nil
        object.link = nil
        #expect(object.optInt == nil && object.link == nil)
        object.int += 7
        #expect(object.int == 2)
    }

    final class Declarations: TestObject {
        @Persisted var plain = 5
        @Persisted(indexed: true) var city: String
        @Persisted(wrappedValue: 6, indexed: true) var number
        @Persisted(primaryKey: true) var _id = "seed"
        @Persisted var zero = ObjectId()
        @Persisted var tags = List<String>()
        @Persisted var newThing: Int
        var ignored = 1
    }

    @Test(.behaviour("B-006", "B-018", "B-075", "B-076", "B-077")) func everyFormOfDeclaration() {
        let object = Declarations()
        #expect(object.plain == 5 && object.city == "" && object.number == 6 && object._id == "seed")
        #expect("\(object.zero)" == "000000000000000000000000")
        object._id = "other"
        #expect(object._id == "other" && object.tags.isEmpty && object.ignored == 1)
        #expect(Declarations().objectSchema["tags"]?.isArray == true && Declarations().objectSchema["newThing"] != nil)
        let schema = object.objectSchema
        #expect(schema.primaryKeyProperty?.name == "_id" && schema["_id"]?.isIndexed == true)
        #expect(schema["city"]?.isIndexed == true && schema["number"]?.isIndexed == true)
        #expect(schema["plain"]?.isIndexed == false && schema["ignored"] == nil)
    }

    @Test func assigningAListCopies() {
        let object = AllTypes()
        let list = object.ints
        let other = List<Int>()
        other.append(objectsIn: [1, 2])
        object.ints = other
        other.append(3)
        #expect(object.ints === list && Array(object.ints) == [1, 2])
        object.ints = object.ints
        #expect(Array(object.ints) == [1, 2])
    }

    @Test(.behaviour("B-056")) func linkingObjectsOfUnmanagedAreEmpty() {
        let dog = Dog()
        #expect(dog.owners.count == 0 && dog.owners.first == nil && dog.owners.realm == nil)
        #expect(Array(dog.owners) == [])
    }

    @Test(.behaviour("B-059")) func linkingObjectsCannotBeAssigned() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let dog = Dog()
            dog.owners = Dog().owners
        }.expectText("LinkingObjects properties are read-only")
    }

    class Animal: TestObject {
        @Persisted var legs = 4
    }

    final class Bird: Animal {
        @Persisted var wings = 2
    }

    @Test(.behaviour("B-015")) func inheritedProperties() {
        let bird = Bird()
        bird.legs = 2
        #expect(bird.legs == 2 && bird.wings == 2)
        #expect(bird.objectSchema.properties.map(\.name) == ["legs", "wings"])
        #expect(bird.objectSchema.className == "Bird" && Animal().objectSchema.className == "Animal")
    }
}
