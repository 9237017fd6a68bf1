// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// The times and queues of notifications.
@Suite struct NotificationDeliveryTests {
    /// While a query runs in the background, its queue continues with the version that observers have.
    @Test func aSlowQueryMakesNoOtherWait() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            [
                realm.objects(ObservedNode.self).where { $0.age > 1 }.observe { change in
                    log.add(change)
                    log.add("all \(realm.objects(ObservedNode.self).count)")
                },
                realm.objects(ObservedNode.self).observe { log.add($0) },
            ]
        }
        #expect(log.take().sorted() == ["all 4", "initial 2", "initial 4"])
        Observers.background.suspend()
        try onThread { [configuration = notes.configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 9, "age": 9]) }
        }
        for _ in 0..<5 { notes.queue.sync {} }
        let count = try notes.on { $0.objects(ObservedNode.self).count }
        let received = log.take()
        Observers.background.resume()
        #expect(count == 4)
        #expect(received == [])
        notes.settle()
        #expect(log.take().sorted() == ["3 -[] +[2] ~[]", "5 -[] +[4] ~[]", "all 5"])
    }

    /// Background results are invalid if the Realm has advanced meanwhile.
    @Test func writingWhileAQueryRuns() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).sorted(byKeyPath: "age", ascending: false).observe { log.add($0) }
        }
        for round in 0..<5 {
            Observers.background.suspend()
            try onThread { [configuration = notes.configuration] in
                let realm = try Realm(configuration: configuration)
                try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 10 + round, "age": 10 + round]) }
            }
            notes.queue.sync {}
            try notes.on { realm in
                try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 100 + round, "age": 100 + round]) }
            }
            Observers.background.resume()
            notes.settle()
        }
        #expect(
            log.take() == [
                "initial 4", "5 -[] +[0] ~[]", "6 -[] +[0] ~[]", "7 -[] +[1] ~[]", "8 -[] +[0] ~[]", "9 -[] +[2] ~[]",
                "10 -[] +[0] ~[]", "11 -[] +[3] ~[]", "12 -[] +[0] ~[]", "13 -[] +[4] ~[]", "14 -[] +[0] ~[]",
            ])
    }

    @Test func refreshNotifiesBeforeItReturns() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { realm in
            [
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { log.add($0) },
                try CollectionNotificationTests.node(0, realm).observe { (change: ObjectChange<ObservedNode>) in
                    log.add(change)
                },
            ]
        }
        _ = log.take()
        try notes.on { realm in
            try onThread { [configuration = notes.configuration] in
                let realm = try Realm(configuration: configuration)
                try realm.write { try CollectionNotificationTests.node(0, realm).age = 5 }
            }
            #expect(realm.refresh())
            #expect(log.take().sorted() == ["2 -[] +[] ~[0]", "age 0>5"])
        }
        notes.settle()
        #expect(log.take() == [])
    }

    @Test func asynchronousWritesAreReportedOnceTheyAreDurable() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        let done = DispatchSemaphore(value: 0)
        try notes.observe { realm in realm.objects(ObservedNode.self).observe { log.add($0) } }
        _ = log.take()
        try notes.on { realm in
            realm.writeAsync {
                realm.create(ObservedNode.self, value: ["id": 7])
            } onComplete: { error in
                log.add("\(error == nil)")
                done.signal()
            }
        }
        done.wait()
        notes.settle()
        #expect(log.take() == ["true", "3 -[] +[2] ~[]"])
    }

    @Test func everythingOnAnotherQueue() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let other = DispatchQueue(label: "test.elsewhere")
        let log = ObservedLog()
        let tokens = try notes.on { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            try realm.write {
                node.children.append(objectsIn: realm.objects(ObservedNode.self))
                node.tags.insert("a")
                node.scores["x"] = 1
                node.box = ObservedBox(value: ["label": "l"])
            }
            return [
                node.children.observe(on: other) { log.add($0) },
                node.tags.observe(on: other) { log.add($0) },
                node.scores.observe(on: other) { log.add($0) },
                node.parents.observe(on: other) { log.add($0) },
                AnyRealmCollection(node.children).observe(on: other) { log.add($0) },
                ObservedView(projecting: node).childNames.observe(on: other) { change in
                    if case .initial(let names) = change { log.add("names \(Array(names))") }
                },
                node.observe(on: other) { (change: ObjectChange<ObservedNode>) in log.add(change) },
                try #require(node.box).observe(on: other) { (change: ObjectChange<ObservedBox>) in log.add(change) },
                ObservedView(projecting: node).observe(on: other) { log.add($0) },
            ]
        }
        notes.settle(other)
        #expect(
            log.take().sorted() == [
                "initial 1", "initial 1", "initial 1", "initial 3", "initial 3", "names [\"0\", \"1\", \"2\"]",
            ])
        try notes.write { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            node.tags.insert("b")
            node.scores["y"] = 2
            node.box?.label = "m"
            node.name = "zero"
        }
        notes.settle(other)
        #expect(
            log.take().sorted() == [
                "1 -[] +[] ~[0]", "2 -[] +[\"y\"] ~[]", "2 -[] +[1] ~[]", "3 -[] +[] ~[0]", "3 -[] +[] ~[0]",
                "label l>m", "name 0>zero, tags ->-, scores ->-",
                "title 0>zero, label l>m, childNames ->[\"zero\", \"1\", \"2\"]",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func anObjectDeletedBeforeTheDelivery() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let other = DispatchQueue(label: "test.elsewhere")
        let log = ObservedLog()
        let token = try notes.on { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            let token = node.observe(on: other) { (change: ObjectChange<ObservedNode>) in log.add(change) }
            try realm.write { realm.delete(node) }
            return token
        }
        notes.settle(other)
        #expect(log.take() == ["deleted"])
        withExtendedLifetime(token) {}
    }

    @Test func identityOfRows() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        try notes.on { realm in
            let identifiers = [0, 1, 0].map { id in realm.object(ofType: ObservedNode.self, forPrimaryKey: id)?.rowID }
            #expect(identifiers[0] == identifiers[2] && identifiers[0] != identifiers[1])
        }
    }
}

extension ObservedNode {
    fileprivate var rowID: UInt64 { Identified(node: self).id }

    private final class Identified: Projection<ObservedNode>, ObjectKeyIdentifiable {
        convenience init(node: ObservedNode) { self.init(projecting: node) }
    }
}
