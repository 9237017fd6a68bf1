// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private final class LooseItem: Object {
    @Persisted var number = 0
    @Persisted var ratio: Float = 0
    @Persisted var text: String?
    @Persisted var any: AnyRealmValue
    @Persisted var next: LooseItem?
    @Persisted var items: List<LooseItem>
    @Persisted var numbers: List<Int>
    @Persisted var map: Map<String, LooseItem?>
    @Persisted var set: MutableSet<LooseItem>

    convenience init(_ number: Int, _ text: String? = nil) {
        self.init()
        self.number = number
        self.text = text
        ratio = Float(number) + 0.1
    }
}

private func list<Element: RealmCollectionValue>(_ elements: Element...) -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: elements)
    return list
}

/// Queries and aggregates of unmanaged collections, and predicates in memory.
@Suite struct UnmanagedCollectionTests {
    @Test(.behaviour("S01")) func valuesAreFoundInMemory() {
        let numbers = list(5, 6, 7)
        #expect(numbers.index(matching: NSPredicate(format: "self == 7")) == 2)
        #expect(numbers.index(matching: "self == %@", 6) == 1 && numbers.index(matching: "self > 7") == nil)
        #expect(numbers.index(matching: { $0 == 7 && $0 < 456 }) == 2)
        #expect(numbers.index(matching: "self IN %@", [7, 6]) == 1)
        #expect(numbers.index(matching: "self BETWEEN {6, 9}") == 1)
        #expect(list("a", "B").index(matching: "self BEGINSWITH[c] 'b'") == 1)
        #expect(list("a", nil).index(matching: "self == nil") == 1)
        #expect(AnyRealmCollection(numbers).index(matching: "self == 7") == 2)
    }

    @Test(.behaviour("S01")) func objectsAreFoundInMemory() throws {
        let (first, second) = (LooseItem(1, "one"), LooseItem(2, "two"))
        first.next = second
        second.items.append(objectsIn: [LooseItem(8), LooseItem(9)])
        second.numbers.append(objectsIn: [3, 4])
        second.any = .int(5)
        second.map["k"] = first
        let items = list(first, second)
        let found = [
            "number == 2", "ratio > 2", "text CONTAINS 'w'", "next == nil", "ANY items.number == 9",
            "items.@count == 2",
            "NONE items.number < 8 AND number > 1", "items.@sum.number == 17", "any == 5", "numbers.@max == 4",
            "SUBQUERY(items, $i, $i.number > 8).@count == 1", "map.@count == 1", "map.k.number == 1",
            "NOT number == 1", "2 == number", "ratio == 2.1",
        ]
        for format in found { #expect(items.index(matching: format) == 1, "\(format)") }
        #expect(items.index(matching: "next == %@", second) == 0 && items.index(matching: "next.number == 2") == 0)
        #expect(items.index(matching: { $0.items.number == 9 && $0.text == "two" }) == 1)
        #expect(items.index(matching: { ($0.items.number > 8).count == 1 }) == 1)
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "S01", objectTypes: [LooseItem.self]))
        try realm.write { realm.add(second) }
        #expect(items.index(matching: "ANY items.number == 9 AND next == nil") == 1)
    }

    @Test(.behaviour("S01")) func aggregatesInMemory() {
        let numbers = list(1, 2, 3)
        #expect(numbers.max() == 3 && numbers.sum() == 6 && numbers.average() == 2.0)
        let owner = LooseItem()
        let none: Int? = owner.items.min(of: \.number)
        #expect(none == nil && owner.items.sum(of: \.number) == 0)
        for number in [4, 6] {
            owner.items.append(LooseItem(number))
            owner.map["\(number)"] = LooseItem(number)
            owner.set.insert(LooseItem(number))
        }
        owner.map["none"] = .some(nil)
        let (first, last): (Int?, Int?) = (owner.items.min(ofProperty: "number"), owner.items.max(of: \.number))
        #expect(first == 4 && last == 6)
        let average: Double? = owner.set.average(ofProperty: "number")
        #expect(owner.set.sum(of: \.number) == 10 && average == 5)
        let (least, mean): (Int?, Double?) = (owner.map.min(of: \.number), owner.map.average(ofProperty: "number"))
        #expect(least == 4 && mean == 5)
        #expect(owner.map.sum(of: \.number) == 10)
    }

    @Test(.behaviour("S22")) func theSumOfNoMixedValuesIsZero() {
        #expect(List<AnyRealmValue>().sum() == .int(0) && MutableSet<AnyRealmValue>().sum() == .int(0))
    }

    @Test(.behaviour("S01")) func mistakesInAPredicateEndTheProcess() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = list(LooseItem(1)).index(matching: "nothing == 1")
        }.expectText("Property 'nothing' not found in object of type 'LooseItem'")
    }

    @Test(.behaviour("A09")) func predicatesAreEvaluatedInMemory() {
        let predicate = NSPredicate(format: "number > %@ AND text BEGINSWITH 't'", 1)
        #expect(predicate.evaluate(with: LooseItem(2, "two")) && !predicate.evaluate(with: LooseItem(1, "two")))
        #expect(NSPredicate(format: "SELF == 'x'").evaluate(with: "x"))
        #expect(NSPredicate(format: "name == 'x'").evaluate(with: ["name": "x"]))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, NSPredicate(value: true)])
        #expect(both.evaluate(with: LooseItem(3, "three")))
    }

    @Test(.behaviour("A09")) func thePredicateIsWrittenOut() {
        #expect(NSPredicate(format: "number > %@ AND text == %@", 1, "a").text == "number > 1 AND text == 'a'")
    }
}

/// Foundation deprecates the text of a predicate, which is meaningful only for constants.
private protocol Written {
    var predicateFormat: String { get }
}

extension NSPredicate: Written {}

extension NSPredicate {
    fileprivate var text: String { (self as any Written).predicateFormat }
}
