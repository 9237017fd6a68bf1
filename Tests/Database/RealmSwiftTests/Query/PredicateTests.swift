// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Predicate strings, through `NSPredicate(format:)` (behaviours B-422 to B-470).
@Suite struct PredicateTests: TrapSuite {
    @Test(.behaviour("B-422")) func equality() throws {
        try withOwners { realm in
            for format in ["age = 30", "age == 30", "30 == age", "30 = age"] { #expect(names(realm, format) == "Ann") }
        }
    }

    @Test(.behaviour("B-423")) func inequalityWithNull() throws {
        try withOwners { realm in
            let owners = realm.objects(PredicateOwner.self)
            try realm.write { (owners[0].decimal, owners[1].decimal) = (3, 4) }
            #expect(names(realm, "decimal != 3") == "Bob Cid")
        }
    }

    @Test(.behaviour("B-424")) func between() throws {
        try withOwners { realm in
            #expect(names(realm, "age BETWEEN {10, 20}") == "Bob Cid")
            #expect(names(realm, "age BETWEEN %@", [20, 30]) == "Ann Bob")
            #expect(names(realm, "age BETWEEN {%@, %@}", 21, 29) == "")
        }
    }

    @Test(.behaviour("B-426")) func betweenNeedsAnOrder() async {
        await expectRefusal("name BETWEEN {'a', 'b'}", "Operator 'BETWEEN' not supported for type 'string'")
    }

    @Test(.behaviour("B-427")) func inWithListsOfAllKinds() throws {
        try withOwners { realm in
            #expect(names(realm, "name IN {'Ann', 'Cid'}") == "Ann Cid")
            #expect(names(realm, "name IN %@", ["Bob", "x"]) == "Bob")
            #expect(names(realm, "name IN %@", Set(["Cid"])) == "Cid")
            #expect(names(realm, "name IN %@", [String]()) == "")
            #expect(names(realm, "name IN {}") == "")
            #expect(names(realm, "name IN[c] {'ANN'}") == "Ann")
            let list = List<String>()
            list.append("Ann")
            #expect(names(realm, "name IN %@", list) == "Ann")
        }
    }

    @Test(.behaviour("B-428")) func aValueInAList() throws {
        try withOwners { realm in
            #expect(names(realm, "%@ IN numbers", 4) == "Ann")
            #expect(names(realm, "9 IN numbers") == "Bob")
            #expect(names(realm, "%@ IN numbers", 7) == "")
        }
    }

    @Test(.behaviour("B-429")) func nothingContainsNothing() throws {
        try withOwners { realm in
            #expect(names(realm, "name CONTAINS ''") == "")
            #expect(names(realm, "name CONTAINS %@", NSNull()) == "")
            #expect(names(realm, "name BEGINSWITH ''") == "")
            #expect(names(realm, "name ENDSWITH nil") == "")
        }
    }

    @Test(.behaviour("B-430")) func caseOfLatinLetters() throws {
        try withOwners { realm in
            try realm.write {
                realm.create(PredicateOwner.self, value: ["name": "éa"])
                realm.create(PredicateOwner.self, value: ["name": "αβ"])
            }
            #expect(names(realm, "name BEGINSWITH[c] 'É'") == "éa")
            #expect(names(realm, "name BEGINSWITH 'É'") == "")
            // Row R33 of the compatibility review overrides the behaviour's second half.
            #expect(names(realm, "name ==[c] 'ΑΒ'") == "αβ")
            #expect(names(realm, "name ==[cd] 'ΑΒ'") == "αβ")
        }
    }

    @Test(.behaviour("B-431")) func accentsDoNotCount() throws {
        try withOwners { realm in
            try realm.write { realm.create(PredicateOwner.self, value: ["name": "café"]) }
            #expect(names(realm, "name ==[d] 'cafe'") == "café")
            #expect(names(realm, "name ==[d] 'CAFE'") == "")
            #expect(names(realm, "name CONTAINS[cd] 'AFÊ'") == "café")
            #expect(names(realm, "name !=[d] 'cafe'") == "Ann Bob Cid")
            #expect(names(realm, "name IN[d] {'cäfe'}") == "café")
        }
    }

    @Test(.behaviour("B-432")) func wildcards() async throws {
        try withRealm(predicateTypes) { realm in
            try realm.write {
                for name in ["abc", "aXcd", "ABC", "ac"] { realm.create(PredicateOwner.self, value: ["name": name]) }
            }
            #expect(names(realm, "name LIKE 'a?c*'") == "abc aXcd")
            #expect(names(realm, "name LIKE[c] 'a?c*'") == "abc aXcd ABC")
        }
        await expectRefusal("name LIKE[d] 'a'", "Operator 'LIKE' not supported with diacritic-insensitive modifier.")
    }

    @Test(.behaviour("B-435")) func textIsOrderedByItsBytes() async throws {
        try withOwners { realm in
            #expect(names(realm, "name < 'Bob'") == "Ann")
            #expect(names(realm, "name < 'a'") == "Ann Bob Cid")
            #expect(names(realm, "name >= 'Bob'") == "Bob Cid")
        }
        await expectRefusal("name <[c] 'b'", "Lexicographical comparisons must be case-sensitive")
    }

    @Test(.behaviour("B-438")) func allAndNone() async throws {
        try withOwners { realm in
            #expect(names(realm, "NONE dogs.age > 3") == "Cid")
            #expect(names(realm, "NOT ANY dogs.age > 3") == "Cid")
            #expect(names(realm, "SOME dogs.age > 3") == "Ann Bob")
        }
        await expectRefusal("ALL dogs.age > 3", "ALL modifier not supported")
    }

    @Test(.behaviour("B-439")) func aggregates() throws {
        try withOwners { realm in
            #expect(names(realm, "dogs.@count > 1") == "Ann")
            #expect(names(realm, "dogs.@avg.age > 3") == "Bob")
            #expect(names(realm, "numbers.@sum == 6") == "Ann")
            #expect(names(realm, "dogs.@min.age == 2") == "Ann")
            #expect(names(realm, "numbers.@max == nil") == "Cid")
            #expect(names(realm, "dogs.@sum.age == 0") == "Cid")
        }
    }

    @Test(.behaviour("B-444")) func datesHaveNoSum() async {
        await expectRefusal("dogs.@sum.birthday > T0:0", "Cannot sum or average date properties")
    }

    @Test(.behaviour("B-448")) func aggregatesAndProperties() async throws {
        try withOwners { realm in
            try realm.write { realm.create(PredicateOwner.self, value: ["name": "Eve", "age": 0]) }
            #expect(names(realm, "age == dogs.@count") == "Eve")
            #expect(names(realm, "age > dogs.@count") == "Ann Bob Cid")
        }
        await expectRefusal(
            "dogs.@count == numbers.@count",
            "Key paths including aggregate operations cannot be compared with other aggregate operations.")
    }

    @Test(.behaviour("B-451")) func subqueries() async throws {
        try withOwners { realm in
            #expect(names(realm, "SUBQUERY(dogs, $d, $d.age > 3).@count > 0") == "Ann Bob")
            #expect(names(realm, "SUBQUERY(dogs, $d, $d.age > 1 AND $d.name BEGINSWITH 'R').@count == 1") == "Ann")
        }
        await expectRefusal(
            "SUBQUERY(dogs, $d, $d.age > 3) > 0", "SUBQUERY is only supported when immediately followed by .@count.")
    }

    @Test(.behaviour("B-452")) func constants() throws {
        try withOwners { realm in
            #expect(names(realm, "TRUEPREDICATE") == "Ann Bob Cid")
            #expect(names(realm, "FALSEPREDICATE") == "")
            #expect(realm.objects(PredicateOwner.self).filter(NSPredicate(value: true)).count == 3)
            #expect(realm.objects(PredicateOwner.self).filter(NSPredicate(value: false)).isEmpty)
        }
    }

    @Test(.behaviour("B-453")) func precedence() throws {
        try withOwners { realm in
            #expect(names(realm, "NOT (age == 30 OR age == 20) AND flag == false") == "Cid")
            #expect(names(realm, "age == 30 OR age == 20 AND flag == false") == "Ann")
            #expect(names(realm, "NOT age == 30 AND age > 10") == "Bob")
            #expect(names(realm, "!(age == 30) && age > 5 || name == 'Ann'") == "Ann Bob Cid")
        }
    }

    @Test(.behaviour("B-454")) func keyPathsAsArguments() throws {
        try withOwners { realm in
            #expect(names(realm, "%K == %@", "age", 30) == "Ann")
            #expect(names(realm, "ANY %K == %@", "dogs.name", "Zoe") == "Bob")
            #expect(names(realm, "%K.@count == %d", "dogs", 2) == "Ann")
        }
    }

    @Test(.behaviour("B-455")) func argumentsOfAllTypes() throws {
        try withOwners { realm in
            let (date, id, key) = (Date(timeIntervalSince1970: 5), UUID(), ObjectId.generate())
            let ann = try #require(realm.objects(PredicateOwner.self).first)
            try realm.write {
                (ann.date, ann.data, ann.uuid, ann.objectId, ann.decimal) = (date, Data([1, 2]), id, key, 2.5)
            }
            #expect(names(realm, "date > %@", date.addingTimeInterval(-1)) == "Ann")
            #expect(names(realm, "date == %@", date) == "Ann")
            #expect(names(realm, "data == %@", Data([1, 2])) == "Ann")
            #expect(names(realm, "uuid == %@", id) == "Ann")
            #expect(names(realm, "objectId == %@", key) == "Ann")
            #expect(names(realm, "decimal > %@", Decimal128(2)) == "Ann")
            #expect(names(realm, "decimal == 2.5") == "Ann")
            #expect(names(realm, "uuid == %@", NSNull()) == "Bob Cid")
            #expect(names(realm, "ANY dogs == %@", ann.dogs[0]) == "Ann")
            #expect(names(realm, "flag == %@", true) == "Bob")
            #expect(names(realm, "ratio > %@", Float(7)) == "Ann")
            #expect(names(realm, "age IN %@", [Int8(30), 10]) == "Ann Cid")
            #expect(
                realm.objects(PredicateOwner.self).filter("date == %@ AND age == %@", date, Int?.some(30) as Any).count
                    == 1)
        }
    }

