// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

let predicateTypes: [ObjectBase.Type] = [PredicateOwner.self, PredicateDog.self, PredicateAddress.self]

final class PredicateOwner: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var ratio: Double
    @Persisted var flag: Bool
    @Persisted var date: Date?
    @Persisted var data: Data?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var decimal: Decimal128?
    @Persisted var any: AnyRealmValue
    @Persisted var dogs: List<PredicateDog>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var dict: Map<String, Int>
    @Persisted var owner: PredicateOwner?
    @Persisted var address: PredicateAddress?
}

final class PredicateDog: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var birthday: Date?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<PredicateOwner>
}

final class PredicateAddress: TestEmbedded {
    @Persisted var zip: Int
}

/// Three owners: Ann with dogs aged 2 and 4, Bob with one aged 9, Cid with none.
func fill(_ realm: Realm) throws {
    try realm.write {
        let owners: [(name: String, age: Int, dogs: [(name: String, age: Int)])] = [
            ("Ann", 30, [("Rex", 2), ("Bo", 4)]), ("Bob", 20, [("Zoe", 9)]), ("Cid", 10, []),
        ]
        for values in owners {
            let owner = PredicateOwner()
            (owner.name, owner.age, owner.flag) = (values.name, values.age, values.name == "Bob")
            owner.ratio = Double(values.age) / 4
            for dog in values.dogs {
                owner.dogs.append(PredicateDog(value: ["name": dog.name, "age": dog.age]))
                owner.numbers.append(dog.age)
                owner.tags.insert(dog.name)
            }
            if !values.dogs.isEmpty { owner.dict["k"] = values.dogs.count }
            realm.add(owner)
        }
    }
}

/// Runs `body` with a new Realm that has the owners.
func withOwners(_ body: (Realm) throws -> Void) throws {
    try withRealm(predicateTypes) { realm in
        try fill(realm)
        try body(realm)
    }
}

/// The names of the matching owners, in the order of the file.
func names(_ realm: Realm, _ format: String, _ args: Any...) -> String {
    let predicate = NSPredicate(format: format, argumentArray: args)
    return realm.objects(PredicateOwner.self).filter(predicate).map(\.name).joined(separator: " ")
}

/// Expects that a query with the predicate ends the process, with `text` on standard error.
func expectRefusal(
    _ predicate: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) async {
    await #expect(
        processExitsWith: .failure, observing: .errorText, sourceLocation: sourceLocation
    ) { [predicate = predicate as String] in
        inRealm(predicateTypes) { _ = $0.objects(PredicateOwner.self).filter(NSPredicate(format: predicate)) }
    }.expectText(text, sourceLocation: sourceLocation)
}
