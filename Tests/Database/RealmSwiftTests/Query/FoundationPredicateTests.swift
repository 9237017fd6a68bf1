// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

// Constants in predicates have to be codable.
extension Size: Codable {}
extension Color: Codable {}

/// `filter(#Predicate { … })` compared with Foundation's own evaluation.
@Suite struct FoundationPredicateTests: TrapSuite {
    typealias WalkerPredicate = Foundation.Predicate<Walker>

    private static func fill(_ realm: Realm, _ random: inout SeededGenerator) {
        let names = ["Rex", "Ida", "max", "Max", "", "ex", "A", "B10"]
        let pets = (0..<6).map { Pet(value: ["name": names[$0], "age": $0 % 4]) }
        for index in [1, 3] { pets[index].tag = Tag(value: ["text": names[index]]) }
        for id in 0..<60 {
            let walker = Walker(value: ["id": id, "name": names[random.below(8)]])
            walker.nickname = random.chance(40) ? nil : names[random.below(8)]
            walker.age = random.chance(30) ? nil : random.below(9) - 2
            walker.weight = [0, -0.0, 1.5, 2, -3, .nan, .infinity, 7][random.below(8)]
            walker.isDone = random.chance(50)
            walker.size = random.chance(50) ? .small : .large
            walker.color = [nil, .red, .green][random.below(3)]
            walker.born = Date(timeIntervalSince1970: Double(random.below(4)))
            walker.photo = random.chance(30) ? nil : Data((0..<random.below(3)).map { UInt8($0) })
            walker.price = Decimal128(value: random.below(5))
            walker.pet = random.chance(40) ? nil : pets[random.below(6)]
            walker.pets.append(objectsIn: (0..<random.below(4)).map { _ in pets[random.below(6)] })
            walker.numbers.append(objectsIn: (0..<random.below(4)).map { _ in random.below(6) })
            walker.defaulted.append(objectsIn: (0..<random.below(3)).map { _ in names[random.below(8)] })
            walker.all = random.below(6)
            walker.firstWord = names[random.below(8)]
            realm.add(walker)
        }
    }

