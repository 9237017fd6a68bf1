// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Examples of kept versions, changes between them, and undo.
@Suite struct HistoryGuideTests {
    final class Note: TestObject {
        @Persisted(primaryKey: true) var title: String
        @Persisted var text: String
        @Persisted var tags: List<String>
    }

    @Test func keepingAVersion() throws {
        try withRealm([Note.self]) { realm in
            try realm.write { realm.create(Note.self, value: ["title": "Milk", "text": "buy two"]) }
            let before = realm.freeze(label: "before import")
            try realm.write {
                realm.objects(Note.self)[0].text = "buy three"
                realm.create(Note.self, value: ["title": "Bread"])
            }
            #expect(before.objects(Note.self).map(\.text) == ["buy two"])
            #expect(try realm.pins().contains { $0.label.contains("before import") })

            let changes = try realm.changes(since: before)
            #expect("\(changes)" == "Note: 1 inserted, 1 modified")
            let milk = try #require(changes[Note.self]?.modified.first)
            #expect("\(milk.object)" == "Note \"Milk\"" && milk.properties == ["text"])
            #expect(try milk.oldValue(of: "text") == .string("buy two"))
            for line in try changes.jsonLines().split(separator: "\n") { #expect(line.contains("Note")) }
        }
    }

    @Test func undoAndRedo() throws {
        try withRealm([Note.self]) { realm in
            let before = realm.freeze(label: "before the edit")
            try realm.write { realm.create(Note.self, value: ["title": "Milk", "tags": ["shop"]]) }
            let edit = try realm.changes(since: before)

            let redo = try realm.undo(edit)
            #expect(realm.objects(Note.self).isEmpty)
            try realm.undo(redo)
            #expect(realm.objects(Note.self)[0].tags.first == "shop")

            try realm.write { realm.objects(Note.self)[0].text = "changed since" }
            do {
                try realm.undo(edit)
                Issue.record("not refused")
            } catch let conflict as Realm.UndoConflict {
                #expect("\(conflict.conflicts[0])" == "Note \"Milk\".text was changed")
            }
        }
    }

    @Test func followingAllChanges() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/notes.realm")
        let configuration = Realm.Configuration(fileURL: url, objectTypes: [Note.self])
        let feed = try await Realm.changeFeed(configuration: configuration)
        try Self.add("Milk", configuration)
        for try await changes in feed {
            #expect(changes[Note.self]?.inserted.map { "\($0.object)" } == ["Note \"Milk\""])
            break
        }
    }

    private static func add(_ title: String, _ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(Note.self, value: ["title": title]) }
    }
}