    @Test(.behaviour("B-456", "B-460"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Object must be from the Realm being queried") {
            inRealm(predicateTypes) { realm in
                try fill(realm)
                let dog = realm.objects(PredicateDog.self)[0]
                inRealm(predicateTypes) { _ = $0.objects(PredicateOwner.self).filter("ANY dogs == %@", dog) }
            }
        },
        Trap("Only support compound, comparison, and constant predicates") {
            inRealm(predicateTypes) { realm in
                _ = realm.objects(PredicateOwner.self).filter(NSPredicate { _, _ in true })
            }
        },
    ]

    @Test(.behaviour("B-457")) func pathsOfAnyDepth() throws {
        try withOwners { realm in
            let owners = realm.objects(PredicateOwner.self)
            try realm.write { for index in 0..<2 { owners[index + 1].owner = owners[index] } }
            #expect(names(realm, "owner.owner.name == 'Ann'") == "Cid")
            #expect(names(realm, "owner.owner.owner.name == 'x'") == "")
            #expect(names(realm, "owner.owner.owner.owner.name == nil") == "Ann Bob Cid")
        }
    }

    @Test(.behaviour("B-458")) func maps() throws {
        try withOwners { realm in
            #expect(names(realm, "dict['k'] == 2") == "Ann")
            #expect(names(realm, "dict[%@] == 1", "k") == "Bob")
            #expect(names(realm, "dict['k'] == nil") == "Cid")
            #expect(names(realm, "dict.@allKeys CONTAINS 'k'") == "Ann Bob")
            #expect(names(realm, "ANY dict.@allKeys == 'k'") == "Ann Bob")
            #expect(names(realm, "ANY dict.@allValues > 1") == "Ann")
            #expect(names(realm, "dict.@count == 0") == "Cid")
        }
    }

