// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for creating, reading, updating, and deleting, as clients write it.

class GuideRecipe: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var minutes: Int?
    @Persisted var cook: GuideCook?
    @Persisted var steps: List<String>
    @Persisted var tags: MutableSet<String>
    @Persisted var amounts: Map<String, Double>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideCook: Object {
    @Persisted var name: String
    @Persisted(originProperty: "cook") var recipes: LinkingObjects<GuideRecipe>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct ObjectsGuideTests {
    private func withRecipes(_ body: (Realm) throws -> Void) throws {
        try withRealm([GuideRecipe.self, GuideCook.self]) { realm in
            try realm.write {
                let cook = realm.create(GuideCook.self, value: ["name": "Lina"])
                realm.add(GuideRecipe(value: ["id": 1, "name": "Soup", "minutes": 40, "cook": cook]))
                realm.add(GuideRecipe(value: ["id": 2, "name": "Bread", "minutes": 180]))
                realm.add(GuideRecipe(value: ["id": 3, "name": "Salad", "cook": cook]))
            }
            try body(realm)
        }
    }

    // MARK: Create

    @Test func anObjectIsMadeAndThenAdded() throws {
        try withRecipes { realm in
            let recipe = GuideRecipe()
            recipe.id = 4
            recipe.name = "Pie"
            recipe.steps.append(objectsIn: ["Knead", "Bake"])
            recipe.tags.insert("sweet")
            recipe.amounts["flour"] = 0.5
            try realm.write { realm.add(recipe) }
            #expect(recipe.realm == realm && recipe.steps.count == 2 && recipe.amounts["flour"] == 0.5)
        }
    }

    @Test func anObjectIsMadeOfADictionary() throws {
        try withRecipes { realm in
            let recipe = try realm.write {
                realm.create(
                    GuideRecipe.self,
                    value: ["id": 5, "name": "Jam", "cook": ["name": "Otto"], "tags": ["sweet", "red"]])
            }
            #expect(recipe.cook?.name == "Otto" && recipe.tags.contains("red") && recipe.minutes == nil)
        }
    }

    @Test func aTransactionIsAllOrNothing() throws {
        struct Spoiled: Error {}
        try withRecipes { realm in
            #expect(throws: Spoiled.self) {
                try realm.write {
                    realm.create(GuideRecipe.self, value: ["id": 6])
                    throw Spoiled()
                }
            }
            #expect(realm.object(ofType: GuideRecipe.self, forPrimaryKey: 6) == nil)
        }
    }

    // MARK: Read

    @Test func byPrimaryKeyOrAll() throws {
        try withRecipes { realm in
            let soup = try #require(realm.object(ofType: GuideRecipe.self, forPrimaryKey: 1))
            #expect(soup.name == "Soup" && soup.cook?.name == "Lina")
            #expect(realm.objects(GuideRecipe.self).count == 3)
        }
    }

    @Test func queriesAreCheckedByTheCompiler() throws {
        try withRecipes { realm in
            let recipes = realm.objects(GuideRecipe.self)
            #expect(recipes.where { $0.minutes < 60 }.map(\.name) == ["Soup"])
            #expect(recipes.where { $0.cook.name == "Lina" && $0.name.starts(with: "S") }.count == 2)
            #expect(recipes.where { !($0.minutes == nil) }.sorted(by: \.name).map(\.name) == ["Bread", "Soup"])
        }
    }

    @Test func resultsAreLiveAndFirstAndLimitAreCheap() throws {
        try withRecipes { realm in
            let slow = realm.objects(GuideRecipe.self).where { $0.minutes > 30 }
            #expect(slow.count == 2)
            try realm.write { realm.create(GuideRecipe.self, value: ["id": 7, "name": "Stew", "minutes": 240]) }
            #expect(slow.count == 3)
            let slowest = realm.objects(GuideRecipe.self).sorted(by: \.minutes, ascending: false)
            #expect(slowest.first?.name == "Stew" && slowest.limit(2).map(\.name) == ["Stew", "Bread"])
        }
    }

    @Test func aggregatesAndGroups() throws {
        try withRecipes { realm in
            let recipes = realm.objects(GuideRecipe.self)
            #expect(recipes.sum(of: \.minutes) == 220 && recipes.max(of: \.minutes) == 180)
            let byCook = recipes.group(by: \.cook?.name)
            #expect(byCook.count().map(\.value) == [1, 2] && byCook.sum(of: \.minutes)[key: "Lina"] == 40)
        }
    }

    @Test func sectionsForALongList() throws {
        try withRecipes { realm in
            let sections = realm.objects(GuideRecipe.self)
                .sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
            #expect(sections.allKeys == ["B", "S"] && sections[1].map(\.name) == ["Salad", "Soup"])
        }
    }

    // MARK: Update

    @Test func assigningWithinAWriteIsUpdating() throws {
        try withRecipes { realm in
            let soup = try #require(realm.object(ofType: GuideRecipe.self, forPrimaryKey: 1))
            try realm.write {
                soup.minutes? -= 10
                soup.steps.append("Stir")
                soup.amounts["salt"] = 0.01
            }
            #expect(soup.minutes == 30 && soup.steps.last == "Stir" && soup.amounts["salt"] == 0.01)
        }
    }

    @Test func anUpsertUpdatesOrInsertsAnObject() throws {
        try withRecipes { realm in
            try realm.write {
                // Only the named properties change.
                realm.create(GuideRecipe.self, value: ["id": 1, "minutes": 35], update: .modified)
                realm.create(GuideRecipe.self, value: ["id": 8, "name": "Tea"], update: .modified)
            }
            let soup = realm.object(ofType: GuideRecipe.self, forPrimaryKey: 1)
            #expect(soup?.minutes == 35 && soup?.name == "Soup" && realm.objects(GuideRecipe.self).count == 4)
        }
    }

    @Test func manyAtOnce() throws {
        try withRecipes { realm in
            try realm.write { realm.objects(GuideRecipe.self).setValue(15, forKey: "minutes") }
            #expect(realm.objects(GuideRecipe.self).allSatisfy { $0.minutes == 15 })
        }
    }

    // MARK: Delete

    @Test func deletingLeavesTheRest() throws {
        try withRecipes { realm in
            let soup = try #require(realm.object(ofType: GuideRecipe.self, forPrimaryKey: 1))
            let cook = try #require(soup.cook)
            try realm.write { realm.delete(soup) }
            #expect(soup.isInvalidated && cook.recipes.count == 1)
            try realm.write { realm.delete(cook) }
            #expect(realm.object(ofType: GuideRecipe.self, forPrimaryKey: 3)?.cook == nil)
        }
    }

    @Test func deletingResultsOrEverything() throws {
        try withRecipes { realm in
            try realm.write { realm.delete(realm.objects(GuideRecipe.self).where { $0.minutes == nil }) }
            #expect(realm.objects(GuideRecipe.self).count == 2)
            try realm.write { realm.deleteAll() }
            #expect(realm.isEmpty)
        }
    }
}
