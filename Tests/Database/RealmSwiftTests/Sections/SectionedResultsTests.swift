// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

final class ShelfBook: TestObject {
    @Persisted var title: String
    @Persisted var year: Int?
    @Persisted var author: ShelfAuthor?
    @Persisted var binding: Color?
    @Persisted var tags: List<String>
    @Persisted var sizes: MutableSet<Int>
    @Persisted(originProperty: "books") var authors: LinkingObjects<ShelfAuthor>

    /// Computed from a stored property, so it can be sorted and sectioned by.
    var initial: String { String(title.prefix(1)) }

    convenience init(_ title: String, _ year: Int? = nil) { self.init(value: ["title": title, "year": year as Any]) }

    static let types: [ObjectBase.Type] = [ShelfBook.self, ShelfAuthor.self]
}

final class ShelfAuthor: TestObject {
    @Persisted var name: String
    @Persisted var books: List<ShelfBook>
    @Persisted var favourites: MutableSet<ShelfBook>
    @Persisted(originProperty: "author") var written: LinkingObjects<ShelfBook>
}

final class ShelfCard: Projection<ShelfBook> {
    @Projected(\ShelfBook.title) var heading
    @Projected(\ShelfBook.year) var year
}

/// Sectioned results (collections 10).
@Suite struct SectionedResultsTests: TrapSuite {
    func withBooks(_ body: (Realm, Results<ShelfBook>) throws -> Void) throws {
        try withRealm(ShelfBook.types) { realm in
            try realm.write { Self.fill(realm) }
            try body(realm, realm.objects(ShelfBook.self))
        }
    }

    static func fill(_ realm: Realm) {
        let books = [("Beta", 2), ("Alpha", 1), ("Ark", nil), ("Cello", 2), ("Brook", 1), ("Axis", 2)]
            .map { ShelfBook($0.0, $0.1) }
        realm.add(books)
        let author = realm.create(ShelfAuthor.self, value: ["name": "Ida"])
        author.books.append(objectsIn: books[..<4])
        author.favourites.insert(objectsIn: books[2...])
        for book in books[..<5] { book.author = author }
        books[0].tags.append(objectsIn: ["sea", "sand", "fog", "fir"])
        books[0].sizes.insert(objectsIn: [11, 2, 10, 1])
    }

    func texts<Key>(_ sections: SectionedResults<Key, ShelfBook>) -> [[String]] {
        sections.map { $0.map(\.title) }
    }

