// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Names of key paths (model 13).
@Suite struct KeyPathNameTests {
    @Test func properties() {
        #expect(_name(for: \Villager.firstName) == "firstName")
        #expect(_name(for: \Villager.friends) == "friends")
        #expect(_name(for: \Villager.rivals) == "rivals")
        #expect(_name(for: \Villager.notes) == "notes")
        #expect(_name(for: \Villager.admirers) == "admirers")
        #expect(_name(for: \Holder.any) == "any")
        #expect(_name(for: \AllTypes.size) == "size")
        #expect(_name(for: \AllTypes.optColor) == "optColor")
    }

    @Test func links() {
        #expect(_name(for: \Villager.home?.city) == "home.city")
        #expect(_name(for: \Villager.home!.country!.name) == "home.country.name")
    }

    @Test(.behaviour("B-585")) func subscripts() {
        #expect(_name(for: \Villager.friends[0]) == "friends")
        #expect(_name(for: \Villager.friends[7].firstName) == "friends.firstName")
        #expect(_name(for: \Villager.friends[1].friends[2].home?.city) == "friends.friends.home.city")
        #expect(_name(for: \Villager.rivals[0].age) == "rivals.age")
        #expect(_name(for: \Villager.admirers[3].age) == "admirers.age")
        #expect(_name(for: \Villager.reviews[2]) == "reviews")
        #expect(_name(for: \Villager.notes["a"]) == "notes")
        #expect(_name(for: \Villager.byName["a"]??.lastName) == "byName.lastName")
        #expect(_name(for: \AllTypes.bools[1]) == "bools")
    }

    @Test func mappedCollections() {
        #expect(_name(for: \Villager.friends.projectTo.firstName) == "friends.firstName")
        #expect(_name(for: \Villager.rivals.projectTo.age) == "rivals.age")
    }

    @Test func otherKeyPathsHaveNoName() {
        #expect(_name(for: \Villager.plain) == "")
        #expect(_name(for: \Villager.fullName) == "")
        #expect(_name(for: \Villager.firstName.count) == "")
        #expect(_name(for: \Villager.friends.count) == "")
        #expect(_name(for: \Villager.isInvalidated) == "")
        #expect(_name(for: \Villager.self) == "")
    }

    @Test func projections() {
        #expect(_name(for: \VillagerView.firstName) == "firstName")
        #expect(_name(for: \VillagerView.years) == "age")
        #expect(_name(for: \VillagerView.homeland) == "home.country.name")
        #expect(_name(for: \VillagerView.house?.city) == "home.city")
        #expect(_name(for: \VillagerView.friendsNames) == "friends.firstName")
        #expect(_name(for: \LongVillagerView.years) == "age")
        #expect(_name(for: \LongVillagerView.plain) == "")
        #expect(_name(for: \VillagerView.rootObject) == "")
    }

    @Test func listsOutsideOfKeyPathsStayEmpty() {
        let villager = Villager()
        #expect(_name(for: \Villager.friends[0].firstName) == "friends.firstName")
        #expect(villager.friends.isEmpty)
        #expect(villager.notes["a"] == nil)
    }
}
