// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class ArgumentItem: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var `in`: Int
    @Persisted var any: AnyRealmValue
    @Persisted var link: ArgumentItem?
}

/// Arguments of predicates, and properties whose names are those of functions.
@Suite struct PredicateArgumentTests {
    private func withItems(_ body: (Realm) throws -> Void) throws {
        try withRealm([ArgumentItem.self]) { realm in
            try realm.write {
                for id in 1...5 {
                    realm.create(ArgumentItem.self, value: ["id": id, "name": "\(id)", "in": id, "any": id])
                }
            }
            try body(realm)
        }
    }

    @Test(.behaviour("R35")) func constantsOfAnyType() throws {
        try withItems { realm in
            let all = realm.objects(ArgumentItem.self)
            for name in ["id", "any"] {
                #expect(all.filter("\(name) IN %@", [1, 2] as [Any]).count == 2)
                #expect(all.filter("\(name) BETWEEN %@", [2, 4] as [Any]).count == 3)
                #expect(all.index(matching: "\(name) IN %@", [3, 4] as [Any]) == 2)
                #expect(all.filter(NSPredicate(format: "\(name) IN %@", [1, 2] as [Any])).count == 2)
                #expect(realm.dynamicObjects("ArgumentItem").filter("\(name) IN %@", [1, 2] as [Any]).count == 2)
            }
            #expect(all.filter("any IN %@", [1, "s"] as [Any]).count == 1)
            #expect(all.filter("any IN %@", [Any]()).isEmpty && all.filter("any IN %@", [3] as [Any]).count == 1)
            let objects: [Any] = [all[0], all[1]]
            try realm.write { all[4].link = all[0] }
            #expect(all.filter("link IN %@", objects).map(\.id) == [5])
            #expect(realm.dynamicObjects("ArgumentItem").filter("link IN %@", objects).count == 1)
        }
    }

    @Test(.behaviour("S24")) func aPropertyNamedAsAFunctionOfQueries() throws {
        try withItems { realm in
            let all = realm.objects(ArgumentItem.self)
            #expect(all.where { $0[dynamicMember: \.in] == 2 }.count == 1 && all.filter("in == 2").count == 1)
        }
    }

    @Test(.behaviour("S24")) func longPredicatesAreNotQuotedWhole() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm([ArgumentItem.self]) { realm in
                let text = (0..<5_000).map { "id == \($0)" }.joined(separator: " OR ") + " OR OR"
                _ = realm.objects(ArgumentItem.self).filter(text)
            }
        }
        result.expectText("OR id == 4999 OR OR'")
        #expect(result.errorText.utf8.count < 2_000)
    }

    @Test(.behaviour("S24")) func missingArguments() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm([ArgumentItem.self]) { _ = $0.objects(ArgumentItem.self).filter("id == %@") }
        }.expectText("an argument for each placeholder, but the number of arguments is 0")
    }
}
