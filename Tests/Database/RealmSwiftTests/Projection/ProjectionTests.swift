// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Projections of objects, managed or not (model 7).
@Suite struct ProjectionTests: TrapSuite {
    private func withVillage(_ body: (Realm, Villager) throws -> Void) throws {
        try withRealm(Villager.types) { realm in
            let arya = try realm.write {
                let arya = Villager(1, "Arya", "Stark", age: 11, city: "Winterfell")
                let jon = Villager(2, "Jon", "Snow", age: 17, city: "The Wall")
                let tyrion = Villager(3, "Tyrion", "Lannister", age: 35)
                realm.add([arya, jon, tyrion])
                arya.friends.append(objectsIn: [jon, tyrion, jon])
                arya.rivals.insert(tyrion)
                arya.reviews.append("good")
                return arya
            }
            try body(realm, arya)
        }
    }

    @Test(.behaviour("B-383")) func propertiesMirrorTheKeyPaths() throws {
        try withVillage { _, arya in
            let view = VillagerView(projecting: arya)
            #expect(view.rootObject === arya)
            #expect(view.firstName == "Arya")
            #expect(view.shouted == "STARK")
            #expect(view.years == 11)
            #expect(view.homeCity == "Winterfell")
            #expect(view.homeland == "Land of Winterfell")
            #expect(view.house?.city == "Winterfell")
            #expect(Array(view.friendsNames) == ["Jon", "Tyrion", "Jon"])
            #expect(Array(view.rivalsAges) == [35])
            #expect(Array(view.reviews) == ["good"])
        }
    }

    @Test func unmanagedObjectsCanBeProjected() {
        let villager = Villager(1, "Arya", "Stark", age: 11)
        villager.friends.append(Villager(2, "Jon"))
        let view = VillagerView(projecting: villager)
        #expect(view.realm == nil && !view.isInvalidated)
        #expect(view.homeCity == nil)
        #expect(Array(view.friendsNames) == ["Jon"])
        view.years = 12
        #expect(villager.age == 12)
        view.friendsNames[0] = "Jonny"
        #expect(villager.friends[0].firstName == "Jonny")
    }

    @Test(.behaviour("B-384")) func writingChangesTheRoot() throws {
        try withVillage { realm, arya in
            let view = VillagerView(projecting: arya)
            try realm.write {
                view.firstName = "No One"
                view.years += 1
                view.house = Home(value: ["city": "Braavos"])
                view.reviews.append("better")
            }
            #expect(arya.firstName == "No One")
            #expect(arya.age == 12)
            #expect(arya.home?.city == "Braavos")
            #expect(view.homeCity == "Braavos")
            #expect(Array(arya.reviews) == ["good", "better"])
        }
    }

