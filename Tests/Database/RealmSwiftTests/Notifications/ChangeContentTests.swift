// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime
import TestTraits
import Testing

@testable import RealmSwift

private final class RowPerson: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var contact: RowContact?
    @Persisted var numbers: List<Int>
    @Persisted var friends: List<RowPerson>

    var both: String { "\(name) \(age)" }
    var initial: String { String(name.prefix(1)) }
}

private final class RowContact: TestEmbedded {
    @Persisted var email: String?
    @Persisted var phone: String?
}

private final class RowView: Projection<RowPerson> {
    @Projected(\RowPerson.contact!.email) var email
    @Projected(\RowPerson.contact!.phone) var phone
    @Projected(\RowPerson.numbers) var numbers
    @Projected(\RowPerson.friends.projectTo.both) var friends: ProjectedCollection<String>
}

/// The changes delivered to observers.
@Suite struct ChangeContentTests {
    private static let types: [ObjectBase.Type] = [RowPerson.self, RowContact.self]

    private static func onQueue(_ name: String, _ body: (Realm) throws -> Void) throws {
        let queue = DispatchQueue(label: "test." + name)
        let configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: types)
        try queue.sync { try body(try Realm(configuration: configuration, queue: queue)) }
    }

    @Test(.behaviour("S16")) func projectionsReceivePropertyChanges() throws {
        try Self.onQueue("S16") { realm in
            let log = ObservedLog()
            let person = try realm.write {
                realm.create(RowPerson.self, value: ["contact": ["email": "e", "phone": "1"]] as [String: Any])
            }
            let view = RowView(projecting: person)
            func names(_ change: ObjectChange<RowView>) -> String {
                guard case .change(_, let changes) = change else { return "deleted" }
                return changes.map { "\($0.name) \($0.newValue.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
            }
            let tokens = [
                view.observe(keyPaths: [\RowView.phone]) { log.add("some: " + names($0)) },
                view.observe { log.add("all: " + names($0)) },
            ]
            try realm.write { person.contact?.phone = "2" }
            try realm.write { person.contact?.email = "f" }
            #expect(log.take() == ["some: phone 2", "all: phone 2"])
            try realm.write { person.name = "not shown" }
            #expect(log.take() == ["all: email f"])
            // Its key paths force-unwrap the link, which is null now.
            try realm.write { person.contact = nil }
            try realm.write {}
            #expect(log.take() == ["some: phone -", "all: email -, phone -"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test(.behaviour("S16")) func aForcedLinkThatLeadsNowhereIsPrintedAsNull() throws {
        try Self.onQueue("S16-text") { realm in
            let person = try realm.write { realm.create(RowPerson.self, value: ["contact": ["email": "e"]]) }
            #expect("\(RowView(projecting: person))".contains("email(\\.contact.email) = Optional(\"e\");"))
            try realm.write { person.contact = nil }
            #expect("\(RowView(projecting: person))".contains("email(\\.contact.email) = nil;"))
            #expect("\(RowView(projecting: RowPerson()))".contains("email(\\.contact.email) = nil;"))
        }
    }

    @Test(.behaviour("S16")) func theNewValueOfAListIsTheList() throws {
        try Self.onQueue("S16-list") { realm in
            let person = try realm.write { realm.create(RowPerson.self) }
            let seen = Locked<[Int]>([])
            let token = RowView(projecting: person).observe(keyPaths: [\RowView.numbers]) { change in
                guard case .change(_, let changes) = change else { return }
                seen.withLock { $0 = Array(changes[0].newValue as? List<Int> ?? List()) }
            }
            try realm.write { person.numbers.append(5) }
            try realm.write {}
            #expect(seen.withLock { $0 } == [5])
            withExtendedLifetime(token) {}
        }
    }

    @Test(.behaviour("S16")) func computedPropertiesOfElements() throws {
        try withRealm(Self.types) { realm in
            let person = try realm.write {
                realm.create(RowPerson.self, value: ["friends": [["name": "b", "age": 3] as [String: Any]]])
            }
            let view = RowView(projecting: person)
            #expect(Array(view.friends) == ["b 3"])
            #expect(realm.objects(RowView.self).count == 2)
        }
    }

    @Test(.behaviour("S23")) func aMoveIsNotAModification() throws {
        try Self.onQueue("S23") { realm in
            try realm.write {
                for (age, name) in ["ape", "ant", "bee"].enumerated() {
                    realm.create(RowPerson.self, value: ["name": name, "age": age] as [String: Any])
                }
            }
            let log = ObservedLog()
            let sorted = realm.objects(RowPerson.self).sorted(byKeyPath: "age")
            let sections = realm.objects(RowPerson.self)
                .sectioned(by: { $0.initial }, sortDescriptors: [SortDescriptor(keyPath: "age")])
            let token = sections.observe { change in
                guard case .update(_, let deletions, let insertions, let modifications, _, _) = change else { return }
                log.add("-\(deletions.map(\.item)) +\(insertions.map(\.item)) ~\(modifications.map(\.item))")
            }
            try realm.write {}
            try realm.write { sorted[0].age = 10 }
            try realm.write {}
            #expect(log.take() == ["-[0] +[1] ~[]"])
            withExtendedLifetime(token) {}
        }
    }

    @Test(.behaviour("R73")) func anotherObjectAtTheSamePlace() throws {
        try Self.onQueue("R73") { realm in
            let person = try realm.write {
                let friends = (0..<4).map { ["name": "\($0)"] }
                return realm.create(RowPerson.self, value: ["friends": friends] as [String: Any])
            }
            let log = ObservedLog()
            let token = person.friends.observe { log.add($0) }
            try realm.write {
                person.friends.remove(at: 1)
                person.friends.insert(RowPerson(value: ["name": "new"]), at: 1)
                person.friends.remove(at: 3)
                person.friends[0].name = "changed"
            }
            try realm.write {}
            #expect(log.take() == ["initial 4", "3 -[1, 3] +[1] ~[0]"])
            withExtendedLifetime(token) {}
        }
    }
}
