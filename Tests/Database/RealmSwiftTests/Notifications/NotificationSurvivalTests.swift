// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Observers that end, write, and delete during a notification.
@Suite struct NotificationSurvivalTests {
    private func node(_ id: Int, _ realm: Realm) throws -> ObservedNode {
        try CollectionNotificationTests.node(id, realm)
    }

    @Test func aTokenDroppedInItsOwnCallback() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        let held = Locked<[NotificationToken]>([])
        try notes.on { realm in
            let tokens = [
                realm.objects(ObservedNode.self).observe { change in
                    log.add(change)
                    if case .update = change { held.withLock { $0 = [] } }
                },
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { change in
                    log.add(change)
                    if case .update = change { held.withLock { $0 = [] } }
                },
            ]
            held.withLock { $0 = tokens }
        }
        notes.settle()
        #expect(log.take().count == 2)
        try notes.write { try self.node(1, $0).age = 9 }
        #expect(log.take().count == 1)
        try notes.write { try self.node(1, $0).age = 8 }
        #expect(log.take() == [])
    }

    /// A detail view that holds its object and its token, and is released when the object is deleted. Used only on the
    /// queue.
    private final class Detail: @unchecked Sendable {
        var object: ObservedNode?
        var token: NotificationToken?
        let log: ObservedLog

        init(_ object: ObservedNode, _ log: ObservedLog) {
            self.object = object
            self.log = log
            token = object.observe { [weak self] (change: ObjectChange<ObservedNode>) in
                guard let self else { return }
                if case .deleted = change {
                    log.add("deleted \(self.object?.name ?? "?") \(self.object?.isInvalidated == true)")
                    self.object = nil
                    self.token = nil
                }
            }
        }

        deinit { log.add("gone") }
    }

    @Test func aDetailOfADeletedRow() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        let detail = Locked<Detail?>(nil)
        try notes.on { realm in
            let made = Detail(try self.node(1, realm), log)
            detail.withLock { $0 = made }
        }
        try notes.writeElsewhere { try $0.delete(CollectionNotificationTests.node(1, $0)) }
        #expect(log.take() == ["deleted  true"])
        try notes.on { _ in detail.withLock { $0 = nil } }
        #expect(log.take() == ["gone"])
    }

    @Test func anObjectFreedInACallback() throws {
        let notes = try ObservedRealm(nodes: 0..<30)
        let log = ObservedLog()
        let held = Locked<[ObservedNode]>([])
        let tokens = try notes.on { realm in
            held.withLock { $0 = Array(realm.objects(ObservedNode.self)) }
            let tokens = held.withLock { nodes in
                nodes.map { node in
                    node.observe { (change: ObjectChange<ObservedNode>) in
                        held.withLock { $0 = [] }
                        log.add("changed")
                    }
                }
            }
            return tokens
        }
        try notes.write { realm in for node in realm.objects(ObservedNode.self) { node.age += 1 } }
        #expect(log.take().count == 30)
        try notes.write { $0.deleteAll() }
        #expect(log.take().count == 30)
        withExtendedLifetime(tokens) {}
    }

    @Test func writingInEveryCallback() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        try notes.observe { realm in
            try (0..<3).map { id in
                let node = try self.node(id, realm)
                return realm.objects(ObservedNode.self).sorted(byKeyPath: "id").observe { change in
                    log.add(change)
                    guard case .update = change, node.age < 100 else { return }
                    try? realm.write { node.age += 100 }
                }
            }
        }
        #expect(log.take() == ["initial 3", "initial 3", "initial 3"])
        try notes.write { try self.node(0, $0).name = "x" }
        let received = log.take()
        #expect(received.count >= 6 && received.allSatisfy { $0.hasPrefix("3 -[] +[] ~[") })
        #expect(try notes.on { realm in realm.objects(ObservedNode.self).map(\.age).reduce(0, +) } == 303)
    }

    @Test func deletingAllInACallback() throws {
        let notes = try ObservedRealm(nodes: 0..<5)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try self.node(0, realm)
            try realm.write { node.children.append(objectsIn: realm.objects(ObservedNode.self)) }
            return [
                realm.objects(ObservedNode.self).observe { change in
                    if case .update(let all, _, _, _) = change, !all.isEmpty { try? realm.write { realm.deleteAll() } }
                    log.add(change)
                },
                node.children.observe { log.add($0) },
                node.children.sorted(byKeyPath: "age").observe { log.add($0) },
                node.observe { (change: ObjectChange<ObservedNode>) in log.add(change) },
                node.parents.observe { log.add($0) },
            ]
        }
        _ = log.take()
        try notes.write { try self.node(0, $0).name = "x" }
        let received = log.take()
        #expect(received.contains("deleted"))
        #expect(received.contains("0 -[0, 1, 2, 3, 4] +[] ~[]"))
        notes.settle()
        #expect(log.take() == [])
    }

    @Test func invalidatingTheRealmEndsObservations() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { $0.objects(ObservedNode.self).observe { log.add($0) } }
        #expect(log.take() == ["initial 2"])
        try notes.on { $0.invalidate() }
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 9]) }
        #expect(log.take() == [])
    }

    @Test func aTokenKeepsItsRealm() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let queue = DispatchQueue(label: "test.kept")
        let log = ObservedLog()
        var token: NotificationToken?
        try queue.sync {
            let realm = try Realm(configuration: notes.configuration, queue: queue)
            token = realm.objects(ObservedNode.self).observe { log.add($0) }
        }
        notes.settle(queue)
        #expect(log.take() == ["initial 2"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 9]) }
        notes.settle(queue)
        #expect(log.take() == ["3 -[] +[2] ~[]"])
        token = nil
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 10]) }
        notes.settle(queue)
        #expect(log.take() == [])
        #expect(token == nil)
    }

    /// An object handed over from another thread may be newer than the version in the notification.
    @Test func resolvingInACallback() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).observe { change in
                log.add(change)
                guard case .update(_, _, [1], _) = change else { return }
                let reference = try? onThread { [configuration = notes.configuration] in
                    let realm = try Realm(configuration: configuration)
                    let node = try realm.write { realm.create(ObservedNode.self, value: ["id": 20, "name": "new"]) }
                    return ThreadSafeReference(to: node)
                }
                log.add(reference.flatMap(realm.resolve)?.name ?? "nil")
            }
        }
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 10]) }
        #expect(log.take() == ["initial 1", "2 -[] +[1] ~[]", "new", "3 -[] +[2] ~[]"])
    }

    /// Versions and other resources are released as soon as possible.
    @Test func nothingIsLeftOfManyNotifications() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let count = Locked(0)
        var tokens = try notes.on { realm in
            let node = try self.node(0, realm)
            return [
                realm.objects(ObservedNode.self).observe { _ in count.withLock { $0 += 1 } },
                realm.objects(ObservedNode.self).where { $0.age > 1 }.observe { _ in count.withLock { $0 += 1 } },
                node.children.observe { _ in count.withLock { $0 += 1 } },
                node.observe { (_: ObjectChange<ObservedNode>) in count.withLock { $0 += 1 } },
                realm.observe { _, _ in count.withLock { $0 += 1 } },
            ]
        }
        notes.settle()
        for round in 0..<200 {
            try notes.write { realm in
                let node = try self.node(0, realm)
                node.age = round
                if round % 2 == 0 { node.children.append(node) } else { node.children.removeAll() }
            }
            let pins = try notes.on { try $0.pins().filter { $0.label.contains(ObservedVersion.label) } }
            #expect(Set(pins.map(\.version)).count == 1, "\(pins.count)")
        }
        #expect(count.withLock { $0 } >= 800)
        tokens = []
        notes.settle()
        try notes.write { try self.node(0, $0).age = 1 }
        #expect(try notes.on { try $0.pins().filter { $0.label.contains(ObservedVersion.label) } }.isEmpty)
        #expect(try notes.on { $0.instance.delivery.observers.isEmpty })
        #expect(tokens.isEmpty)
        try notes.close()
    }
}
