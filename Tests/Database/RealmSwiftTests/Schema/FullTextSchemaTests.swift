// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

// Several versions of one class, all stored in the table of "Note".

class NoteBase: TestObject {
    override class func _realmObjectName() -> String? { "Note" }
}

final class NotePlain: NoteBase {
    @Persisted var id: Int
    @Persisted var text: String
    @Persisted var title: String?
}

final class NoteSearched: NoteBase {
    @Persisted var id: Int
    @Persisted(fullText: true) var text = "empty"
    @Persisted(fullText: true) var title: String?
}

final class NoteIndexed: NoteBase {
    @Persisted var id: Int
    @Persisted(indexed: true) var text: String
    @Persisted(indexed: true) var title: String?
}

final class NoteKeyed: NoteBase {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var text: String
    @Persisted var title: String?
}

/// An invalid conformance: a full-text index doesn't support `Int8`.
extension Int8: _FullTextIndexable {}

final class NoteOfNumbers: NoteBase {
    @Persisted(fullText: true) var number: Int8
}

/// Full-text indexes that classes declare.
@Suite struct FullTextSchemaTests: TrapSuite {
    private let file: TemporaryFolderURL

    init() throws { file = try TemporaryFolderURL() }

    private func index(_ column: String, in realm: Realm) throws -> IndexKind? {
        let table = try #require(try realm.instance.source?.table(named: "class_Note"))
        return table.indexKind(try #require(table.column(named: column)))
    }

    private func fill<Note: NoteBase>(_ type: Note.Type, in realm: Realm) throws {
        let texts = ["Swift on the server", "Swift and Objective-C", "the data base", "Déjà vu", "the data base II"]
        try realm.write {
            for (id, text) in texts.enumerated() {
                realm.create(type, value: ["id": id, "text": text, "title": id < 3 ? text : nil] as [String: Any?])
            }
        }
    }

    private func verifySearch(in realm: Realm) throws {
        let notes = realm.objects(NoteSearched.self)
        #expect(notes.filter("text TEXT %@", "swift -objective").map(\.id) == [0])
        #expect(notes.filter("text TEXT %@", "DAT* the").map(\.id) == [2, 4])
        #expect(notes.filter("text TEXT %@", "deja").map(\.id) == [3])
        #expect(notes.filter("title TEXT %@", "the").map(\.id) == [0, 2])
        #expect(notes.filter("title == nil").map(\.id) == [3, 4])
        try #expect(index("text", in: realm) == .fullText)
        try #expect(index("title", in: realm) == .fullText)
    }

    @Test func aClassDeclaresThem() throws {
        let schema = NoteSearched().objectSchema
        #expect(schema["text"]?.isFullTextIndexed == true)
        #expect(schema["text"]?.isIndexed == false)
        #expect(schema["id"]?.isFullTextIndexed == false)
        #expect(schema["text"]?.description.contains("fullText = YES;") == true)
        #expect(schema["text"] != NotePlain().objectSchema["text"])
        #expect(NoteSearched().text == "empty")
        try file.open([NoteSearched.self]) { realm in
            try fill(NoteSearched.self, in: realm)
            try verifySearch(in: realm)
        }
        try file.open([NoteSearched.self]) { try verifySearch(in: $0) }
    }

    @Test func theIndexFollowsChanges() throws {
        try file.open([NoteSearched.self]) { realm in
            try fill(NoteSearched.self, in: realm)
            let notes = realm.objects(NoteSearched.self)
            let found = notes.filter("text TEXT %@", "swift")
            try realm.write {
                notes[0].text = "Rust on the server"
                notes[2].text = "SWIFT"
                realm.delete(notes[1])
            }
            #expect(found.map(\.id) == [2])
            #expect(notes.filter("text TEXT %@", "rust").map(\.id) == [0])
        }
    }

    @Test func aColumnWithoutIndexGetsOne() throws {
        try file.open([NotePlain.self]) { try fill(NotePlain.self, in: $0) }
        try file.open([NoteSearched.self]) { try verifySearch(in: $0) }
    }

    @Test(arguments: [false, true]) func anIndexOfValuesMakesRoom(additive: Bool) throws {
        try file.open([NoteIndexed.self]) { realm in
            try fill(NoteIndexed.self, in: realm)
            try #expect(index("text", in: realm) == .general)
        }
        try file.open([NoteSearched.self], additive: additive) { try verifySearch(in: $0) }
    }

    @Test func theKindOfTheClassHolds() throws {
        try file.open([NoteSearched.self]) { try fill(NoteSearched.self, in: $0) }
        try file.open([NoteIndexed.self]) { realm in
            try #expect(index("text", in: realm) == .general)
            #expect(realm.objects(NoteIndexed.self).filter("text == %@", "Déjà vu").map(\.id) == [3])
            #expect(realm.objects(NoteIndexed.self).filter("title == %@", "the data base").map(\.id) == [2])
        }
    }

    @Test func aClassWithoutItTakesItAway() throws {
        try file.open([NoteSearched.self]) { try fill(NoteSearched.self, in: $0) }
        try file.open([NotePlain.self]) { realm in
            try #expect(index("text", in: realm) == nil)
            #expect(realm.objects(NotePlain.self).filter("text == %@", "Déjà vu").map(\.id) == [3])
            #expect(realm.objects(NotePlain.self).count == 5)
        }
    }

    @Test func programsThatShareAFileTakeNothingAway() throws {
        try file.open([NoteSearched.self]) { try fill(NoteSearched.self, in: $0) }
        try file.open([NotePlain.self], additive: true) { try #expect(index("text", in: $0) == .fullText) }
        try file.open([NoteIndexed.self], additive: true) { realm in
            try #expect(index("text", in: realm) == .fullText)
            #expect(realm.objects(NoteIndexed.self).filter("text == %@", "Déjà vu").map(\.id) == [3])
        }
        try file.open([NoteSearched.self], additive: true) { try verifySearch(in: $0) }
    }

    private func migrate(to type: ObjectBase.Type, version: UInt64, _ body: (Realm) throws -> Void) throws {
        try body(
            try Realm(
                configuration: Realm.Configuration(
                    fileURL: file.url, schemaVersion: version, objectTypes: [type])))
    }

    @Test func thePrimaryKeyBecomesOne() throws {
        try file.open([NoteKeyed.self]) { try fill(NoteKeyed.self, in: $0) }
        try migrate(to: NoteSearched.self, version: 1) { try verifySearch(in: $0) }
        #expect(FileChecker.check(bytes: [UInt8](try Data(contentsOf: file.url))).isClean)
    }

    @Test func itBecomesThePrimaryKey() throws {
        try file.open([NoteSearched.self]) { try fill(NoteSearched.self, in: $0) }
        try migrate(to: NoteKeyed.self, version: 1) { realm in
            try #expect(index("text", in: realm) == .general)
            #expect(realm.object(ofType: NoteKeyed.self, forPrimaryKey: "Déjà vu")?.id == 3)
        }
        #expect(FileChecker.check(bytes: [UInt8](try Data(contentsOf: file.url))).isClean)
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Property 'number' cannot have a full-text index because it is not a 'string' property.") {
            _ = NoteOfNumbers().objectSchema
        },
        Trap("full") {
            inRealm([NotePlain.self]) { _ = $0.objects(NotePlain.self).filter("text TEXT %@", "swift").count }
        },
    ]

    @Test func dynamicClasses() throws {
        try file.open([NoteSearched.self]) { realm in
            try fill(NoteSearched.self, in: realm)
            #expect(realm.dynamicObjects("Note").filter("text TEXT %@", "swift").count == 2)
        }
    }
}
