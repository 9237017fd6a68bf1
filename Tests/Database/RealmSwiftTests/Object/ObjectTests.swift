// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Unmanaged objects: values, dynamic access, description, equality (model 1).
@Suite struct ObjectTests {
    @Test(.behaviour("B-145")) func unmanagedState() {
        let dog = Dog()
        #expect(dog.realm == nil && !dog.isInvalidated && !Address().isInvalidated && Address().realm == nil)
        #expect(dog.isSameObject(as: dog) && !dog.isSameObject(as: nil))
    }

    @Test func equalityIsIdentity() {
        let toy = DogToy()
        let same = DogToy()
        same._id = toy._id
        #expect(toy == toy && toy != same && toy.hashValue == same.hashValue)
        #expect(Dog() != Dog())
        #expect(Set([toy, same]).count == 2)
    }

    @Test(.behaviour("B-579")) func description() {
        let dog = Dog(value: ["name": "Rex", "age": 3])
        #expect(dog.description == "Dog {\n\tname = Rex;\n\tage = 3;\n\ttoy = (null);\n}")
        dog.toy = DogToy(value: [UUID(uuidString: "00000000-0000-0000-0000-000000000001")!, "Ball"])
        #expect(
            dog.description == """
                Dog {
                \tname = Rex;
                \tage = 3;
                \ttoy = DogToy {
                \t\t_id = 00000000-0000-0000-0000-000000000001;
                \t\tname = Ball;
                \t};
                }
                """)
    }

    @Test func descriptionOfList() throws {
        let person = Person()
        person.dogs.append(Dog(value: ["Rex", 3]))
        let text = person.description
        let start = try #require(text.range(of: "\tdogs = List<Dog> <0x"))
        #expect(
            text[start.upperBound...].contains(
                "> (\n\t\t[0] Dog {\n\t\t\tname = Rex;\n\t\t\tage = 3;\n\t\t\ttoy = (null);\n\t\t}\n\t);\n"))
        #expect(text.contains("\taddress = (null);\n"))
    }

    final class Values: TestObject {
        @Persisted var bytes: Data
        @Persisted var flag = true
        @Persisted var ratio = 1.5
        @Persisted var size = Size.large
        @Persisted var next: Values?
    }

    @Test(.behaviour("B-580")) func descriptionOfValues() {
        let object = Values()
        object.bytes = Data((0..<30).map { UInt8($0) })
        let bytes = "00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617"
        #expect(
            object.description
                == "Values {\n\tbytes = <\(bytes) — 30 total bytes>;\n\tflag = 1;\n\tratio = 1.5;\n\tsize = 7;\n"
                + "\tnext = (null);\n}")
    }

    @Test(.behaviour("B-581")) func descriptionStopsAtDepthFive() {
        let first = Values()
        first.next = first
        let text = first.description
        #expect(text.components(separatedBy: "Values {").count == 6)
        #expect(text.contains("\t\t\t\t\tnext = <Maximum depth exceeded>;\n"))
    }

    @Test(.behaviour("B-137", "B-144", "B-146")) func valuesFromDictionary() {
        let dog = Dog(value: ["name": "Rex", "age": 3, "unknown": 1])
        #expect(dog.name == "Rex" && dog.age == 3 && dog.toy == nil)
        let address = Address(value: ["street": "A"])
        #expect(address.street == "A" && address.city == "Berlin")
        let nothing: String? = nil
        #expect(Address(value: ["street": nothing as Any]).street == nil)
        #expect(Address(value: ["street": NSNull()]).street == nil)
    }

    @Test(.behaviour("B-138")) func valuesFromArray() {
        #expect(Dog(value: ["Rex", 3]).age == 3 && Dog(value: ["Rex"]).age == 0)
        #expect(Dog(value: [Any]()).name == "")
    }

    @Test(.behaviour("B-141")) func valuesFromObject() {
        struct Source {
            var name = "Rex"
            var age = 3
            var toy: [String: Any]? = ["name": "Ball"]
        }
        let dog = Dog(value: Source())
        #expect(dog.name == "Rex" && dog.age == 3 && dog.toy?.name == "Ball")
        let copy = Dog(value: dog)
        #expect(copy !== dog && copy.name == "Rex" && copy.toy === dog.toy)
    }

    @Test(.behaviour("B-143")) func nestedValues() throws {
        let json = """
            {"firstName": "Ann", "address": {"city": "Rome"}, "dogs": [{"name": "Rex", "age": 3}, ["Bo", 1]]}
            """
        let person = Person(value: try JSONSerialization.jsonObject(with: Data(json.utf8)))
        #expect(person.firstName == "Ann" && person.address?.city == "Rome")
        #expect(person.dogs.map(\.name) == ["Rex", "Bo"] && person.dogs.map(\.age) == [3, 1])
    }

    @Test func numbersConvertWithoutLoss() {
        let object = AllTypes(value: [
            "int8": 127, "int64": UInt64(5), "bool": 1, "float": 2, "double": Int8(-1), "optFloat": 0.5, "size": 7,
            "color": "green", "optSize": Size.small, "ints": [1, 2.0], "strings": ["a", nil], "colors": ["red", nil],
        ])
        #expect(object.int8 == 127 && object.int64 == 5 && object.bool && object.float == 2 && object.double == -1)
        #expect(object.optFloat == 0.5 && object.size == .large && object.color == .green && object.optSize == .small)
        #expect(Array(object.ints) == [1, 2] && Array(object.strings) == ["a", nil])
        #expect(Array(object.colors) == [.red, nil])
    }

    @Test func dynamicAccess() {
        let object = AllTypes()
        object["int"] = 5
        object["size"] = 7
        object["optString"] = "x"
        object["link"] = Dog(value: ["Rex"])
        #expect(object.int == 5 && object.size == .large && object.optString == "x" && object.link?.name == "Rex")
        #expect(object["int"] as? Int == 5 && object["size"] as? Int == 7 && object["color"] as? String == "red")
        #expect(object["optInt"] == nil && (object["link"] as? Dog)?.name == "Rex")
        object["optString"] = nil
        object["ints"] = [3, 4]
        #expect(object.optString == nil && Array(object.ints) == [3, 4])
        #expect((object["ints"] as? List<Int>) === object.ints)
        let address = Address()
        address["city"] = "Rome"
        #expect(address.city == "Rome" && address["city"] as? String == "Rome")
    }
}