    @Test(.behaviour("B-459")) func textInMixed() throws {
        try withOwners { realm in
            let owners = realm.objects(PredicateOwner.self)
            try realm.write {
                owners[0].any = .string("abc")
                owners[1].any = .data(Data("axy".utf8))
                owners[2].any = .int(1)
            }
            #expect(names(realm, "any BEGINSWITH 'a'") == "Ann Bob")
            #expect(names(realm, "any ENDSWITH 'c'") == "Ann")
            #expect(names(realm, "any LIKE 'a?y'") == "Bob")
        }
    }

    private func withMixed(_ body: (Realm) throws -> Void) throws {
        try withRealm(predicateTypes) { realm in
            try realm.write {
                for (name, value) in [
                    ("int", AnyRealmValue.int(1)), ("double", .double(1)), ("text", .string("1")),
                    ("flag", .bool(true)), ("none", .none), ("two", .int(2)),
                ] { realm.create(PredicateOwner.self, value: ["name": name, "any": value]) }
            }
            try body(realm)
        }
    }

    @Test(.behaviour("B-461")) func numbersInMixed() throws {
        try withMixed { realm in
            #expect(names(realm, "any == 1") == "int double")
            #expect(names(realm, "any == %@", "1") == "text")
            #expect(names(realm, "any > 1") == "two")
        }
    }