    @Test(.behaviour("B-385", "B-386"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("KeyPath is not writable") { VillagerView(projecting: Villager(1, "Arya")).shouted = "X" },
        Trap("@Projected property 'plain' must be a part of Realm object") {
            _ = PlainView(projecting: Villager(1, "Arya"))
        },
        Trap("outside of a write transaction") {
            inRealm(Villager.types) { realm in
                let villager = Villager(1, "Arya")
                villager.friends.append(Villager(2, "Jon"))
                try realm.write { realm.add(villager) }
                VillagerView(projecting: villager).friendsNames[0] = "x"
            }
        },
        Trap("Object type 'HomeView' is not managed by the Realm.") {
            inRealm(Villager.types) { _ = $0.objects(HomeView.self) }
        },
        Trap("Collections of projections must be used with @Projected.") { _ = List<VillagerView>() },
    ]

    @Test(.behaviour("B-387")) func resultsOfProjections() throws {
        try withVillage { realm, arya in
            let views = realm.objects(VillagerView.self)
            #expect(views.count == realm.objects(Villager.self).count)
            #expect(views.map(\.firstName).sorted() == ["Arya", "Jon", "Tyrion"])
            #expect(views.first?.rootObject.id == 1)
            #expect(views[2].years == 35)
            #expect(views.last?.years == 35)
            #expect(views.index(of: VillagerView(projecting: arya)) == 0)
            var names: [String] = []
            for view in views { names.append(view.firstName) }
            #expect(names == ["Arya", "Jon", "Tyrion"])
        }
    }

    @Test func queriesInTermsOfTheRootAndOfTheProjection() throws {
        try withVillage { realm, _ in
            let views = realm.objects(VillagerView.self)
            #expect(views.filter("age > 11").map(\.firstName).sorted() == ["Jon", "Tyrion"])
            #expect(views.filter("firstName == 'Jon'").first?.years == 17)
            #expect(views.filter("home.city == 'The Wall'").count == 1)
            #expect(views.sorted(byKeyPath: "age", ascending: false).map(\.years) == [35, 17, 11])
            #expect(views.sorted(by: \.years, ascending: false).map(\.firstName) == ["Tyrion", "Jon", "Arya"])
            #expect(views.sectioned(by: \.firstName).allKeys == ["Arya", "Jon", "Tyrion"])
            #expect(views.sorted(by: \.homeCity).map(\.homeCity) == ["The Wall", "Winterfell", nil])
            #expect(views.where { $0.years > 11 && $0.firstName.starts(with: "J") }.map(\.years) == [17])
            #expect(views.where { $0.homeland == "Land of Winterfell" }.map(\.years) == [11])
            #expect(views.distinct(by: [\VillagerView.firstName]).count == 3)
            #expect(views.max(of: \.years) == 35 && views.min(of: \.years) == 11)
            #expect(views.sum(of: \.years) == 63 && views.average(of: \.years) == 21)
            #expect(views.index(matching: "age == 17") == 1)
            #expect(views.where { $0.years > 20 }.sorted(by: \.years)[0].firstName == "Tyrion")
        }
    }

    @Test func queriesAreLiveDuringWrites() throws {
        try withVillage { realm, _ in
            let views = realm.objects(VillagerView.self).filter("age < 20")
            #expect(views.count == 2)
            try realm.write {
                realm.add(Villager(4, "Sansa", age: 14))
                #expect(views.map(\.firstName).sorted() == ["Arya", "Jon", "Sansa"])
            }
            #expect(views.count == 3)
        }
    }

    @Test(.behaviour("B-388")) func projectedCollections() throws {
        try withVillage { realm, arya in
            let view = VillagerView(projecting: arya)
            let names = view.friendsNames
            #expect(names.count == 3 && names.startIndex == 0 && names.endIndex == 3)
            #expect(names[1] == "Tyrion")
            #expect(names.index(of: "Tyrion") == 1 && names.index(of: "Sansa") == nil)
            #expect(names.index(matching: "age > 20") == 1)
            #expect(names.realm == realm && !names.isInvalidated)
            #expect(names.description.contains("[1] Tyrion"))
            try realm.write {
                view.friendsNames[0] = "Jonny"
                arya.friends.append(Villager(4, "Sansa"))
            }
            #expect(Array(names) == ["Jonny", "Tyrion", "Jonny", "Sansa"])
            #expect(realm.object(ofType: Villager.self, forPrimaryKey: 2)?.firstName == "Jonny")
        }
    }

    @Test func projectedSetsMayHaveEqualElements() throws {
        try withVillage { realm, arya in
            try realm.write { arya.rivals.insert(Villager(5, "Tywin", age: 35)) }
            #expect(Array(VillagerView(projecting: arya).rivalsAges) == [35, 35])
        }
    }

    @Test(.behaviour("B-389")) func equalityComparesTheRoots() throws {
        try withVillage { realm, arya in
            let same = realm.object(ofType: Villager.self, forPrimaryKey: 1)
            let other = realm.object(ofType: Villager.self, forPrimaryKey: 2)
            let views = [arya, same, other].compactMap { $0 }.map { VillagerView(projecting: $0) }
            #expect(views[0] == views[1] && views[0] != views[2])
            #expect(views[0].hashValue == views[1].hashValue && views[0].hashValue == arya.hashValue)
            #expect(Set(views).count == 2)
        }
    }

    @Test(.behaviour("B-392")) func frozenAndThawed() throws {
        try withVillage { realm, arya in
            let view = VillagerView(projecting: arya)
            let (frozen, names) = (view.freeze(), view.friendsNames.freeze())
            try realm.write {
                arya.firstName = "No one"
                arya.friends.removeAll()
            }
            #expect(frozen.isFrozen && !view.isFrozen && frozen.rootObject.isFrozen && names.isFrozen)
            #expect(frozen.firstName == "Arya" && view.firstName == "No one" && Array(names).count == 3)
            #expect(frozen.thaw()?.firstName == "No one" && names.thaw()?.count == 0)
            let erased = AnyRealmCollection(realm.objects(VillagerView.self)).freeze()
            try realm.write { realm.delete(arya) }
            #expect(frozen.thaw() == nil && erased.isFrozen && erased.count == 3 && erased.thaw()?.count == 2)
        }
    }

    @Test func equalViewsOfObjectsWithoutPrimaryKeyHashAlike() throws {
        try withRealm(Villager.types) { realm in
            try realm.write { realm.add([Stone(value: [1.5]), Stone(value: [2.5])]) }
            let stones = realm.objects(Stone.self)
            #expect(StoneView(projecting: stones[0]) == StoneView(projecting: stones[0]))
            #expect(Set([0, 1, 0, 1].map { StoneView(projecting: stones[$0]) }).count == 2)
        }
        let stone = Stone()
        #expect(StoneView(projecting: stone) == StoneView(projecting: stone))
        #expect(StoneView(projecting: stone) != StoneView(projecting: Stone()))
    }

    @Test func inheritedProperties() throws {
        try withVillage { realm, arya in
            try realm.write { arya.notes["a"] = "b" }
            let view = LongVillagerView(projecting: arya)
            #expect(view.firstName == "Arya" && view.notes["a"] == "b" && view.plain == 1)
            #expect(realm.objects(LongVillagerView.self).sorted(by: \.years).first?.firstName == "Arya")
        }
    }

    @Test func descriptions() throws {
        try withVillage { _, arya in
            let text = VillagerView(projecting: arya).description
            #expect(text.hasPrefix("VillagerView<Villager> <0x") && text.hasSuffix("}"))
            #expect(text.contains("> {\n\t\tfirstName(\\.firstName) = Arya;\n\t\tshouted(\\.lastName) = STARK;\n"))
            #expect(text.contains("\t\thomeCity(\\.home.city) = Optional(\"Winterfell\");\n"))
            #expect(VillagerView(projecting: Villager()).description.contains("homeCity(\\.home.city) = nil;"))
            #expect(
                LongVillagerView(projecting: arya).description.contains("\t\tnotes(\\.notes) = Map<string, string>"))
        }
    }

