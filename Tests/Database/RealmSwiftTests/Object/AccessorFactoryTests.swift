// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmSwift

private final class PlainNote: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
}

private final class CountedNote: TestObject {
    @Persisted(primaryKey: true) var id: Int

    static let made = Locked(0)

    required init() {
        super.init()
        Self.made.withLock { $0 += 1 }
    }

    /// An unowned reference to one of them.
    final class Holder { unowned var note: CountedNote? }
}

private final class StatefulNote: TestObject {
    @Persisted(primaryKey: true) var id: Int
    var isMarked = false
}

private final class TaggedNote: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var tags: List<String>
    @Persisted(originProperty: "notes") var shelves: LinkingObjects<NoteShelf>
}

private final class NoteShelf: TestObject {
    @Persisted var notes: List<TaggedNote>
}

/// Iterations reuse an instance if the program can't detect it.
struct AccessorFactoryTests {
    private func withNotes(_ body: (Realm) throws -> Void) throws {
        let types: [ObjectBase.Type] = [PlainNote.self, StatefulNote.self, TaggedNote.self, NoteShelf.self]
        try withRealm(types, tracksReads: false) { realm in
            try realm.write {
                let shelf = realm.create(NoteShelf.self)
                for id in 0..<600 {
                    realm.create(PlainNote.self, value: ["id": id, "text": "note \(id)"])
                    realm.create(StatefulNote.self, value: ["id": id])
                    shelf.notes.append(realm.create(TaggedNote.self, value: ["id": id, "tags": ["tag \(id)"]]))
                }
            }
            try body(realm)
        }
    }

    /// Dynamic objects have no state either; their collections are created at each read.
    @Test func dynamicObjectsToo() throws {
        try withNotes { realm in
            var instances: Set<ObjectIdentifier> = []
            var kept: [DynamicObject] = []
            for note in realm.dynamicObjects("TaggedNote") {
                instances.insert(ObjectIdentifier(note))
                let id = note["id"] as? Int ?? -1
                #expect((note["tags"] as? List<String>)?.first == "tag \(id)")
                if id % 50 == 0 { kept.append(note) }
            }
            #expect(instances.count < 300)
            #expect(kept.map { $0["id"] as? Int } == (0..<12).map { $0 * 50 })
        }
    }

    @Test func anUnreferencedObjectIsReusedForTheNextRow() throws {
        try withNotes { realm in
            var instances: Set<ObjectIdentifier> = []
            for note in realm.objects(PlainNote.self) {
                instances.insert(ObjectIdentifier(note))
                #expect(note.text == "note \(note.id)")
            }
            #expect(instances.count == 1)
        }
    }

    /// Unoptimised builds too, which count references more often. An unowned reference never leads to another row.
    @Test func oneObjectIsMadeForAll() throws {
        try withRealm([CountedNote.self], tracksReads: false) { realm in
            try realm.write { for id in 0..<600 { realm.create(CountedNote.self, value: ["id": id]) } }
            for notes in [realm.objects(CountedNote.self), realm.objects(CountedNote.self).where { $0.id >= 0 }] {
                let before = CountedNote.made.withLock { $0 }
                var sum = 0
                for note in notes { sum += note.id }
                #expect(sum == 600 * 599 / 2)
                #expect(CountedNote.made.withLock { $0 } - before == 1)
                let holder = CountedNote.Holder()
                for note in notes { holder.note = note }
                #expect(CountedNote.made.withLock { $0 } - before == 601)
            }
        }
    }

    @Test func keptObjectsStayAtTheirRows() throws {
        try withNotes { realm in
            for notes in [realm.objects(PlainNote.self), realm.objects(PlainNote.self).where { $0.id >= 0 }] {
                #expect(Array(notes).map(\.id) == Array(0..<600))
                var kept: [PlainNote] = []
                for note in notes where note.id % 3 == 1 { kept.append(note) }
                #expect(kept.map(\.text) == stride(from: 1, to: 600, by: 3).map { "note \($0)" })
            }
            let frozen = realm.freeze().objects(PlainNote.self)
            #expect(Array(frozen).map(\.text) == (0..<600).map { "note \($0)" })
            #expect(frozen.map(\.text) == (0..<600).map { "note \($0)" })
        }
    }

