// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// The text of typed queries in the predicate language, which is a contract (query 2, behaviours B-393 to B-419).
@Suite struct QueryTextTests: TrapSuite {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: Walker.types), queue: nil)
    }

    /// The query that runs is created without the text, and must equal it.
    func text(_ query: (Query<Walker>) -> Query<Bool>) -> String {
        let condition = query(Query<Walker>._constructForTesting())
        let text = QueryText(condition.node)
        let parsed = try? Predicate(
            parsing: text.format, arguments: text.arguments.map(realm.instance.predicateArgument))
        #expect(realm.instance.predicate(condition.node) == parsed, "\(text.format)")
        return condition._constructPredicate().0
    }

    func arguments(_ query: (Query<Walker>) -> Query<Bool>) -> [Any] {
        query(Query<Walker>._constructForTesting())._constructPredicate().1
    }

    @Test("comparisons", .behaviour("B-393", "B-418")) func comparisons() {
        #expect(text { $0.age > 3 } == "(age > %@)" && arguments { $0.age > 3 } as? [Int] == [3])
        #expect(text { $0.age <= 3 } == "(age <= %@)" && text { $0.weight >= 3 } == "(weight >= %@)")
        #expect(text { $0.name == "x" } == "(name == %@)" && text { $0.name != "x" } == "(name != %@)")
        #expect(text { $0.name < "x" } == "(name < %@)" && text { $0.born < Date() } == "(born < %@)")
        #expect(text { $0.nickname == nil } == "(nickname == %@)")
        #expect(arguments { $0.nickname == nil }.first is NSNull)
        #expect(text { $0.size == .large } == "(size == %@)" && arguments { $0.size == .large } as? [Int] == [7])
        #expect(arguments { $0.color.in([.red, nil]) }.count == 1 && text { $0.size > .small } == "(size > %@)")
        #expect(text { $0.size.rawValue > 3 } == "(size > %@)")
        #expect(text { $0.color.rawValue.starts(with: "r") } == "(color BEGINSWITH %@)")
        #expect(text { $0.name == $0.firstWord } == "(name == firstWord)")
        #expect(text { $0.all == 3 } == "(all == %@)")
    }

    @Test(.behaviour("B-394", "B-395", "B-396", "B-397")) func conditions() {
        #expect(text { $0.isDone } == "isDone == true" && text { !$0.isDone } == "isDone == false")
        #expect(text { $0.age == 1 && $0.weight == 2 } == "((age == %@) && (weight == %@))")
        #expect(text { $0.age == 1 || $0.weight == 2 } == "((age == %@) || (weight == %@))")
        #expect(text { !($0.age == 1) } == "(NOT age == %@)")
        #expect(text { !($0.age == 1 && $0.weight == 2) } == "NOT ((age == %@) && (weight == %@))")
        #expect(text { $0.isDone && $0.age > 3 } == "(isDone == true && (age > %@))")
        #expect(text { !$0.age.contains(1...3) } == "NOT (age BETWEEN {%@, %@})")
        #expect(text { ($0.age == 1) == false } == "(NOT age == %@)")
    }

    @Test("ranges and choices", .behaviour("B-398", "B-399")) func ranges() {
        #expect(text { $0.age.contains(1...3) } == "(age BETWEEN {%@, %@})")
        #expect(text { $0.age.contains(1..<3) } == "((age >= %@) && (age < %@))")
        #expect(text { $0.name.in(["a", "b"]) } == "(name IN %@)")
    }

    @Test(.behaviour("B-400", "B-401", "B-402")) func textComparisons() {
        let both: StringOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(text { $0.name.contains("x", options: both) } == "(name CONTAINS[cd] %@)")
        #expect(text { $0.name.starts(with: "x") } == "(name BEGINSWITH %@)")
        #expect(text { $0.name.ends(with: "x", options: .diacriticInsensitive) } == "(name ENDSWITH[d] %@)")
        #expect(text { $0.name.like("x", caseInsensitive: true) } == "(name LIKE[c] %@)")
        #expect(text { $0.name.equals("x", options: .caseInsensitive) } == "(name ==[c] %@)")
        #expect(text { $0.name.notEquals("x", options: .caseInsensitive) } == "(name !=[c] %@)")
        #expect(text { $0.photo.contains(Data([1])) } == "(photo CONTAINS %@)")
        #expect(text { $0.nickname.starts(with: $0.name) } == "(nickname BEGINSWITH name)")
    }

    @Test(.behaviour("B-403", "B-404", "B-405", "B-406", "B-407", "B-408")) func collections() {
        #expect(text { $0.pets.count > 2 } == "(pets.@count > %@)")
        #expect(text { $0.pets.age.avg >= 3 } == "(pets.@avg.age >= %@)")
        #expect(text { $0.pets.age.min >= 3 } == "(pets.@min.age >= %@)")
        #expect(text { $0.pets.age.max >= 3 } == "(pets.@max.age >= %@)")
        #expect(text { $0.pets.age.sum >= 3 } == "(pets.@sum.age >= %@)")
        #expect(text { $0.numbers.max == 3 } == "(numbers.@max == %@)")
        #expect(text { $0.pets.name == "Rex" } == "(ANY pets.name == %@)")
        #expect(text { $0.pets.tag.text == "x" } == "(ANY pets.tag.text == %@)")
        #expect(text { $0.numbers.contains(3) } == "(%@ IN numbers)")
        #expect(text { $0.numbers.containsAny(in: [1, 2]) } == "(ANY numbers IN %@)")
        #expect(text { $0.numbers.contains(1...3) } == "((numbers.@min >= %@) && (numbers.@max <= %@))")
        #expect(text { $0.numbers.contains(1..<3) } == "((numbers.@min >= %@) && (numbers.@max < %@))")
        #expect(text { $0.numbers > 3 } == "(ANY numbers > %@)" && text { $0.numbers == 3 } == "(ANY numbers == %@)")
        #expect(text { $0.pet.owners.count == 1 } == "(pet.owners.@count == %@)")
        #expect(text { $0.defaulted.contains("x") } == "(%@ IN defaulted)")
    }

    @Test("subqueries", .behaviour("B-409")) func subqueries() {
        #expect(
            text { ($0.pets.age > 3 && $0.pets.name == "x").count >= 1 }
                == "(SUBQUERY(pets, $col1, (($col1.age > %@) && ($col1.name == %@))).@count >= %@)")
        #expect(
            text { ($0.pets.age > 3).count == 1 && !(($0.pets.age < 3).count == 1) } == """
                ((SUBQUERY(pets, $col1, ($col1.age > %@)).@count == %@) && \
                NOT (SUBQUERY(pets, $col2, ($col2.age < %@)).@count == %@))
                """)
    }

    @Test("subqueries inside each other, and of properties without values") func moreSubqueries() {
        #expect(
            text { ($0.pets.name == "x" && ($0.pets.age > 3).count == 0).count == 1 } == """
                (SUBQUERY(pets, $col1, (($col1.name == %@) && \
                (SUBQUERY(pets, $col2, ($col2.age > %@)).@count == %@))).@count == %@)
                """)
        #expect(
            text { ($0.pets.age.contains(1...3)).count != 0 }
                == "(SUBQUERY(pets, $col1, ($col1.age BETWEEN {%@, %@})).@count != %@)")
    }

    @Test("every property has a name") func names() {
        #expect(text { $0.born == Date() } == "(born == %@)" && text { $0.token == UUID() } == "(token == %@)")
        #expect(text { $0.price > 3 } == "(price > %@)" && text { $0.photo == nil } == "(photo == %@)")
        #expect(text { $0.pet == nil } == "(pet == %@)" && text { $0.pet.tag == nil } == "(pet.tag == %@)")
        #expect(SortDescriptor(keyPath: \Walker.pet?.tag?.text).keyPath == "pet.tag.text")
        #expect(SortDescriptor(keyPath: \Walker.id, ascending: false).keyPath == "id")
    }

    @Test(.behaviour("B-410", "B-413"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Subqueries must contain a keypath starting with a collection.") {
            _ = (Query<Walker>().age > 3).count._constructPredicateText()
        },
        Trap("Comparing two collection columns is not permitted.") {
            _ = Query<Walker>().numbers == Query<Walker>().numbers
        },
        Trap("does not lead through properties of 'Walker' that are declared @Persisted") { _ = Query<Walker>().isOld },
        Trap("does not lead through properties of 'Walker' that are declared @Persisted") { _ = Query<Walker>().note },
    ]
}

extension Query<Int> {
    fileprivate func _constructPredicateText() -> String { (self > 1)._constructPredicate().0 }
}
