// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Fetching objects (behaviours B-259 to B-262). Separate suites test results.
@Suite struct PrimaryKeyTests: TrapSuite {
    @Test(.behaviour("B-259")) func byPrimaryKey() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add([1, 5, -3].map { RuleDog(value: ["id": $0, "name": "\($0)"]) }) }
            #expect(realm.object(ofType: RuleDog.self, forPrimaryKey: 5)?.name == "5")
            #expect(realm.object(ofType: RuleDog.self, forPrimaryKey: Int8(-3))?.name == "-3")
            #expect(realm.object(ofType: RuleDog.self, forPrimaryKey: 2) == nil)
        }
    }

    @Test(.behaviour("B-260", "B-261"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("'RuleBall' does not have a primary key defined") {
            inRealm(ruleTypes) { _ = $0.object(ofType: RuleBall.self, forPrimaryKey: 1) }
        },
        Trap("Invalid null value for non-nullable primary key 'RuleDog.id'.") {
            inRealm(ruleTypes) { _ = $0.object(ofType: RuleDog.self, forPrimaryKey: Int?.none) }
        },
    ]

    @Test(.behaviour("B-261")) func aKeyThatIsNil() throws {
        try withRealm(ruleTypes) { realm in
            let none: String? = nil
            #expect(realm.object(ofType: RuleKey.self, forPrimaryKey: none) == nil)
            try realm.write {
                realm.create(RuleKey.self, value: ["id": "a", "value": 1])
                realm.create(RuleKey.self, value: ["id": NSNull(), "value": 2])
            }
            #expect(realm.object(ofType: RuleKey.self, forPrimaryKey: none)?.value == 2)
            #expect(realm.object(ofType: RuleKey.self, forPrimaryKey: NSNull())?.value == 2)
            #expect(realm.object(ofType: RuleKey.self, forPrimaryKey: "a")?.value == 1)
        }
    }
}
