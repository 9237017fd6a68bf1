// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSwift

final class DeletedPerson: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var scores: List<Double>
}

/// Objects without links that are deleted one by one. Reads in between don't reveal that the rows are removed later.
@Suite struct DeletionTests {
    @Test(arguments: [false, true]) func amongReadsAndChanges(_ tracksReads: Bool) throws {
        try withRealm([DeletedPerson.self], tracksReads: tracksReads) { realm in
            var generator = SeededGenerator(for: "deletions among reads, \(tracksReads)")
            var ages: [Int: Int] = [:]
            try realm.write {
                for id in 0..<1000 {
                    DeletionTests.add(id, to: realm)
                    ages[id] = id % 90
                }
            }
            var held: [Int: DeletedPerson] = [:]
            for _ in 0..<5 {
                try realm.write {
                    for _ in 0..<200 {
                        let id = generator.below(1000)
                        let person = realm.object(ofType: DeletedPerson.self, forPrimaryKey: id)
                        #expect((person != nil) == (ages[id] != nil))
                        guard let person else {
                            if generator.chance(5) {
                                DeletionTests.add(id, to: realm)
                                ages[id] = id % 90
                                held[id] = nil
                            }
                            continue
                        }
                        switch generator.below(12) {
                        case 0:
                            person.age += 100
                            ages[id]? += 100
                        case 1: held[id] = person
                        case 2:
                            #expect(person.age == ages[id])
                            #expect(person.scores.first == Double(id))
                        case 3:
                            let other = realm.object(ofType: DeletedPerson.self, forPrimaryKey: id)
                            realm.delete(person)
                            #expect(other?.isInvalidated == true && other?.age == 0)
                            ages[id] = nil
                        case 4:
                            let few = Array(realm.objects(DeletedPerson.self).where { $0.age == (ages[id] ?? 0) })
                            for other in few { ages[other.id] = nil }
                            realm.delete(few)
                        default:
                            realm.delete(person)
                            ages[id] = nil
                        }
                        if generator.chance(5) { #expect(realm.objects(DeletedPerson.self).count == ages.count) }
                    }
                    for (id, person) in held {
                        #expect(person.isInvalidated == (ages[id] == nil))
                        if !person.isInvalidated { #expect(person.id == id && person.age == ages[id]) }
                    }
                }
                held = held.filter { !$0.value.isInvalidated }
                let people = realm.objects(DeletedPerson.self)
                #expect(Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.age) }) == ages)
            }
        }
    }

    /// A cancelled write restores all objects, and objects found during it are valid afterwards.
    @Test func cancelled() throws {
        try withRealm([DeletedPerson.self]) { realm in
            try realm.write { for id in 0..<300 { DeletionTests.add(id, to: realm) } }
            realm.beginWrite()
            for id in 0..<200 {
                realm.object(ofType: DeletedPerson.self, forPrimaryKey: id).map { realm.delete($0) }
            }
            let survivor = realm.object(ofType: DeletedPerson.self, forPrimaryKey: 250)
            realm.cancelWrite()
            #expect(realm.objects(DeletedPerson.self).count == 300)
            #expect(survivor?.name == "name 250")
        }
    }

    private static func add(_ id: Int, to realm: Realm) {
        let person = DeletedPerson()
        person.id = id
        person.name = "name \(id)"
        person.age = id % 90
        person.scores.append(Double(id))
        realm.add(person)
    }
}