    @Test func aWeakReferenceIsNeverToAnotherRow() throws {
        try withNotes { realm in
            weak var previous: PlainNote?
            for note in realm.objects(PlainNote.self) {
                #expect(previous == nil)
                previous = note
            }
        }
    }

    @Test func stateOfAnObjectIsNotHandedOn() throws {
        try withNotes { realm in
            for note in realm.objects(StatefulNote.self) {
                #expect(!note.isMarked)
                note.isMarked = true
            }
        }
    }

    @Test func collectionsStayWithTheirObject() throws {
        try withNotes { realm in
            var kept: [List<String>] = []
            for note in realm.objects(TaggedNote.self) {
                if note.id % 2 == 0 { kept.append(note.tags) }
                #expect(note.tags.first == "tag \(note.id)")
                #expect(note.shelves.count == 1)
            }
            #expect(kept.map { $0.first ?? "" } == stride(from: 0, to: 600, by: 2).map { "tag \($0)" })
            guard let shelf = realm.objects(NoteShelf.self).first else { return }
            for (position, note) in shelf.notes.enumerated() { #expect(note.tags.first == "tag \(position)") }
        }
    }

    @Test func deletingDuringALoopDeletesTheRightObjects() throws {
        try withNotes { realm in
            try realm.write {
                for note in realm.objects(PlainNote.self) where note.id % 2 == 0 {
                    realm.delete(note)
                    #expect(note.isInvalidated)
                }
            }
            #expect(realm.objects(PlainNote.self).map(\.id) == Array(stride(from: 1, to: 600, by: 2)))
            try realm.write {
                for note in realm.objects(PlainNote.self) { note.text += "!" }
            }
            #expect(realm.objects(PlainNote.self).allSatisfy { $0.text == "note \($0.id)!" })
        }
    }

    @Test(arguments: [1, 7, 300]) func objectsAfterAWriteDuringALoopAreTheRightOnes(step: Int) throws {
        try withNotes { realm in
            try realm.write { realm.delete(realm.objects(PlainNote.self).filter { $0.id > 400 && $0.id % 5 == 0 }) }
            let ids = (0..<600).filter { $0 <= 400 || $0 % 5 != 0 }
            var seen: [Int] = []
            var kept: [PlainNote] = []
            for (position, note) in realm.objects(PlainNote.self).enumerated() {
                let id = ids[position]
                let isDeleted = position > 0 && position % 2 == 0 && (position - 1) % step == 0
                #expect(note.isInvalidated == isDeleted)
                if !isDeleted {
                    seen.append(note.id)
                    #expect(note.text == (position > 0 && (position - 1) % step == 0 ? "changed \(id)" : "note \(id)"))
                }
                guard position % step == 0, position + 1 < ids.count else { continue }
                if position % 3 == 0 { kept.append(note) }
                try realm.write {
                    guard let next = realm.object(ofType: PlainNote.self, forPrimaryKey: ids[position + 1]) else {
                        return
                    }
                    if (position + 1) % 2 == 0 { realm.delete(next) } else { next.text = "changed \(next.id)" }
                    #expect(note.isInvalidated || note.text.hasSuffix(" \(note.id)"))
                }
            }
            #expect(seen == ids.indices.filter { $0 == 0 || $0 % 2 != 0 || ($0 - 1) % step != 0 }.map { ids[$0] })
            #expect(kept.allSatisfy { $0.isInvalidated || $0.text.hasSuffix(" \($0.id)") })
        }
    }

    /// A change may relocate columns that were read before without moving a row.
    @Test func readsFollowColumnsThatGrow() throws {
        try withNotes { realm in
            guard let note = realm.object(ofType: PlainNote.self, forPrimaryKey: 300) else { return }
            var random = SeededGenerator(seed: 7)
            try realm.write {
                for _ in 0..<500 {
                    let text = String(repeating: "x", count: Int.random(in: 0..<100, using: &random))
                    note.text = text
                    #expect(note.text == text)
                    let other = Int.random(in: 0..<600, using: &random)
                    realm.object(ofType: PlainNote.self, forPrimaryKey: other)?.text += "y"
                    #expect(note.text == (other == 300 ? text + "y" : text))
                }
            }
        }
    }
}