    private func compare(_ predicates: [WalkerPredicate], sourceLocation: SourceLocation = #_sourceLocation) throws {
        var random = SeededGenerator(for: "FoundationPredicateTests")
        try withRealm(Walker.types) { realm in
            try realm.write { Self.fill(realm, &random) }
            let walkers = realm.objects(Walker.self)
            for predicate in predicates {
                let expected = try walkers.map { $0 }.filter { try predicate.evaluate($0) }.map(\.id)
                let found = walkers.filter(predicate)
                #expect(Array(found.map(\.id)) == expected, "\(predicate)", sourceLocation: sourceLocation)
                #expect(
                    walkers.index(matching: predicate)
                        == expected.first.flatMap { id in walkers.map(\.id).firstIndex(of: id) },
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test func comparisons() throws {
        let (limit, name, date, nothing) = (2, "Max", Date(timeIntervalSince1970: 2), String?.none)
        let price = Decimal128(value: 2)
        try compare([
            #Predicate { $0.all > 3 && $0.name.contains("x") }, #Predicate { $0.all >= limit || $0.name == name },
            #Predicate { !($0.all == limit) }, #Predicate { limit < $0.all }, #Predicate { $0.isDone },
            #Predicate { !$0.isDone && $0.all != 3 }, #Predicate { $0.isDone == true }, #Predicate { _ in true },
            #Predicate { $0.isDone != ($0.all > 2) }, #Predicate { ($0.all > 2) == ($0.weight > 1) },
            #Predicate { $0.name < $0.firstWord }, #Predicate { $0.name == $0.firstWord },
            #Predicate { $0.name < "N" }, #Predicate { $0.born <= date }, #Predicate { $0.price > price },
            #Predicate { $0.price == price }, #Predicate { $0.nickname == nothing }, #Predicate { $0.nickname != nil },
            #Predicate { $0.nickname == "Rex" }, #Predicate { $0.nickname != "Rex" }, #Predicate { $0.age == 3 },
            #Predicate { $0.age != 3 }, #Predicate { $0.age == nil }, #Predicate { $0.photo == nil },
        ])
    }

    @Test func valuesOfEveryKind() throws {
        let (small, green, notANumber) = (Size.small, Color.green, Double.nan)
        let (data, token) = (Data([0, 1]), UUID())
        try compare([
            #Predicate { $0.size == small }, #Predicate { $0.size != small }, #Predicate { $0.color == green },
            #Predicate { $0.color != green }, #Predicate { $0.weight < 2 }, #Predicate { !($0.weight < 2) },
            #Predicate { $0.weight >= -3 }, #Predicate { $0.weight == 0 }, #Predicate { $0.weight != 1.5 },
            #Predicate { $0.weight == notANumber }, #Predicate { $0.weight != notANumber },
            #Predicate { $0.weight < notANumber },
            #Predicate { $0.weight == $0.weight }, #Predicate { $0.photo == data }, #Predicate { $0.token == token },
            #Predicate { $0.name.isEmpty }, #Predicate { !$0.firstWord.isEmpty },
            #Predicate { ($0.photo ?? data).isEmpty }, #Predicate { [0.0, notANumber].contains($0.weight) },
        ])
    }

    @Test func optionalsAndLinks() throws {
        try compare([
            #Predicate { ($0.age ?? 0) > 1 }, #Predicate { ($0.age ?? 5) < 6 }, #Predicate { 3 < ($0.age ?? 9) },
            #Predicate { $0.pet?.name == "Rex" }, #Predicate { $0.pet?.name != "Rex" }, #Predicate { $0.pet == nil },
            #Predicate { $0.pet?.age == nil }, #Predicate { ($0.pet?.age ?? 2) >= 2 },
            #Predicate { $0.pet?.tag?.text == "Ida" }, #Predicate { $0.pet?.tag?.text != "Ida" },
            #Predicate { $0.pet != nil && $0.pet!.age > 1 },
            #Predicate { $0.pet.flatMap { $0.age > 1 } ?? true },
            #Predicate { if let pet = $0.pet { pet.age > 1 } else { false } },
            #Predicate { $0.age.flatMap { $0 + 1 } == 3 }, #Predicate { ($0.nickname ?? $0.name) == "Max" },
            #Predicate { $0.pet?.name == $0.nickname },
            #Predicate { $0.pet?.name != $0.nickname }, #Predicate { $0.isDone ? $0.all > 2 : $0.name == "A" },
            #Predicate { ($0.isDone ? $0.name : $0.firstWord) == "Rex" },
            #Predicate { ($0.isDone ? $0.all : 4) > ($0.age ?? 3) }, #Predicate { ($0.age ?? 3) == (0 + $0.all) },
        ])
    }

    @Test func texts() throws {
        let empty = ""
        try compare([
            #Predicate { $0.name.starts(with: "M") }, #Predicate { $0.name.starts(with: empty) },
            #Predicate { $0.name.contains(empty) }, #Predicate { $0.name.contains($0.firstWord) },
            #Predicate { $0.name.starts(with: $0.firstWord) }, #Predicate { ($0.nickname ?? "").contains("a") },
            #Predicate { $0.nickname?.starts(with: "R") == true }, #Predicate { !$0.name.contains("e") },
        ])
    }

    @Test func rangesAndConstants() throws {
        let (wanted, none, names) = ([1, 3, 4], [Int](), ["Rex", "A"])
        let (range, closed, from) = (2..<4, 2...4, 3...)
        try compare([
            #Predicate { wanted.contains($0.all) }, #Predicate { none.contains($0.all) },
            #Predicate { !wanted.contains($0.all) }, #Predicate { names.contains($0.name) },
            #Predicate { (1..<3).contains($0.all) }, #Predicate { (1...3).contains($0.all) },
            #Predicate { range.contains($0.all) }, #Predicate { closed.contains($0.all) },
            #Predicate { from.contains($0.all) },
            #Predicate { wanted.contains($0.age ?? 7) }, #Predicate { _ in wanted.contains { number in number > 3 } },
            #Predicate { walker in wanted.contains { number in number == walker.all } },
            #Predicate { walker in names.allSatisfy { name in walker.name != name } },
            #Predicate { (($0.all)...5).contains(4) },
        ])
    }

    @Test func collections() throws {
        let name = "Rex"
        try compare([
            #Predicate { $0.pets.count > 1 }, #Predicate { $0.pets.isEmpty }, #Predicate { $0.numbers.count == 2 },
            #Predicate { 2 < $0.numbers.count }, #Predicate { $0.numbers.contains(3) },
            #Predicate { !$0.numbers.contains(3) }, #Predicate { $0.defaulted.contains(name) },
            #Predicate { $0.defaulted.contains($0.name) }, #Predicate { $0.pets.contains { $0.age > 2 } },
            #Predicate { $0.pets.allSatisfy { $0.age > 0 } }, #Predicate { $0.pets.filter { $0.age > 0 }.count == 1 },
            #Predicate { $0.pets.filter { $0.age > 0 }.isEmpty },
            #Predicate { $0.pets.filter { $0.age > 0 }.contains { $0.name.contains("x") } },
            #Predicate { $0.pets.filter { $0.age > 0 }.allSatisfy { $0.tag?.text == "Ida" } },
            #Predicate { $0.pets.contains { $0.tag?.text == "Ida" && $0.age == 1 } },
            #Predicate { $0.pets.contains { $0.owners.count > 18 } },
            #Predicate { $0.pets.contains { $0.owners.contains { $0.isDone && $0.all == 3 } } },
            #Predicate { $0.numbers.contains { $0 > 3 } }, #Predicate { $0.numbers.contains { $0 < 1 || $0 > 4 } },
            #Predicate { $0.numbers.allSatisfy { $0 > 1 } }, #Predicate { $0.numbers.allSatisfy { $0 > 1 && $0 < 5 } },
            #Predicate { $0.defaulted.contains { $0 == "Max" } }, #Predicate { ($0.pet?.owners.count ?? 0) > 8 },
        ])
    }

    @Test func computations() throws {
        try compare([
            #Predicate { $0.all + 1 > 3 }, #Predicate { $0.all * 2 - $0.id < 0 }, #Predicate { $0.id / 7 == $0.all },
            #Predicate { -$0.all + 3 > 1 }, #Predicate { $0.weight * 2 > 3 }, #Predicate { $0.weight / 2 == 1 },
            #Predicate { -$0.weight < 0 }, #Predicate { ($0.age ?? 1) + $0.all == 4 },
            #Predicate { $0.weight + 1 != 2.5 }, #Predicate { $0.id - 1 > $0.all * 5 },
        ])
    }

    @Test func combinations() throws {
        let parts: [WalkerPredicate] = [
            #Predicate { $0.all > 2 }, #Predicate { $0.isDone }, #Predicate { $0.pet?.name == "Rex" },
            #Predicate { ($0.age ?? 3) > 2 }, #Predicate { $0.weight < 1 },
            #Predicate { $0.pets.contains { $0.age > 1 } },
        ]
        var random = SeededGenerator(for: "FoundationPredicateTests.combinations")
        try withRealm(Walker.types) { realm in
            try realm.write { Self.fill(realm, &random) }
            let walkers = realm.objects(Walker.self)
            for _ in 0..<100 {
                let chosen = (0..<3).map { _ in parts[random.below(parts.count)] }
                let found = chosen.reduce(walkers.where { $0.id >= 0 }) { $0.filter($1) }.sorted(
                    by: \.id, ascending: false)
                let expected = try walkers.map { $0 }
                    .filter { walker in try chosen.allSatisfy { try $0.evaluate(walker) } }
                #expect(Array(found.map(\.id)) == expected.map(\.id).reversed())
            }
        }
    }

    @Test func listsSetsAndObjects() throws {
        try withRealm(Walker.types) { realm in
            var random = SeededGenerator(for: "FoundationPredicateTests.lists")
            try realm.write { Self.fill(realm, &random) }
            let walkers = realm.objects(Walker.self)
            let walker = try #require(walkers.first { $0.pets.count > 1 })
            #expect(walker.pets.filter(#Predicate { $0.age >= 0 }).count == walker.pets.count)
            let live = walkers.filter(#Predicate { $0.all == 99 })
            #expect(live.isEmpty)
            try realm.write { walker.all = 99 }
            #expect(live.map(\.id) == [walker.id] && live.freeze().count == 1)
        }
    }

    // MARK: Rejected predicates

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("the property is not stored in the Realm. The part in question: KeyPath(") {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).filter(#Predicate { $0.isOld }) }
        },
        Trap(#"keyPath: \Walker.name), keyPath: \String"#) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).filter(#Predicate { $0.name.count > 3 }) }
        },
        Trap("it has no counterpart in Realm. The part in question: IntRemainder(") {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).filter(#Predicate { $0.all % 2 == 0 }) }
        },
        Trap("it compares an element of a collection with a value outside of the collection") {
            inRealm(Walker.types) {
                _ = $0.objects(Walker.self)
                    .filter(#Predicate { walker in walker.pets.contains { $0.age == walker.all } })
            }
        },
        Trap("Write it with where(_:), or filter the elements that a query has found.") {
            inRealm(Walker.types) {
                _ = $0.objects(Walker.self).filter(#Predicate { $0.numbers.contains { $0 > 1 && $0 < 3 } })
            }
        },
        Trap("of a collection, only elements, count and isEmpty are supported") {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).filter(#Predicate { $0.numbers.first == 1 }) }
        },
    ]
}