    @Test(.behaviour("B-374")) func oneSectionForEachKey() throws {
        try withBooks { _, books in
            let sections = books.sectioned(by: \.initial)
            #expect(
                sections.allKeys == ["A", "B", "C"] && sections.count == 3 && sections.map(\.id) == ["A", "B", "C"])
            #expect(texts(sections) == [["Alpha", "Ark", "Axis"], ["Beta", "Brook"], ["Cello"]])
            #expect(books.sectioned(by: \.initial, ascending: false).allKeys == ["C", "B", "A"])
            #expect(books.sectioned(by: \.title).count == 6)
            #expect(sections[1].key == "B" && sections[1].count == 2 && sections[1][1].title == "Brook")
            #expect(sections.first?.first?.title == "Alpha" && sections.last?.last?.title == "Cello")
            #expect(sections.realm == books.realm && sections[0].realm == books.realm)
            #expect(!sections.isFrozen && !sections.isInvalidated && !sections[0].isInvalidated)
            let none = books.where { $0.title == "?" }.sectioned(by: \.initial)
            #expect(none.isEmpty && none.allKeys.isEmpty && none.first == nil)
        }
    }

    @Test(.behaviour("B-375")) func keysOfABlockAndOrdersOfDescriptors() throws {
        try withBooks { realm, books in
            let byYear = ["year", SortDescriptor(keyPath: "title", ascending: false)]
            let isOld: (ShelfBook) -> Bool = { ($0.year ?? 0) < 2 }
            #expect(
                texts(books.sectioned(by: isOld, sortDescriptors: byYear))
                    == [["Ark", "Brook", "Alpha"], ["Cello", "Beta", "Axis"]])
            #expect(texts(books.sectioned(sortDescriptors: byYear, isOld)).count == 2)
            #expect(
                texts(books.sectioned(by: \.year, sortDescriptors: byYear))
                    == [["Ark"], ["Brook", "Alpha"], ["Cello", "Beta", "Axis"]])
            // Keys that aren't adjacent still make one section each, at the position of their first element.
            let lengths = books.sectioned(by: { $0.title.count }, sortDescriptors: ["title"])
            #expect(lengths.allKeys == [5, 3, 4])
            #expect(texts(lengths) == [["Alpha", "Brook", "Cello"], ["Ark"], ["Axis", "Beta"]])
            #expect(lengths[0][2].title == "Cello")
            // A stable sort keeps the order of ties.
            let reversed = books.sorted(by: \.title, ascending: false)
            #expect(texts(reversed.sectioned(by: \.year)).last == ["Cello", "Beta", "Axis"])
        }
    }

    @Test(.behaviour("B-375")) func everyKindOfCollection() throws {
        try withBooks { realm, books in
            let author = realm.objects(ShelfAuthor.self)[0]
            #expect(texts(author.books.sectioned(by: \.initial)) == [["Alpha", "Ark"], ["Beta"], ["Cello"]])
            #expect(texts(author.favourites.sectioned(by: \.initial)) == [["Ark", "Axis"], ["Brook"], ["Cello"]])
            #expect(author.written.sectioned(by: \.initial).map(\.count) == [2, 2, 1])
            #expect(texts(AnyRealmCollection(author.books).sectioned(by: \.initial)).count == 3)
            #expect(books.sectioned(by: \.author?.name).allKeys == ["Ida", nil])
            #expect(
                books[0].tags.sectioned(by: { String($0.prefix(1)) }).map(Array.init) == [
                    ["fir", "fog"], ["sand", "sea"],
                ])
            let sizes = books[0].sizes.sectioned(by: { $0 > 9 }, ascending: false)
            #expect(sizes.allKeys == [true, false] && sizes.map(Array.init) == [[11, 10], [2, 1]])
            #expect(sizes[1][0] == 2 && sizes[IndexPath(item: 1, section: 0)] == 10)
            let cards = realm.objects(ShelfCard.self).sectioned(by: \.year, ascending: false)
            #expect(cards.allKeys == [2, 1, nil] && cards[0].map(\.heading) == ["Beta", "Cello", "Axis"])
            let byHeading = realm.objects(ShelfCard.self)
                .sectioned(by: { $0.heading.count }, sortDescriptors: ["title"])
            #expect(byHeading.allKeys == [5, 3, 4])
            #expect(
                realm.objects(ShelfCard.self).sectioned(by: \.heading, sortDescriptors: ["title"]).count == 6)
        }
    }

    @Test(.behaviour("B-376", "B-377", "B-378", "B-380"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Can not section Results with empty sortDescriptor parameter.") {
            inRealm(ShelfBook.types) { _ = $0.objects(ShelfBook.self).sectioned(by: \.year, sortDescriptors: []) }
        },
        Trap("There must be at least one SortDescriptor when using SectionedResults.") {
            inRealm(ShelfBook.types) {
                _ = $0.objects(ShelfBook.self).sectioned(by: { $0.title }, sortDescriptors: [])
            }
        },
        Trap("The section key path must match the primary sort descriptor.") {
            inRealm(ShelfBook.types) {
                _ = $0.objects(ShelfBook.self).sectioned(by: \.year, sortDescriptors: ["title", "year"])
            }
        },
        Trap("Links are not supported as section keys.") {
            inRealm(ShelfBook.types) {
                _ = $0.objects(ShelfBook.self).sectioned(by: { $0.author }, sortDescriptors: ["title"])
            }
        },
        Trap("This method may only be called on RLMArray instances retrieved from an RLMRealm") {
            _ = ShelfAuthor().books.sectioned(by: \.title)
        },
        Trap("Index 3 is out of bounds (must be less than 3).") {
            inWrite(ShelfBook.types) {
                Self.fill($0)
                _ = $0.objects(ShelfBook.self).sectioned(by: \.initial)[3]
            }
        },
        Trap("Index 2 is out of bounds (must be less than 2).") {
            inWrite(ShelfBook.types) {
                Self.fill($0)
                _ = $0.objects(ShelfBook.self).sectioned(by: \.initial)[IndexPath(item: 2, section: 1)]
            }
        },
        Trap("Section key C not found.") {
            inWrite(ShelfBook.types) {
                Self.fill($0)
                let section = $0.objects(ShelfBook.self).sectioned(by: \.initial)[2]
                $0.deleteAll()
                _ = section[0]
            }
        },
    ]

    @Test(.behaviour("B-378")) func byIndexPath() throws {
        try withBooks { _, books in
            let sections = books.sectioned(by: \.initial)
            #expect(sections[IndexPath(item: 1, section: 0)].title == "Ark")
            #expect(sections[IndexPath(indexes: [2, 0])].title == "Cello")
            #expect(IndexPath(row: 4, section: 3).item == 4 && IndexPath(row: 4, section: 3).section == 3)
        }
    }

    @Test(.behaviour("B-379")) func nilIsASection() throws {
        try withBooks { realm, books in
            let sections = books.sectioned(by: \.year)
            #expect(sections.allKeys == [nil, 1, 2] && sections[0].map(\.title) == ["Ark"] && sections[0].key == nil)
            #expect(books.sectioned(by: \.year, ascending: false).allKeys == [2, 1, nil])
            try realm.write { books[0].binding = .red }
            #expect(books.sectioned(by: \.binding).allKeys == [nil, .red])
        }
    }

    @Test(.behaviour("B-380")) func elementsMoveAndEmptySectionsAreRemoved() throws {
        try withBooks { realm, books in
            let sections = books.sectioned(by: \.initial)
            let (a, c) = (sections[0], sections[2])
            try realm.write {
                books.where { $0.title == "Cello" }[0].title = "Aria"
                #expect(texts(sections) == [["Alpha", "Aria", "Ark", "Axis"], ["Beta", "Brook"]])
            }
            #expect(a.count == 4 && a[1].title == "Aria" && c.isInvalidated && c.isEmpty && c.first == nil)
            #expect(sections.allKeys == ["A", "B"] && !a.isInvalidated)
            try realm.write { realm.add(ShelfBook("Cat")) }
            #expect(!c.isInvalidated && c.map(\.title) == ["Cat"] && sections[2] == c && sections[1] != c)
            try realm.write { realm.delete(books.where { $0.title.starts(with: "A") }) }
            #expect(a.isInvalidated && sections.allKeys == ["B", "C"] && sections == sections)
            #expect(books.sectioned(by: \.initial) != sections)
        }
    }

    @Test(.behaviour("B-380")) func iterationKeepsTheElementsAtItsStart() throws {
        try withBooks { realm, books in
            let sections = books.sectioned(by: \.initial)
            var seen: [String] = []
            try realm.write {
                for section in sections {
                    for book in section {
                        seen.append("\(section.key)\(book.title.count)")
                        book.title = "Z" + book.title
                    }
                }
            }
            // The elements of each section were changed while it was iterated over.
            #expect(seen == ["A5", "A3", "A4", "B4", "B5", "C5"] && sections.allKeys == ["Z"])
        }
    }

    @Test(.behaviour("B-382")) func frozenSections() throws {
        try withBooks { realm, books in
            let live = books.sectioned(by: \.initial)
            let frozen = live.freeze()
            let section = live[0].freeze()
            let gone = live[2].freeze()
            try realm.write {
                realm.delete(books.where { $0.title == "Cello" })
                books[0].title = "Zebra"
            }
            #expect(frozen.isFrozen && section.isFrozen && frozen[0].isFrozen && frozen.freeze() == frozen)
            let shared = UncheckedBox((frozen, section))
            for _ in 0..<2 {
                try onThread {
                    let (frozen, section) = shared.value
                    #expect(frozen.allKeys == ["A", "B", "C"] && section.map(\.title) == ["Alpha", "Ark", "Axis"])
                    #expect(
                        frozen.map { $0.map(\.title) } == [["Alpha", "Ark", "Axis"], ["Beta", "Brook"], ["Cello"]])
                    #expect(frozen[IndexPath(item: 0, section: 1)].title == "Beta")
                }
            }
            #expect(live.allKeys == ["A", "B", "Z"])
            #expect(frozen.thaw()?.allKeys == ["A", "B", "Z"] && section.thaw()?.count == 3 && gone.thaw() == nil)
            #expect(live.thaw() == live && !live.isFrozen)
        }
    }

    @Test("sections of a list whose owner is deleted are invalidated") func aDeletedOwner() throws {
        try withBooks { realm, _ in
            let author = realm.objects(ShelfAuthor.self)[0]
            let sections = author.books.sectioned(by: \.initial)
            let section = sections[0]
            #expect(sections.count == 3)
            try realm.write { realm.delete(author) }
            #expect(sections.isInvalidated && section.isInvalidated && sections.isEmpty && section.isEmpty)
        }
    }

    @Test("sections go to other threads by reference") func handOver() throws {
        try withBooks { realm, books in
            let reference = ThreadSafeReference(to: books.sectioned(by: \.initial))
            let configuration = UncheckedBox(realm.configuration)
            try onThread {
                let realm = try Realm(configuration: configuration.value)
                #expect(realm.resolve(reference)?.allKeys == ["A", "B", "C"])
            }
        }
    }

    @Test("many elements in random sections") func randomSections() throws {
        try withRealm(ShelfBook.types) { realm in
            var random = SystemRandomNumberGenerator()
            let years = (0..<2000).map { _ in Int.random(in: 0..<40, using: &random) }
            try realm.write { for (index, year) in years.enumerated() { realm.add(ShelfBook("\(index)", year)) } }
            let sections = realm.objects(ShelfBook.self).sectioned(
                by: { ($0.year ?? 0) % 7 }, sortDescriptors: ["year"])
            let sorted = years.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
            var keys: [Int] = []
            for (_, year) in sorted where !keys.contains(year % 7) { keys.append(year % 7) }
            #expect(sections.allKeys == keys)
            for section in sections {
                let expected = sorted.filter { $0.element % 7 == section.key }.map { "\($0.offset)" }
                #expect(section.map(\.title) == expected && section.indices.map { section[$0].title } == expected)
            }
        }
    }
}
