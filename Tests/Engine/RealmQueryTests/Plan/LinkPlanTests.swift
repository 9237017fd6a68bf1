// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import Testing

@testable import RealmQuery

/// Plans and results of conditions on linked objects.
@Suite struct LinkPlanTests {
    private let database: Database
    private let dogs: TableKey
    private let owners: TableKey
    private let snapshot: Snapshot

    /// 300 owners with ten dogs each, some also in the owner's list. Every 20th of the 3,000 dogs has no owner.
    init() throws {
        database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        owners = try write.schema.addTable("class_Owner")
        dogs = try write.schema.addTable("class_Dog")
        let name = try write.schema.addColumn("name", .string, .indexed, to: owners)
        let city = try write.schema.addColumn("city", .string, .nullable, to: owners)
        let pets = try write.schema.addColumn("pets", .link, .list, target: dogs, to: owners)
        let age = try write.schema.addColumn("age", .int, [], to: dogs)
        let owner = try write.schema.addColumn("owner", .link, [], target: owners, to: dogs)
        var keys: [ObjectKey] = []
        for number in 0..<300 {
            let place = number % 30 == 7 ? StoredValue.null : .string("city \(number % 100)")
            keys.append(try write.createObject(in: owners, [name: .string("owner \(number)"), city: place]))
        }
        for number in 0..<3_000 {
            let key = try write.createObject(in: dogs, [age: .int(Int64(number % 16))])
            if number % 20 != 19 { try write.set(.link(keys[number % 300]), owner, of: key, in: dogs) }
            if number % 3 == 0 {
                try write.list(pets, of: keys[number % 300], in: owners).insert(.link(key), at: number / 300)
            }
        }
        try write.commit()
        snapshot = try database.snapshot(label: "plans")
    }

    @Test(arguments: [
        (
            "owner.name == 'owner 5'",
            """
            back along Dog.owner: owner.name == 'owner 5' (estimated 10, actual 10)
              index on Owner.name: owner.name == 'owner 5' (estimated 1, actual 1)
            """, 10
        ),
        (
            "owner.city == 'city 5'",
            """
            back along Dog.owner: owner.city == 'city 5' (estimated 30, actual 30)
              scan of Owner (300 objects)
              then owner.city == 'city 5' (estimated 3, actual 3)
            """, 30
        ),
        (
            "owner.city == nil",
            """
            scan of Dog (3000 objects)
            then owner.city == NULL (estimated 234, actual 250)
            """, 250
        ),
        (
            "owner.city == 'city 5' AND age == 5",
            """
            back along Dog.owner: owner.city == 'city 5' (estimated 30, actual 30)
              scan of Owner (300 objects)
              then owner.city == 'city 5' (estimated 3, actual 3)
            then age == 5 (estimated 2, actual 8)
            """, 8
        ),
        (
            "owner.city BEGINSWITH 'city'",
            """
            scan of Dog (3000 objects)
            then owner.city BEGINSWITH 'city' (estimated 2766, actual 2750)
            """, 2750
        ),
        (
            "ANY @links.Owner.pets.name == 'owner 6'",
            """
            back along Dog.@links.Owner.pets: ANY @links.Owner.pets.name == 'owner 6' (estimated 2, actual 10)
              index on Owner.name: ANY @links.Owner.pets.name == 'owner 6' (estimated 1, actual 1)
            """, 10
        ),
        (
            "SUBQUERY(@links.Owner.pets, $o, $o.name == 'owner 6').@count > 0",
            """
            back along Dog.@links.Owner.pets: SUBQUERY(@links.Owner.pets, $o, $o.name == 'owner 6').@count > 0 \
            (estimated 2, actual 10)
              index on Owner.name: name == 'owner 6' (estimated 1, actual 1)
            """, 10
        ),
        (
            "SUBQUERY(@links.Owner.pets, $o, $o.name == 'owner 6').@count == 0",
            """
            scan of Dog (3000 objects)
            then SUBQUERY(@links.Owner.pets, $o, $o.name == 'owner 6').@count == 0 (estimated 2953, actual 2990)
            """, 2990
        ),
        (
            "age == 3 AND owner.name == 'owner 3'",
            """
            back along Dog.owner: owner.name == 'owner 3' (estimated 10, actual 10)
              index on Owner.name: owner.name == 'owner 3' (estimated 1, actual 1)
            then age == 3 (estimated 1, actual 3)
            """, 3
        ),
        (
            "owner.name == 'owner 5' OR owner.name == 'owner 6'",
            """
            union (estimated 20, actual 20)
              back along Dog.owner: owner.name == 'owner 5' (estimated 10, actual 10)
                index on Owner.name: owner.name == 'owner 5' (estimated 1, actual 1)
              back along Dog.owner: owner.name == 'owner 6' (estimated 10, actual 10)
                index on Owner.name: owner.name == 'owner 6' (estimated 1, actual 1)
            """, 20
        ),
    ])
    func dogs(_ text: String, _ plan: String, _ rows: Int) throws { try check(text, on: dogs, plan, rows) }

    @Test(arguments: [
        (
            "ANY pets.age == 3",
            """
            scan of Owner (300 objects)
            then ANY pets.age == 3 (estimated 28, actual 25)
            """, 25
        ),
        (
            "ANY pets.owner.name == 'owner 6'",
            """
            scan of Owner (300 objects)
            then ANY pets.owner.name == 'owner 6' (estimated 9, actual 1)
            """, 1
        ),
        (
            "ANY @links.Dog.owner.age == 3",
            """
            scan of Owner (300 objects)
            then ANY @links.Dog.owner.age == 3 (estimated 66, actual 60)
            """, 60
        ),
    ])
    func owners(_ text: String, _ plan: String, _ rows: Int) throws { try check(text, on: owners, plan, rows) }

    /// Objects without a link satisfy IN with null, but inverse links don't find them.
    @Test func nullAmongTheObjectsOfIN() throws {
        let sixth = try Query.compile(Predicate(parsing: "name == 'owner 6'"), on: owners, in: snapshot).first(
            in: snapshot)
        let list: [StoredValue] = [.link(try #require(sixth)), .null]
        let comparison = Comparison(.path("pets.owner"), .in, .values(list), quantifier: .any)
        var query = try Query.compile(.comparison(comparison), on: owners, in: snapshot)
        let found = try query.objects(in: snapshot)
        #expect(found.count == 6)
        query.plannerOptions.alwaysUsesAccess = true
        query.plannerOptions.samplingThreshold = 0
        #expect(try query.objects(in: snapshot) == found)
    }

    private func check(_ text: String, on table: TableKey, _ plan: String, _ rows: Int) throws {
        var query = try Query.compile(Predicate(parsing: text, dialect: .query), on: table, in: snapshot)
        let explained = try query.explain(in: snapshot)
        #expect(explained == plan)
        let objects = try query.objects(in: snapshot)
        #expect(objects.count == rows)
        let all = try Query.compile(.constant(true), on: table, in: snapshot).objects(in: snapshot)
        #expect(try query.filter(all, in: snapshot) == objects)
        query.plannerOptions.alwaysUsesAccess = true
        #expect(try query.objects(in: snapshot) == objects)
        #expect(try query.count(in: snapshot) == rows)
        query.plannerOptions.alwaysUsesAccess = false
        query.plannerOptions.samplingThreshold = .max
        #expect(try query.objects(in: snapshot) == objects)
    }
}
