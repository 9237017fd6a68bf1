// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article HistoryAndUndo.
@Suite struct HistoryAndUndoArticle {
    // begin HistoryAndUndo
    class Note: Object {
        @Persisted(primaryKey: true) var title: String
        @Persisted var text: String

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func changes() throws {
        try withRealm([Note.self]) { realm in
            try realm.write { realm.create(Note.self, value: ["title": "Milk", "text": "buy two"]) }
            // begin HistoryAndUndo
            let before = try realm.snapshot(label: "before the import")
            try realm.write {
                realm.objects(Note.self)[0].text = "buy three"
                realm.create(Note.self, value: ["title": "Bread"])
            }
            let changes = try realm.diff(since: before)
            print(changes)  // Note: 1 inserted, 1 modified
            // end
            #expect("\(changes)" == "Note: 1 inserted, 1 modified")

            // begin HistoryAndUndo
            for change in changes[Note.self]?.modified ?? [] {
                for property in change.properties {
                    print(change.object, property, try change.oldValue(of: property) ?? .null)
                }
            }
            // end
            let milk = try #require(changes[Note.self]?.modified.first)
            #expect(try milk.oldValue(of: "text") == .string("buy two"))

            // begin HistoryAndUndo
            let redo = try realm.revert(changes)
            print(realm.objects(Note.self).map(\.text))  // ["buy two"]
            try realm.revert(redo)
            print(realm.objects(Note.self).map(\.text))  // ["buy three", ""]
            // end
            #expect(realm.objects(Note.self).map(\.text) == ["buy three", ""])

            // begin HistoryAndUndo
            try realm.write { realm.objects(Note.self)[0].text = "buy four" }
            do {
                try realm.revert(changes)
            } catch let conflict as Realm.UndoConflict {
                print(conflict.conflicts[0])  // Note "Milk".text was changed
            }
            // end
            #expect(realm.objects(Note.self)[0].text == "buy four")
        }
    }

    @Test func feed() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("notes.realm")
        let configuration = Realm.Configuration(fileURL: url, objectTypes: [Note.self])
        var seen: [String] = []
        // begin HistoryAndUndo
        var saved: Data?  // from the previous run
        let token = try saved.map { try JSONDecoder().decode(Realm.ChangeFeed.ResumeToken.self, from: $0) }
        let feed = try await Realm.ChangeFeed(configuration: configuration, since: token)
        try add("Milk", configuration)  // not shown
        for try await changes in feed {
            print(try changes.jsonLines())
            saved = try JSONEncoder().encode(changes.resumeToken)
            seen.append("\(changes)")  // not shown
            break  // not shown
        }
        // end
        #expect(seen == ["Note: 1 inserted"] && saved != nil)
    }

    private func add(_ title: String, _ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(Note.self, value: ["title": title]) }
    }
}