    @Test func aDeletedRoot() throws {
        try withVillage { realm, arya in
            let view = VillagerView(projecting: arya)
            #expect(view.realm == realm && !view.isInvalidated)
            try realm.write { realm.delete(arya) }
            #expect(view.isInvalidated)
            #expect(view.firstName == "" && view.homeCity == nil && view.friendsNames.isEmpty)
        }
    }

    @Test func embeddedRoots() throws {
        try withVillage { realm, arya in
            let view = try #require(arya.home.map { HomeView(projecting: $0) })
            try realm.write { view.name = "Kingsroad" }
            #expect(arya.home?.city == "Kingsroad")
        }
    }

    private func arya() -> Villager {
        let arya = Villager(1, "Arya", "Stark", age: 11, city: "Winterfell")
        arya.friends.append(objectsIn: [Villager(2, "Jon"), Villager(3, "Tyrion")])
        return arya
    }

    @Test(.behaviour("T16")) func projectionsArePrintedWithTheTextsOfSwift() throws {
        try withRealm(Villager.types) { realm in
            let managed = arya()
            try realm.write { realm.add(managed) }
            for villager in [managed, arya()] {
                let view = VillagerView(projecting: villager)
                let lines = view.description.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines[0].hasPrefix("VillagerView<Villager> <0x") && lines[0].hasSuffix("> {"))
                #expect(
                    lines[1...3] == [
                        "\t\tfirstName(\\.firstName) = Arya;", "\t\tshouted(\\.lastName) = STARK;",
                        "\t\tyears(\\.age) = 11;",
                    ])
                #expect(lines[4] == "\t\thomeCity(\\.home.city) = Optional(\"Winterfell\");")
                #expect(view.description.contains("= ProjectedCollection<String> {\n\t[0] Jon\n\t[1] Tyrion\n};\n"))
                #expect(view.friendsNames.description == "ProjectedCollection<String> {\n\t[0] Jon\n\t[1] Tyrion\n}")
                #expect(view.rivalsAges.description == "ProjectedCollection<Int> {\n\n}")
            }
            #expect(
                VillagerView(projecting: Villager()).description.contains("\t\thomeland(\\.home.country.name) = nil;"))
        }
    }

    @Test(.behaviour("T16")) func aLongProjectedCollectionIsPrintedInPart() {
        let villager = Villager()
        villager.friends.append(objectsIn: (0..<102).map { Villager($0, "V\($0)") })
        let text = VillagerView(projecting: villager).friendsNames.description
        #expect(text.hasSuffix("\n\t[99] V99\n\t... 2 objects skipped.\n}"))
    }
}