    @Test(.behaviour("B-462")) func inequalityInMixed() throws {
        try withMixed { realm in
            #expect(names(realm, "any != 1") == "text flag none two")
            #expect(names(realm, "any != nil") == "int double text flag two")
        }
    }

    @Test(.behaviour("B-463")) func identifiersAreNotText() async {
        await expectRefusal(
            "objectId == 'x'", "Cannot compare value 'x' of type 'string' to property 'objectId' of type 'object id'")
    }

    @Test(.behaviour("B-465")) func onlyAccessedElementsAreCreated() throws {
        try withRealm([AskCounted.self]) { realm in
            try realm.write {
                for index in 0..<3000 { realm.create(AskCounted.self, value: ["number": index]) }
            }
            let results = realm.objects(AskCounted.self).filter("number >= 1000").sorted(byKeyPath: "number")
            let before = AskCounted.made.withLock { $0 }
            #expect((0..<10).map { results[$0].number } == Array(1000..<1010))
            #expect(AskCounted.made.withLock { $0 } == before + 10)
        }
    }

    @Test(.behaviour("B-466")) func orders() throws {
        try withOwners { realm in
            try realm.write {
                for index in 0..<50 { realm.create(PredicateOwner.self, value: ["name": "same \(index)", "age": 20]) }
            }
            let first = Array(realm.objects(PredicateOwner.self).sorted(byKeyPath: "age").map(\.name))
            #expect(first.prefix(3) == ["Cid", "Bob", "same 0"] && first.last == "Ann")
            #expect(Array(realm.objects(PredicateOwner.self).sorted(byKeyPath: "age").map(\.name)) == first)
        }
    }

    @Test(.behaviour("B-467")) func inverseRelationships() throws {
        try withOwners { realm in
            let dogs = realm.objects(PredicateDog.self)
            #expect(dogs.filter("ANY owners.name == 'Ann'").map(\.name) == ["Rex", "Bo"])
            #expect(dogs.filter("owners.@count == 1 AND ANY owners.age < 25").map(\.name) == ["Zoe"])
            #expect(dogs.filter("SUBQUERY(owners, $o, $o.name == 'Bob').@count == 1").map(\.name) == ["Zoe"])
        }
    }

