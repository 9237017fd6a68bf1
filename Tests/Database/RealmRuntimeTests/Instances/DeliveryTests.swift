// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime
import RealmStorage
import RealmTestSupport
import Testing

/// The notifications of instances without models.
@Suite struct DeliveryTests {
    private let database: RuntimeDatabase
    private let table: TableKey
    private let queue = DispatchQueue(label: "delivery")

    init() throws {
        database = try RuntimeDatabase()
        let transaction = try database.host.database.beginWrite()
        table = try transaction.schema.addTable("class_A")
        try transaction.commit()
    }

    private func makeInstance() throws -> RealmInstance {
        try queue.sync { try RealmInstance(database, on: queue) }
    }

    /// Runs the work that commits have scheduled on the queue.
    private func drain() { for _ in 0..<3 { queue.sync {} } }

    @Test func anotherInstancesCommitIsDelivered() throws {
        let (instance, other) = (try makeInstance(), try makeInstance())
        var changes: [PositionChange?] = []
        var areForeign: [Bool] = []
        let observer = try queue.sync {
            try instance.observe(table) { delivery in
                if case .positions(let change)? = delivery.change {
                    changes.append(change)
                } else {
                    changes.append(nil)
                }
                areForeign.append(delivery.hasForeignChanges)
            }
        }
        drain()
        #expect(changes == [nil])
        try queue.sync { try other.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(changes == [nil, PositionChange(insertions: [0])] && areForeign == [false, true])
        try queue.sync { try instance.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(changes.last == PositionChange(insertions: [1]) && areForeign == [false, true, false])
        observer.stop()
        try queue.sync { try other.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(changes.count == 3)
    }

    /// Without automatic refresh, the instance stays at its version, and is notified of the newer one once.
    @Test func versionObserversAreNotifiedOfMovesAndOfNewerVersions() throws {
        let (instance, other) = (try makeInstance(), try makeInstance())
        var events: [VersionEvent] = []
        let observer = queue.sync {
            let observer = VersionObserver(instance) { events.append($0) }
            instance.delivery.observers.add(observer)
            return observer
        }
        try queue.sync { try other.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(events == [.moved])
        queue.sync { instance.delivery.setAutorefresh(false) }
        try queue.sync { try other.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(events == [.moved, .newerExists])
        let hasMoved = queue.sync { instance.refresh() }
        #expect(hasMoved && events == [.moved, .newerExists, .moved])
        withExtendedLifetime(observer) {}
    }

    @Test func anExcludedObserverIsNotNotifiedOfTheCommit() throws {
        let instance = try makeInstance()
        var count = 0
        let observer = try queue.sync { try instance.observe(table) { _ in count += 1 } }
        drain()
        try queue.sync {
            try instance.writes.enter()
            _ = try #require(instance.reader.transaction).createObject(in: table)
            try instance.commit(withoutNotifying: [observer])
        }
        drain()
        #expect(count == 1)
        try queue.sync { try instance.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(count == 2)
    }

    /// Observers of values end with an invalidation; observers of versions are called only if they follow it.
    @Test func invalidation() throws {
        let instance = try makeInstance()
        var (count, moves, others) = (0, 0, 0)
        let kept = try queue.sync { () -> [any Observation] in
            let follower = VersionObserver(instance, followsInvalidation: true) { _ in moves += 1 }
            let other = VersionObserver(instance) { _ in others += 1 }
            instance.delivery.observers.add(follower)
            instance.delivery.observers.add(other)
            return [try instance.observe(table) { _ in count += 1 }, follower, other]
        }
        drain()
        queue.sync { instance.invalidate() }
        #expect(moves == 1 && others == 0)
        try queue.sync { try instance.write { _ = try $0.createObject(in: table) } }
        drain()
        #expect(count == 1 && queue.sync { instance.delivery.observers.activeObservers().isEmpty })
        withExtendedLifetime(kept) {}
    }
}
