// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// The operations of every indexable collection of objects, through the protocol and through the type-erased collection
/// (collections 2 and 9).
@Suite struct EveryKindTests: TrapSuite {
    func withBooks(_ body: (Realm, ShelfAuthor) throws -> Void) throws {
        try withRealm(ShelfBook.types) { realm in
            let author = ShelfAuthor(value: ["name": "Ida"])
            let books = [("Delta", 4), ("Alpha", 1), ("Echo", nil), ("Beta", 4), ("Charlie", 3)]
                .map { ShelfBook($0.0, $0.1) }
            for book in books { book.author = author }
            author.books.append(objectsIn: books)
            author.favourites.insert(objectsIn: books)
            try realm.write { realm.add(author) }
            try body(realm, author)
        }
    }

    /// Sets don't support positions.
    private func check<Books: RealmCollection>(_ books: Books, in realm: Realm, isSet: Bool = false) throws
    where Books.Element == ShelfBook {
        #expect(books.realm == realm && !books.isInvalidated && !books.isFrozen && books.count == 5 && !books.isEmpty)
        #expect(books.first?.title == "Delta" && books.last?.title == "Charlie" && books.startIndex == 0)
        let titles = books.map(\.title)
        #expect(Array(titles) == ["Delta", "Alpha", "Echo", "Beta", "Charlie"] && books.endIndex == 5)
        #expect(books.objects(at: [0, 3]).map(\.title) == ["Delta", "Beta"] && books.objects(at: []).isEmpty)
        if !isSet {
            #expect(books.index(of: books.objects(at: [2])[0]) == 2 && books.index(of: ShelfBook()) == nil)
            #expect(books.index(matching: "year == 4") == 0 && books.index(matching: { $0.year == 3 }) == 4)
            #expect(books.index(matching: { $0.title == "Zulu" }) == nil)
        }

        #expect(books.filter("year == %@", 4).map(\.title) == ["Delta", "Beta"])
        #expect(books.where { $0.year > 1 && $0.title < "D" }.map(\.title) == ["Beta", "Charlie"])
        #expect(books.sorted(byKeyPath: "title").map(\.title) == ["Alpha", "Beta", "Charlie", "Delta", "Echo"])
        #expect(books.sorted(by: \.title, ascending: false).first?.title == "Echo")
        let descriptors = ["year", SortDescriptor(keyPath: \ShelfBook.title, ascending: false)]
        #expect(books.sorted(by: descriptors).map(\.title) == ["Echo", "Alpha", "Charlie", "Delta", "Beta"])
        #expect(books.sorted(by: \.title).distinct(by: ["year"]).map(\.title) == ["Alpha", "Beta", "Charlie", "Echo"])
        #expect(books.distinct(by: [\.year]).count == 4 && books.limit(2).count == 2)
        #expect(books.where { $0.year == 9 }.isEmpty && books.where { $0.year == 9 }.first == nil)
        #expect(books.sorted(by: \.title, order: .natural).limit(1).first?.title == "Alpha")

        #expect(books.min(of: \.year) == 1 && books.max(of: \.year) == 4 && books.sum(of: \.year) == 12)
        #expect(books.min(ofProperty: "year") == 1 as Int? && books.max(ofProperty: "year") == 4 as Int?)
        #expect(books.sum(ofProperty: "year") == 12 as Int && books.average(ofProperty: "year") == 3.0 as Double?)
        #expect(books.group(by: \.year).count().values == [1, 1, 1, 2])
        #expect(books.sectioned(by: \.year).allKeys == [nil, 1, 3, 4])

        let keyed = books.value(forKey: "title")
        let isKeyedAsSet = books is MutableSet<ShelfBook>
        #expect(isKeyedAsSet ? keyed as? Set<String> == Set(titles) : keyed as? [String] == Array(titles))
        #expect(books.value(forKeyPath: "@max.year") as? Int == 4 && books.value(forKeyPath: "@count") as? Int == 5)
        #expect((books.value(forKeyPath: "author.name") as? [String])?.count == 5)

        // Closures create Swift's lazy views. Text and `where` create queries.
        let lazy = books.filter { $0.title.count == 4 }
        #expect(Array(lazy.map(\.title)) == ["Echo", "Beta"] && lazy.first?.year == nil)
        #expect(books.lazy.filter { $0.year == 4 }.map(\.title).contains("Beta") && books.contains { $0.year == 3 })
        #expect(books.where { $0.year == 4 }.filter { $0.title > "C" }.count == 1)
        #expect(books.sorted { $0.title < $1.title }.first?.title == "Alpha" && books.reversed().first?.year == 3)
        #expect(
            books.prefix(2).count == 2 && books.dropFirst(4).first?.title == "Charlie" && books.enumerated().count == 5)

        let frozen = books.freeze()
        try realm.write { books.setValue(7, forKey: "year") }
        #expect(books.allSatisfy { $0.year == 7 } && frozen.sum(of: \.year) == 12 && frozen.isFrozen)
        #expect(frozen.thaw()?.sum(of: \.year) == 35 && books.thaw() == books && frozen.realm?.isFrozen == true)
        #expect("\(books)".contains("title = Delta") && books == books)
        try realm.write { for (book, year) in zip(books, [4, 1, nil, 4, 3]) { book.year = year } }
    }

    @Test(.behaviour("B-331")) func everyKind() throws {
        try withBooks { realm, author in
            try check(realm.objects(ShelfBook.self), in: realm)
            try check(author.books, in: realm)
            try check(author.favourites, in: realm, isSet: true)
            try check(author.written, in: realm)
            try check(author.books.where { $0.title != "Zulu" }, in: realm)
            try check(AnyRealmCollection(realm.objects(ShelfBook.self)), in: realm)
            try check(AnyRealmCollection(author.books), in: realm)
            try check(AnyRealmCollection(author.favourites), in: realm, isSet: true)
            try check(AnyRealmCollection(author.written), in: realm)
        }
    }

    @Test(.behaviour("B-344", "B-326"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("index(of:) is not available on MutableSet") {
            inWrite(ShelfBook.types) {
                _ = AnyRealmCollection($0.create(ShelfAuthor.self).favourites).index(of: ShelfBook())
            }
        },
        Trap("index(matching:) is not available on MutableSet") {
            inWrite(ShelfBook.types) {
                _ = AnyRealmCollection($0.create(ShelfAuthor.self).favourites).index(matching: "year == 1")
            }
        },
        Trap("Index 2 is out of bounds (must be less than 0).") {
            inWrite(ShelfBook.types) { _ = $0.create(ShelfAuthor.self).written[2] }
        },
        Trap("Cannot pass a negative value for 'index'.") {
            inRealm(ShelfBook.types) { _ = AnyRealmCollection($0.objects(ShelfBook.self))[-1] }
        },
        Trap("Index 0 is out of bounds (must be less than 0).") {
            inRealm(ShelfBook.types) { _ = $0.objects(ShelfBook.self).limit(3)[0] }
        },
    ]
}