    @Test(.behaviour("B-468")) func embeddedObjects() throws {
        try withOwners { realm in
            let owners = realm.objects(PredicateOwner.self)
            try realm.write { owners[1].address = PredicateAddress(value: ["zip": 1]) }
            #expect(names(realm, "address.zip == 1") == "Bob")
            #expect(names(realm, "address.zip == nil") == "Ann Cid")
            #expect(names(realm, "address != nil") == "Bob")
        }
    }

    @Test(.behaviour("B-469")) func sets() throws {
        try withOwners { realm in
            #expect(names(realm, "ANY tags == 'Rex'") == "Ann")
            #expect(names(realm, "ANY tags IN {'Zoe', 'Bo'}") == "Ann Bob")
            #expect(names(realm, "'Zoe' IN tags") == "Bob")
            let found = realm.objects(PredicateOwner.self).where { $0.tags.containsAny(in: ["Zoe", "Rex"]) }
            #expect(found.map(\.name) == ["Ann", "Bob"])
        }
    }

    @Test(.behaviour("B-470")) func countsOfLists() throws {
        try withRealm([AskLists.self]) { realm in
            let full = AskLists()
            (full.flags, full.doubles, full.texts) = (list(true), list(1.5), list("a"))
            (full.datas, full.dates, full.ids) = (list(Data()), list(Date()), list(ObjectId.generate()))
            (full.uuids, full.decimals, full.anys) = (list(UUID()), list(Decimal128(1)), list(AnyRealmValue.none))
            (full.ints, full.optionals) = (list(1), list(nil))
            try realm.write { realm.add([full, AskLists()]) }
            let lists = try #require(realm.schema["AskLists"]).properties
            #expect(lists.count == 11)
            for list in lists {
                #expect(realm.objects(AskLists.self).filter("%K.@count == 0", list.name).count == 1, "\(list.name)")
                #expect(realm.objects(AskLists.self).filter("%K.@count == 1", list.name).count == 1, "\(list.name)")
            }
        }
    }

    private func list<Element>(_ element: Element) -> List<Element> {
        let list = List<Element>()
        list.append(element)
        return list
    }

    @Test func compoundPredicates() throws {
        try withOwners { realm in
            let owners = realm.objects(PredicateOwner.self)
            let (old, young) = (NSPredicate(format: "age > 15"), NSPredicate(format: "age < %d", 25))
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [old, young])
            #expect(owners.filter(both).map(\.name) == ["Bob"])
            #expect(owners.filter(NSCompoundPredicate(orPredicateWithSubpredicates: [old, young])).count == 3)
            #expect(
                owners.filter(NSCompoundPredicate(notPredicateWithSubpredicate: both)).map(\.name) == ["Ann", "Cid"])
            #expect(owners.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count == 3)
            #expect(owners.index(matching: young) == 1)
            #expect(owners[0].dogs.filter(NSPredicate(format: "age > 3")).map(\.name) == ["Bo"])
            let copy = try #require(young.copy() as? NSPredicate)
            #expect(owners.filter(copy).map(\.name) == ["Bob", "Cid"])
        }
    }
}

final class AskCounted: TestObject {
    @Persisted var number: Int
    static let made = Locked(0)

    required init() {
        Self.made.withLock { $0 += 1 }
        super.init()
    }
}

final class AskLists: TestObject {
    @Persisted var ints: List<Int>
    @Persisted var optionals: List<Int?>
    @Persisted var flags: List<Bool>
    @Persisted var doubles: List<Double>
    @Persisted var texts: List<String>
    @Persisted var datas: List<Data>
    @Persisted var dates: List<Date>
    @Persisted var ids: List<ObjectId>
    @Persisted var uuids: List<UUID>
    @Persisted var decimals: List<Decimal128>
    @Persisted var anys: List<AnyRealmValue>
}
