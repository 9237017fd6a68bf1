// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Observation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article ReactingToChanges.
@MainActor @Suite struct ReactingToChangesArticle {
    class Task: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var title: String
        @Persisted var isDone: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let folder: TemporaryFolder
    private let realm: Realm

    init() throws {
        folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("tasks.realm")
        realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Task.self]))
        try realm.write {
            for id in 0..<3 { realm.create(Task.self, value: ["id": id, "title": "Task \(id)"]) }
        }
    }

    private final class Log {
        var lines: [String] = []
    }
    private let log = Log()

    /// Represents the display of an app.
    private func show(_ text: String) { log.lines.append(text) }

    @Test func blocks() throws {
        let (realm, log) = (realm, log)
        // begin ReactingToChanges
        let open = realm.objects(Task.self).where { !$0.isDone }.sorted(by: \.id)
        let token = open.observe { change in
            switch change {
            case .initial(let tasks):
                show("\(tasks.count) tasks")
            case .update(let tasks, let deletions, let insertions, let modifications):
                show("\(tasks.count): -\(deletions) +\(insertions) ~\(modifications)")
            case .error(let error):
                show("\(error)")
            }
        }
        // end
        realm.refresh()
        try realm.write { open[1].isDone = true }
        realm.refresh()

        // begin ReactingToChanges
        let task = realm.objects(Task.self)[0]
        let other = task.observe { change in
            if case .change(_, let properties) = change {
                for property in properties {
                    show("\(property.name): \(property.newValue ?? "nil")")
                }
            }
        }
        let titles = open.observe(keyPaths: [\Task.title]) { _ in
            show("a title has changed, or a task has come or gone")
        }
        // end
        realm.refresh()
        log.lines.removeAll { $0.hasPrefix("a title") }
        try realm.write { task.title = "First" }
        realm.refresh()
        #expect(log.lines.contains("title: First") && log.lines.contains { $0.hasPrefix("a title") })

        // begin ReactingToChanges
        try realm.write(withoutNotifying: [token]) {
            task.title = "Changed by the view that shows it"
        }
        // end

        // begin ReactingToChanges
        for token in [token, other, titles] { token.invalidate() }
        // end
        let count = log.lines.count
        try realm.write { realm.delete(task) }
        realm.refresh()
        #expect(log.lines.count == count)
    }

    @Test func streams() async throws {
        let realm = realm
        // begin ReactingToChanges
        for await change in realm.objects(Task.self).changes() {
            switch change {
            case .initial(let tasks): show("\(tasks.count)")
            case .update(_, _, let insertions, _): show("new at \(insertions)")
            case .error(let error): show("\(error)")
            }
            if log.lines.count == 2 { break }  // not shown
            try realm.write { _ = realm.create(Task.self, value: ["id": 3, "title": "New"]) }  // not shown
        }
        // end
        #expect(log.lines == ["3", "new at [3]"])
    }

    #if canImport(Observation)
        @Test func observation() throws {
            let realm = realm
            let log = Follower()
            let task = realm.objects(Task.self)[0]
            // begin ReactingToChanges
            withObservationTracking {
                log.show(task.title)
            } onChange: {
                log.isOutdated = true
            }
            // end
            try realm.write { task.isDone = true }
            #expect(!log.isOutdated)
            try realm.write { task.title = "Other" }
            #expect(log.isOutdated && log.shown == "Task 0")
        }

        /// Used on the main thread only.
        private final class Follower: @unchecked Sendable {
            var shown = ""
            var isOutdated = false
            func show(_ text: String) { shown = text }
        }
    #endif
}
