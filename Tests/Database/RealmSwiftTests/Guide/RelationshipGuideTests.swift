// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// The code of a guide to relationships.

class GuideLibrary: Object {
    @Persisted(primaryKey: true) var name: String
    /// To-one, which is always optional.
    @Persisted var director: GuideReader?
    /// To-many.
    @Persisted var books: List<GuideBook>
    @Persisted var rooms: List<GuideRoom>
    @Persisted var shelves: Map<String, GuideBook?>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideBook: Object {
    @Persisted var title: String
    /// Inverse: maintained by the database and never assigned.
    @Persisted(originProperty: "books") var libraries: LinkingObjects<GuideLibrary>
    @Persisted(originProperty: "borrowed") var readers: LinkingObjects<GuideReader>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideReader: Object {
    @Persisted var name: String
    @Persisted var borrowed: MutableSet<GuideBook>
    @Persisted var friend: GuideReader?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideRoom: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var door: GuideDoor?
    @Persisted(originProperty: "rooms") var library: LinkingObjects<GuideLibrary>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class GuideDoor: EmbeddedObject {
    @Persisted var isLocked = true

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct RelationshipGuideTests {
    private let types: [ObjectBase.Type] = [
        GuideLibrary.self, GuideBook.self, GuideReader.self, GuideRoom.self, GuideDoor.self,
    ]

    @Test func toOne() throws {
        try withRealm(types) { realm in
            let library = GuideLibrary(value: ["name": "North", "director": ["name": "Ada"]])
            try realm.write { realm.add(library) }
            #expect(library.director?.name == "Ada")
            #expect(realm.objects(GuideLibrary.self).where { $0.director.name == "Ada" }.count == 1)
            try realm.write { library.director = nil }
            #expect(library.director == nil && realm.objects(GuideReader.self).count == 1)
        }
    }

    @Test func toMany() throws {
        try withRealm(types) { realm in
            let library = GuideLibrary(value: ["name": "North"])
            library.books.append(objectsIn: ["Logic", "Numbers"].map { GuideBook(value: ["title": $0]) })
            try realm.write { realm.add(library) }
            #expect(library.books.map(\.title) == ["Logic", "Numbers"])
            try realm.write {
                library.shelves["top"] = library.books[0]
                realm.delete(library.books[0])
            }
            #expect(library.books.map(\.title) == ["Numbers"] && library.shelves["top"] == .some(nil))
        }
    }

    @Test func inverse() throws {
        try withRealm(types) { realm in
            let book = GuideBook(value: ["title": "Logic"])
            let (north, south) = (GuideLibrary(value: ["name": "North"]), GuideLibrary(value: ["name": "South"]))
            let reader = GuideReader(value: ["name": "Kurt"])
            try realm.write {
                realm.add([north, south])
                realm.add(reader)
                north.books.append(book)
                south.books.append(book)
                reader.borrowed.insert(book)
            }
            #expect(book.libraries.map(\.name).sorted() == ["North", "South"])
            #expect(book.readers.first?.name == "Kurt")
            try realm.write { south.books.removeAll() }
            #expect(book.libraries.map(\.name) == ["North"])
        }
    }

    @Test func embedded() throws {
        try withRealm(types) { realm in
            let library = GuideLibrary(value: [
                "name": "North", "rooms": [["number": 1, "door": [false]], ["number": 2]],
            ])
            try realm.write { realm.add(library) }
            let room = library.rooms[0]
            #expect(room.door?.isLocked == false && room.library.first?.name == "North")
            try realm.write { library.rooms.remove(at: 0) }
            #expect(room.isInvalidated && library.rooms.count == 1)
            try realm.write { realm.delete(library) }
            #expect(realm.isEmpty)
        }
    }

    @Test func circles() throws {
        try withRealm(types) { realm in
            let (a, b) = (GuideReader(value: ["name": "A"]), GuideReader(value: ["name": "B"]))
            a.friend = b
            b.friend = a
            try realm.write { realm.add(a) }
            #expect(realm.objects(GuideReader.self).count == 2 && a.friend?.friend?.name == "A")
        }
    }
}
