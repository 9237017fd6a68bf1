// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSwift

private final class LinkedCity: TestObject {
    @Persisted var name: String
    @Persisted var twin: LinkedCity?
}

private final class LinkedPerson: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var city: LinkedCity?
    @Persisted var friend: LinkedPerson?
    @Persisted var first: LinkedA?
    @Persisted var second: LinkedB?
    @Persisted var third: LinkedC?
    @Persisted var fourth: LinkedD?
}

private final class LinkedA: TestObject {
    @Persisted var number: Int
}

private final class LinkedB: TestObject {
    @Persisted var number: Int
}

private final class LinkedC: TestObject {
    @Persisted var number: Int
}

private final class LinkedD: TestEmbedded {
    @Persisted var number: Int
}

/// The targets of links, read from objects of an iteration or an index.
struct LinkAccessorTests {
    private static let count = 300

    private func withPeople(_ body: (Realm) throws -> Void) throws {
        let types = [
            LinkedCity.self, LinkedPerson.self, LinkedA.self, LinkedB.self, LinkedC.self, LinkedD.self,
        ]
        try withRealm(types, tracksReads: false) { realm in
            try realm.write {
                let cities = (0..<40).map { realm.create(LinkedCity.self, value: ["name": "city \($0)"]) }
                for (index, city) in cities.enumerated() { city.twin = cities[(index * 7 + 1) % 40] }
                for id in 0..<Self.count {
                    let person = realm.create(
                        LinkedPerson.self,
                        value: [
                            "id": id, "first": ["number": id], "second": ["number": id], "third": ["number": id],
                            "fourth": ["number": id],
                        ])
                    if id % 5 != 0 { person.city = cities[id * 13 % 40] }
                    person.friend = realm.object(ofType: LinkedPerson.self, forPrimaryKey: id * 3 % (id + 1))
                }
            }
            try body(realm)
        }
    }

    private func city(of id: Int) -> String? { id % 5 == 0 ? nil : "city \(id * 13 % 40)" }
    private func twin(of id: Int) -> String? { id % 5 == 0 ? nil : "city \((id * 13 % 40 * 7 + 1) % 40)" }

    @Test func anUnreferencedAccessorIsReusedForTheNextRow() throws {
        try withPeople { realm in
            var instances: Set<ObjectIdentifier> = []
            for person in realm.objects(LinkedPerson.self) {
                #expect(person.city?.name == city(of: person.id))
                if let city = person.city { instances.insert(ObjectIdentifier(city)) }
                #expect(person.city?.twin?.name == twin(of: person.id))
                #expect(person.friend?.id == person.id * 3 % (person.id + 1))
                #expect(person.friend?.friend?.city?.name == city(of: person.friend?.friend?.id ?? 0))
            }
            #expect(instances.count <= 2)
        }
    }

    @Test func keptAccessorsStayAtTheirRows() throws {
        try withPeople { realm in
            var cities: [LinkedCity] = []
            var friends: [LinkedPerson] = []
            weak var previous: LinkedCity?
            var previousName: String?
            for person in realm.objects(LinkedPerson.self) {
                if let city = person.city { cities.append(city) }
                if let friend = person.friend, person.id % 2 == 0 { friends.append(friend) }
                #expect(previous == nil || previous?.name == previousName)
                (previous, previousName) = (person.city, city(of: person.id))
            }
            #expect(cities.map(\.name) == (0..<Self.count).compactMap { city(of: $0) })
            #expect(friends.map(\.id) == stride(from: 0, to: Self.count, by: 2).map { $0 * 3 % ($0 + 1) })
        }
    }

    @Test func manyClasses() throws {
        try withPeople { realm in
            for person in realm.objects(LinkedPerson.self) {
                #expect(person.first?.number == person.id)
                #expect(person.second?.number == person.id)
                #expect(person.third?.number == person.id)
                #expect(person.fourth?.number == person.id)
                #expect(person.friend?.fourth?.number == person.friend?.id)
                #expect(person.city?.name == city(of: person.id))
            }
        }
    }

    @Test func changesDuringAnIteration() throws {
        try withPeople { realm in
            try realm.write {
                for person in realm.objects(LinkedPerson.self) {
                    person.first?.number += 1
                    if person.id % 3 == 0, let second = person.second { realm.delete(second) }
                    if person.id % 4 == 0 { person.city = realm.objects(LinkedCity.self)[0] }
                    #expect(person.second?.number == (person.id % 3 == 0 ? nil : person.id))
                    #expect(person.city?.name == (person.id % 4 == 0 ? "city 0" : city(of: person.id)))
                }
            }
            #expect(realm.objects(LinkedPerson.self).allSatisfy { $0.first?.number == $0.id + 1 })
        }
    }

    @Test func positionsOfResults() throws {
        try withPeople { realm in
            for people in [
                realm.objects(LinkedPerson.self), realm.objects(LinkedPerson.self).where { $0.id >= 0 },
                realm.objects(LinkedPerson.self).sorted(by: \.id),
            ] {
                var instances: Set<ObjectIdentifier> = []
                var kept: [LinkedPerson] = []
                for position in people.indices {
                    #expect(people[position].city?.name == city(of: position))
                    instances.insert(ObjectIdentifier(people[position]))
                    if position % 10 == 9 { kept.append(people[position]) }
                }
                // Only some objects have their own instance: those kept here, and those that a test above still holds.
                #expect(instances.count < Self.count / 2)
                #expect(kept.map(\.id) == stride(from: 9, to: Self.count, by: 10).map { $0 })
                #expect(people.map { $0.city?.name } == (0..<Self.count).map { city(of: $0) })
                #expect(people.map { $0 }.map(\.id) == Array(0..<Self.count))
            }
            #expect(realm.freeze().objects(LinkedPerson.self).map(\.id) == Array(0..<Self.count))
        }
    }

    private struct Refusal: Error {}

    @Test func mapPassesErrorsOn() throws {
        try withPeople { realm in
            var seen = 0
            #expect(throws: Refusal.self) {
                try realm.objects(LinkedPerson.self).map { _ in
                    seen += 1
                    if seen == 3 { throw Refusal() }
                }
            }
            #expect(seen == 3)
        }
    }
}
