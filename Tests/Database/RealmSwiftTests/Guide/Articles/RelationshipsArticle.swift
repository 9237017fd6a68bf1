// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article Relationships.
@Suite struct RelationshipsArticle {
    // begin Relationships
    class Library: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var director: Reader?
        @Persisted var books: List<Book>
        @Persisted var shelves: Map<String, Book?>
        @Persisted var rooms: List<Room>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Book: Object {
        @Persisted var title: String
        @Persisted(originProperty: "books") var libraries: LinkingObjects<Library>
        @Persisted(originProperty: "borrowed") var readers: LinkingObjects<Reader>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Reader: Object {
        @Persisted var name: String
        @Persisted var borrowed: MutableSet<Book>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    class Room: EmbeddedObject {
        @Persisted var number: Int
        @Persisted var seats: Int

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func links() throws {
        try withRealm([Library.self, Book.self, Reader.self, Room.self]) { realm in
            // begin Relationships
            let north = Library(value: ["name": "North"])
            let logic = Book(value: ["title": "Logic"])
            let kurt = Reader(value: ["name": "Kurt"])
            try realm.write {
                realm.add(north)
                north.books.append(logic)
                north.director = kurt
                kurt.borrowed.insert(logic)
                north.shelves["top left"] = logic
            }
            // end

            // begin Relationships
            print(logic.libraries.map(\.name))  // ["North"]
            print(logic.readers.first?.name ?? "")  // Kurt
            // end
            #expect(logic.libraries.map(\.name) == ["North"] && logic.readers.first?.name == "Kurt")

            // begin Relationships
            let withLogic = realm.objects(Library.self).where { $0.books.title == "Logic" }
            let ledByKurt = realm.objects(Library.self).where { $0.director.name == "Kurt" }
            let borrowed = realm.objects(Book.self).filter("readers.@count > 0")
            // end
            #expect(withLogic.count == 1 && ledByKurt.count == 1 && borrowed.count == 1)

            // begin Relationships
            try realm.write {
                realm.delete(logic)
            }
            print(north.books.count)  // 0
            print(kurt.borrowed.count)  // 0
            print(north.shelves.keys)  // ["top left"]: the key stays, its value is nil
            // end
            #expect(north.books.isEmpty && kurt.borrowed.isEmpty && north.shelves["top left"] == .some(nil))

            // begin Relationships
            try realm.write {
                north.rooms.append(Room(value: ["number": 1, "seats": 12]))
                north.rooms.append(Room(value: ["number": 2, "seats": 30]))
            }
            let first = north.rooms[0]
            try realm.write {
                north.rooms.remove(at: 0)
            }
            print(first.isInvalidated)  // true: an embedded object does not outlive its place
            // end
            #expect(first.isInvalidated && north.rooms.count == 1)
        }
    }
}
