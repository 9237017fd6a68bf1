// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Queries built by loops: of any length, with a limited depth.
@Suite struct LongQueryTests: TrapSuite {
    private static let count = 20_000

    private func withDogs(_ body: (Results<Dog>) throws -> Void) throws {
        try withRealm { realm in
            try realm.write {
                for age in 0..<50 { realm.create(Dog.self, value: ["name": "dog \(age)", "age": age]) }
            }
            try body(realm.objects(Dog.self))
        }
    }

    @Test func aLoopOfOr() throws {
        try withDogs { dogs in
            for isReversed in [false, true] {
                let found = dogs.where { dog in
                    var query = dog.age == -1
                    for age in 40..<Self.count {
                        let condition = dog.age == age
                        if isReversed { query = condition || query } else { query = query || condition }
                    }
                    return query
                }
                #expect(found.count == 10)
            }
        }
    }

    @Test func aLoopOfAnd() throws {
        try withDogs { dogs in
            let found = dogs.where { dog in
                var query = dog.age != 0
                for age in 30..<Self.count { query = query && dog.age != age }
                return query
            }
            #expect(found.count == 29)
        }
    }

    @Test func aLoopOfNot() throws {
        try withDogs { dogs in
            let found = dogs.where { dog in
                var query = dog.age == 1
                for _ in 0..<100_001 { query = !query }
                return query
            }
            #expect(found.count == 49)
        }
    }

    /// The text of a query has a parenthesis for each operator, as the contract defines.
    @Test func textOfALoop() {
        let dog = Query<Dog>._constructForTesting()
        var query = dog.age == 0
        for age in 1...Self.count { query = query || dog.age == age }
        let text = query._constructPredicate().0
        #expect(text.hasPrefix(String(repeating: "(", count: Self.count + 1) + "age == %@) || (age == %@))"))
    }

    @Test func sharedParts() throws {
        try withDogs { dogs in
            let dog = Query<Dog>._constructForTesting()
            var shared = dog.age == -1
            for age in 45..<Self.count { shared = shared || dog.age == age }
            let part = shared
            do {
                let more = part || dog.age == 0
                #expect(dogs.where { _ in more }.count == 6)
            }
            let less = part && dog.age < 47
            #expect(dogs.where { _ in less }.count == 2)
        }
    }

    @Test func filterUponFilter() throws {
        try withDogs { dogs in
            var found = dogs
            for number in 0..<10_000 { found = found.where { $0.age != 100 + number } }
            found = found.filter("age < 20").where { $0.age > 9 || $0.name == "dog 3" }
            #expect(found.count == 11)
            #expect(found.first?.age == 3)
        }
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("A query cannot have more than 64 nested conditions.") {
            inRealm { realm in
                _ = realm.objects(Dog.self).where { dog in
                    var query = dog.age == 1
                    for age in 0..<100_000 { query = !(query || dog.age == age) }
                    return query
                }
            }
        },
        Trap("A predicate cannot have more than 64 nested predicates.") {
            inRealm { realm in
                var predicate = NSPredicate(value: true)
                for _ in 0..<500 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
                _ = realm.objects(Dog.self).filter(predicate)
            }
        },
    ]
}
