// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmSwift

/// `Results.explain()`: the steps of a query next to its text.
@Suite struct ExplainTests {
    @Test func stepsWithTheirNumbers() throws {
        try withRealm(Walker.types) { realm in
            try realm.write { QueryTests.fill(realm) }
            let walkers = realm.objects(Walker.self)
            #expect(walkers.explain().description == "scan of Walker (8 objects)")
            #expect(
                walkers.where { $0.id > 2 }.sorted(by: \.id, ascending: false).limit(2).explain().description == """
                    scan of Walker (8 objects)
                    then id > 2 (estimated 3, actual 5)
                    then the first 2 by id DESC, without ordering the others (actual 2)
                    """)
            #expect(
                walkers.limit(3).explain().description == """
                    scan of Walker (8 objects)
                    then stop after 3 (actual 3)
                    """)
            let walker = walkers[4]
            #expect(
                walker.pets.where { $0.age > 0 }.explain().description == """
                    elements of a collection (actual \(walker.pets.count))
                    then age > 0 (actual \(walker.pets.count { $0.age > 0 }))
                    """)
            #expect(
                walker.numbers.sorted(ascending: true).explain().description == "the elements, one by one (actual 4)")
            let plan = walkers.where { $0.id > 2 }.limit(2).explain()
            #expect(plan.steps.map(\.estimatedCount) == [nil, 3, nil] && plan.steps.map(\.actualCount) == [nil, 5, 2])
            #expect(plan == walkers.where { $0.id > 2 }.limit(2).explain() && plan.steps.allSatisfy(\.parts.isEmpty))
        }
    }
}
