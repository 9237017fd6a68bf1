// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `limit`, orders of texts, and avoided computations: additions to collections 3 and 4.
@Suite struct LimitTests: TrapSuite {
    func ids(_ results: Results<Walker>) -> [Int] {
        let ids = Array(results.map(\.id))
        #expect(results.count == ids.count && results.isEmpty == ids.isEmpty && results.first?.id == ids.first)
        #expect(results.last?.id == ids.last && results.indices.map { results[$0].id } == ids)
        return ids
    }

    @Test func limitsFollowedByOtherOperations() throws {
        try withWalkers { realm, walkers in
            #expect(
                ids(walkers.limit(3)) == [0, 1, 2] && ids(walkers.limit(0)) == [] && ids(walkers.limit(99)).count == 8)
            #expect(ids(walkers.sorted(by: \.id, ascending: false).limit(2)) == [7, 6])
            #expect(ids(walkers.limit(3).sorted(by: \.id, ascending: false)) == [2, 1, 0])
            #expect(ids(walkers.where { $0.id > 2 }.limit(2)) == [3, 4])
            #expect(ids(walkers.limit(4).where { $0.id > 2 }) == [3] && ids(walkers.limit(2).where { $0.id > 2 }) == [])
            #expect(ids(walkers.limit(6).limit(2)) == [0, 1] && ids(walkers.limit(2).limit(6)) == [0, 1])
            let last = walkers.sorted(by: \.id, ascending: false)
            #expect(ids(last.limit(5).where { $0.isDone }.limit(1)) == [6])
            #expect(ids(last.distinct(by: ["name"]).limit(3)) == [7, 6, 5])
            #expect(ids(last.limit(3).distinct(by: ["size"])) == [7])
            #expect(ids(walkers.where { $0.isDone }.sorted(by: \.name).limit(2)) == [0, 3])
            let five = walkers[5]
            #expect(walkers.limit(3).index(of: five) == nil && walkers.limit(6).index(of: five) == 5)
            #expect(last.limit(4).index(matching: { $0.id == 4 }) == 3 && last.limit(3).sum(of: \.id) == 18)
            #expect(walkers.limit(3).contains { $0.id == 2 } && walkers.limit(2).average(ofProperty: "id") == 0.5)
            let limited = walkers.sorted(by: \.id, ascending: false).limit(2)
            #expect(ids(limited.freeze()) == [7, 6])
            try realm.write {
                realm.delete(walkers.last ?? walkers[0])
                #expect(ids(limited) == [6, 5])
            }
            try realm.write { realm.delete(limited) }
            #expect(ids(limited) == [4, 3] && ids(walkers) == [0, 1, 2, 3, 4])
        }
    }

    @Test func limitsOfListsAndValues() throws {
        try withWalkers { realm, walkers in
            let walker = walkers[4]
            #expect(walker.pets.limit(2).map(\.age) == [0, 1] && Array(walker.numbers.limit(3)) == [0, 1, 2])
            #expect(Array(walker.numbers.sorted(ascending: false).limit(2)) == [3, 2])
            #expect(walker.pets.where { $0.age > 0 }.limit(1).first?.age == 1)
            #expect(walker.pets.sorted(by: \.age, ascending: false).first?.age == 3)
            #expect(walkers[2].pets[0].owners.limit(1).count == 1)
            let first = walker.pets.sorted(by: \.age).limit(1)
            try realm.write { walker.pets.removeFirst() }
            #expect(first.map(\.age) == [1])
        }
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot pass a negative value for 'limit'.") {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).limit(-1) }
        },
        Trap("Cannot sort on key path 'id' in natural order: the property is of type 'int', not 'string'.") {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).sorted(by: \.id, order: .natural) }
        },
        Trap("Cannot sort on key path 'self' in natural order: the elements are of type 'int', not 'string'.") {
            inWrite(Walker.types) { _ = $0.create(Walker.self).numbers.sorted(order: .natural) }
        },
    ]

    // MARK: Orders of texts

    func names(_ order: TextOrder, ascending: Bool = true, of names: [String]) throws -> [String] {
        var sorted: [String] = []
        try withRealm(Walker.types) { realm in
            try realm.write {
                for (id, name) in names.enumerated() { realm.create(Walker.self, value: ["id": id, "name": name]) }
            }
            let walkers = realm.objects(Walker.self)
            sorted = walkers.sorted(by: \.name, ascending: ascending, order: order).map(\.name)
            #expect(sorted.first == walkers.sorted(byKeyPath: "name", ascending: ascending, order: order).first?.name)
            let top = walkers.sorted(by: [SortDescriptor(keyPath: \Walker.name, ascending: ascending, order: order)])
            #expect(top.limit(2).map(\.name) == Array(sorted.prefix(2)))
        }
        return sorted
    }

    @Test func naturalOrder() throws {
        let tracks = [
            "Track 10", "track 9", "Track 9", "track 009", "track", "Émile", "ö", "Z", "1", "12", "2", "a1b", "a01a",
        ]
        #expect(
            try names(.natural, of: tracks)
                == [
                    "1", "2", "12", "a01a", "a1b", "track", "Track 9", "track 009", "track 9", "Track 10", "Z", "Émile",
                    "ö",
                ])
        #expect(try names(.natural, ascending: false, of: ["a2", "a10", "A2"]) == ["a10", "a2", "A2"])
        let long = String(repeating: "9", count: 300)
        #expect(
            try names(.natural, of: ["x1" + long, "x" + long, "x\(long.dropLast())"]) == [
                "x\(long.dropLast())", "x" + long, "x1" + long,
            ])
    }

    @Test func localizedOrder() throws {
        let letters = ["z", "ä", "b", "Å", "ö", "A", "a", "n10", "n9"]
        let german = TextOrder.localized(Locale(identifier: "de_DE"))
        let swedish = TextOrder.localized(Locale(identifier: "sv_SE"), numeric: true)
        #expect(try names(german, of: letters) == ["a", "A", "Å", "ä", "b", "n10", "n9", "ö", "z"])
        #expect(try names(swedish, of: letters) == ["a", "A", "b", "n9", "n10", "z", "Å", "ä", "ö"])
        #expect(
            try names(.binary, of: letters)
                == letters.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        #expect(german != swedish && "\(german)" == "localized (de_DE)" && "\(swedish)" == "localized (sv_SE, numeric)")
    }

    @Test func ordersOfValuesAndOptionalTexts() throws {
        try withWalkers { realm, walkers in
            try realm.write {
                walkers[0].defaulted.append(objectsIn: ["b10", "B9", "a"])
                walkers[1].nickname = "ida 10"
                walkers[3].nickname = "Ida 9"
            }
            #expect(Array(walkers[0].defaulted.sorted(order: .natural)) == ["a", "B9", "b10"])
            #expect(Array(walkers[0].defaulted.sorted(ascending: false, order: .natural)) == ["b10", "B9", "a"])
            let descriptors = [SortDescriptor(keyPath: "nickname", order: .natural), "id"]
            #expect(ids(walkers.sorted(by: descriptors)) == [0, 2, 4, 6, 5, 3, 1, 7])
            #expect("\(descriptors[0])" == "SortDescriptor(keyPath: nickname, direction: ascending, order: natural)")
            #expect(descriptors[0].reversed().order == .natural && descriptors[0] != "nickname")
            let sections = walkers.sectioned(
                by: { $0.nickname?.lowercased().first.map { String($0) } }, sortDescriptors: descriptors)
            #expect(sections.allKeys == [nil, "i", "m"])
        }
    }

    // MARK: Comparison with plain arrays

    @Test func randomChains() throws {
        var random = SeededGenerator(for: "LimitTests.randomChains")
        try withRealm(Walker.types) { realm in
            try realm.write {
                for id in 0..<400 {
                    let walker = realm.create(Walker.self, value: ["id": id, "name": "w\(random.below(30))"])
                    walker.age = random.chance(20) ? nil : random.below(50) - 10
                    walker.weight = Double(random.below(9))
                }
            }
            let all = realm.objects(Walker.self)
            for _ in 0..<60 {
                var query = all
                var model = Array(all)
                for _ in 0..<1 + random.below(5) { step(&query, &model, &random) }
                let expected = model.map(\.id)
                let place = "seed \(random.seed)"
                if random.chance(50) { #expect(query.first?.id == expected.first, "\(place)") }
                if random.chance(50) { #expect(query.isEmpty == expected.isEmpty, "\(place)") }
                if random.chance(50) { #expect(query.freeze().first?.id == expected.first, "\(place)") }
                if random.chance(50) { #expect(query.freeze().isEmpty == expected.isEmpty, "\(place)") }
                #expect(query.map(\.id) == expected && query.count == expected.count, "\(place)")
                #expect(query.first?.id == expected.first && query.isEmpty == expected.isEmpty, "\(place)")
            }
        }
    }

    private func step(_ query: inout Results<Walker>, _ model: inout [Walker], _ random: inout SeededGenerator) {
        func order(_ ascending: Bool, _ isBefore: (Walker, Walker) -> Bool) {
            model = model.enumerated().sorted { a, b in
                if isBefore(a.element, b.element) { return ascending }
                if isBefore(b.element, a.element) { return !ascending }
                return a.offset < b.offset
            }.map(\.element)
        }
        let ascending = random.chance(50)
        switch random.below(6) {
        case 0:
            let least = random.below(50)
            query = query.where { $0.age > least }
            model.removeAll { $0.age.map { $0 <= least } ?? true }
        case 1:
            query = query.sorted(byKeyPath: "age", ascending: ascending)
            order(ascending) { ($0.age ?? .min) < ($1.age ?? .min) }
        case 2:
            query = query.sorted(byKeyPath: "name", ascending: ascending)
            order(ascending) { $0.name < $1.name }
        case 3:
            query = query.sorted(by: [SortDescriptor(keyPath: "weight", ascending: ascending), "age"])
            order(true) { ($0.age ?? .min) < ($1.age ?? .min) }
            order(ascending) { $0.weight < $1.weight }
        case 4:
            query = query.distinct(by: ["name"])
            var seen: Set<String> = []
            model.removeAll { !seen.insert($0.name).inserted }
        default:
            let limit = random.below(random.chance(50) ? 4 : 200)
            query = query.limit(limit)
            model = Array(model.prefix(limit))
        }
    }
}
