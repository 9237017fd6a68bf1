// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Changes as streams.
@Suite struct ChangeStreamTests {
    @Test @MainActor func aStreamOfACollection() async throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let realm = try await Realm(configuration: notes.configuration)
        let log = ObservedLog()
        var count = 0
        for await change in realm.objects(ObservedNode.self).changes() {
            log.add(change)
            count += 1
            if count == 3 { break }
            // Changes that are due when a write begins are delivered before it (row S2). Changes between requests are
            // combined into one.
            for _ in 0..<3 {
                try realm.write {
                    _ = realm.create(ObservedNode.self, value: ["id": realm.objects(ObservedNode.self).count])
                }
            }
        }
        #expect(log.take() == ["initial 2", "5 -[] +[2] ~[]", "8 -[] +[3, 4] ~[]"])
        #expect(realm.instance.delivery.observers.activeObservers().isEmpty)
    }

    @Test @MainActor func aStreamOfAnObjectEndsWithIt() async throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let realm = try await Realm(configuration: notes.configuration)
        let node = try CollectionNotificationTests.node(0, realm)
        let log = ObservedLog()
        let changes = node.changes(keyPaths: ["name"])
        try realm.write { node.age = 9 }
        try realm.write { node.name = "new" }
        for await change in changes {
            log.add(change)
            if case .change = change { try realm.write { realm.delete(node) } }
        }
        #expect(log.take() == ["name ->new", "deleted"])
    }

    @Test @MainActor func aCancelledTaskEndsItsStream() async throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let realm = try await Realm(configuration: notes.configuration)
        let log = ObservedLog()
        let task = Task { @MainActor in
            for await change in realm.objects(ObservedNode.self).changes() { log.add(change) }
            log.add("end")
        }
        var received: [String] = []
        #expect(
            await eventually {
                received += log.take()
                return received == ["initial 2"]
            })
        task.cancel()
        await task.value
        #expect(log.take() == ["end"])
        #expect(realm.instance.delivery.observers.activeObservers().isEmpty)
    }
}
