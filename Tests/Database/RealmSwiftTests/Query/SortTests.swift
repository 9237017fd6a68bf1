// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Sorting, distinct and aggregates (collections 2 and 3, behaviours B-330, B-331 and B-360 to B-373).
@Suite struct SortTests: TrapSuite {
    func ids(_ results: Results<Walker>) -> [Int] { results.map(\.id) }

    @Test(.behaviour("B-363", "B-364")) func orders() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.sorted(byKeyPath: "age", ascending: false)) == [7, 6, 5, 4, 3, 2, 1, 0])
            #expect(walkers.sorted(byKeyPath: "age").first?.id == 0)
            let two = ["name", SortDescriptor(keyPath: "id", ascending: false)]
            #expect(ids(walkers.sorted(by: two)) == [5, 1, 4, 0, 7, 3, 6, 2])
            #expect(ids(walkers.sorted(by: \.id, ascending: false).sorted(by: \.name)) == [5, 1, 4, 0, 7, 3, 6, 2])
            #expect(ids(walkers.sorted(by: \.firstWord)) == Array(0..<8))
            #expect(
                ids(walkers.where { $0.pet != nil }.sorted(byKeyPath: "pet.age", ascending: false)) == [3, 2, 1, 0])
            #expect(ids(walkers.sorted(by: [SortDescriptor]())) == Array(0..<8))
        }
    }

    /// The behaviour sorts objects after a null link first. The engine that it describes sorts them last, and so do we
    /// (content 8.5). A property that is null itself is sorted first.
    @Test(.behaviour("B-362")) func nullLinks() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.sorted(byKeyPath: "pet.age")) == [0, 1, 2, 3, 4, 5, 6, 7])
            #expect(ids(walkers.sorted(byKeyPath: "pet.age", ascending: false)).prefix(4) == [4, 5, 6, 7])
            #expect(walkers.sorted(by: \.age).first?.age == nil)
        }
    }

    @Test(.behaviour("B-366")) func firstOfEach() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.distinct(by: ["name"])) == [0, 1, 2, 3])
            #expect(ids(walkers.sorted(by: \.id, ascending: false).distinct(by: [\.name])) == [7, 6, 5, 4])
            #expect(ids(walkers.distinct(by: ["size", "isDone"])) == [0, 1, 4, 6])
            // A filter of distinct elements isn't applied before `distinct`.
            #expect(ids(walkers.distinct(by: ["name"]).where { $0.id > 1 }) == [2, 3])
        }
    }

    @Test(.behaviour("B-331")) func queriesOnListsFollowThem() throws {
        try withWalkers { realm, walkers in
            let walker = walkers[4]
            let sorted = walker.pets.sorted(by: \.age, ascending: false)
            let numbers = walker.numbers.sorted(ascending: false)
            let distinct = walker.numbers.distinct()
            #expect(sorted.map(\.age) == [3, 2, 1, 0] && Array(numbers) == [3, 2, 1, 0])
            try realm.write {
                walker.pets.removeLast()
                walker.numbers.append(objectsIn: [2, 9])
            }
            #expect(sorted.map(\.age) == [2, 1, 0] && Array(numbers) == [9, 3, 2, 2, 1, 0])
            #expect(Array(distinct) == [0, 1, 2, 3, 9] && numbers[0] == 9 && numbers.index(of: 2) == 2)
            try realm.write { realm.delete(walker) }
            #expect(sorted.isInvalidated && sorted.isEmpty && numbers.isEmpty)
        }
    }

    @Test(.behaviour("B-371", "B-372", "B-373")) func aggregates() throws {
        try withWalkers { _, walkers in
            #expect(walkers.min(of: \.age) == 1 && walkers.max(ofProperty: "age") == 7 as Int?)
            #expect(walkers.sum(of: \.id) == 28 && walkers.average(ofProperty: "age") == 4.0 as Double?)
            #expect(walkers.sum(of: \.weight) == 14 && walkers.max(of: \.born) == Date(timeIntervalSince1970: 7))
            #expect(walkers.sum(of: \.price) == 28 && walkers.where { $0.id > 5 }.sum(of: \.id) == 13)
            #expect(walkers[4].pets.average(ofProperty: "age") == 1.5 as Double?)
            let none = walkers.where { $0.id > 99 }
            #expect(none.min(of: \.id) == nil && none.sum(of: \.id) == 0)
            #expect(none.average(ofProperty: "id") as Double? == nil)
        }
    }

    @Test(.behaviour("B-330")) func aggregatesOfValues() throws {
        try withWalkers { _, walkers in
            let unmanaged = List<Int>()
            unmanaged.append(objectsIn: [0, 1, 2])
            for list in [walkers[3].numbers, unmanaged] {
                #expect(list.min() == 0 && list.max() == 2 && list.sum() == 3 && list.average() == 1.0 as Double?)
                #expect(list.sum(ofProperty: "self") == 3)
            }
            #expect(walkers[3].numbers.sorted().max() == 2)
            for list in [walkers[0].numbers, List<Int>()] {
                #expect(list.min() == nil && list.max() == nil && list.sum() == 0 && list.average() as Double? == nil)
            }
            let optional = List<Double?>()
            optional.append(objectsIn: [nil, 1.5, 2.5])
            #expect(optional.min() == 1.5 && optional.sum() == 4 && optional.average() == 2.0 as Double?)
        }
    }

    @Test(.behaviour("B-270")) func positions() throws {
        try withWalkers { _, walkers in #expect(walkers.objects(at: [1, 3]).map(\.id) == [1, 3]) }
    }

    @Test(.behaviour("B-368")) func descriptors() {
        let descriptor: SortDescriptor = "age"
        #expect(descriptor.description == "SortDescriptor(keyPath: age, direction: ascending)")
        #expect(descriptor.reversed() == SortDescriptor(keyPath: "age", ascending: false))
    }

    // MARK: Errors

    static let keyPaths: [(keyPath: String, text: String)] = [
        ("noSuchCol", "Cannot sort on key path 'noSuchCol': property 'Walker.noSuchCol' does not exist."),
        ("first_word", "property 'Walker.first_word' does not exist."),
        ("pets", "Cannot sort on key path 'pets': property 'Walker.pets'"),
        ("pet", "property 'Walker.pet' of type 'object' cannot be the final property in the key path."),
        ("@sum.id", "Cannot sort on key path '@sum.id': KVC collection operators are not supported."),
        ("id.name", "property 'Walker.id' of type 'int' may only be the final property in the key path."),
    ]

    @Test(.behaviour("B-360", "B-361", "B-365"), arguments: keyPaths.indices) func badKeyPath(_ index: Int) async {
        let keyPath = Self.keyPaths[index].keyPath
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [keyPath = keyPath as String] in
            inWalkers { _ = $0.sorted(byKeyPath: keyPath) }
        }.expectText(Self.keyPaths[index].text)
    }

    @Test(.behaviour("B-367", "B-370", "B-270", "B-271"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot distinct on key") { inWalkers { _ = $0.distinct(by: ["numbers"]) } },
        Trap("Operation 'sum' not supported for string property 'Walker.name'") {
            inWalkers { _ = $0.sum(ofProperty: "name") as Int }
        },
        Trap("Indexes for collection are out of bounds.") { inWalkers { _ = $0.objects(at: [0, 99]) } },
        Trap("Object of type 'Poodle' does not match Results type 'Dog'") {
            inRealm { realm in _ = realm.objects(Dog.self).index(of: Poodle()) }
        },
        Trap("Attempting to access an invalid object") {
            inWrite { realm in
                let dog = realm.create(Dog.self)
                realm.delete(dog)
                _ = realm.objects(Dog.self).index(of: dog)
            }
        },
    ]

    @Test(.behaviour("B-369")) func unknownProperty() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            inWalkers { _ = $0.min(ofProperty: "noSuchCol") as Int? }
        }
        result.expectText("uncaught exception 'Invalid property name'")
        result.expectText("Property 'noSuchCol' not found in object of type 'Walker'")
    }
}
