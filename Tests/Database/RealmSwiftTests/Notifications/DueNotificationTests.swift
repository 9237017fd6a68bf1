// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import TestTraits
import Testing

@testable import RealmSwift

/// Notifications that are due when a write begins are delivered before it changes anything.
@Suite struct DueNotificationTests {
    @Test(.behaviour("S02")) func collections() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            let tokens = [
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { log.add($0) },
                node.numbers.observe { log.add($0) }, node.scores.observe { log.add($0) },
            ]
            try realm.write { #expect(log.take() == ["initial 1", "initial 0", "initial 0"]) }
            try realm.write {
                realm.create(ObservedNode.self, value: ["id": 1])
                node.numbers.append(5)
                node.scores["a"] = 1
            }
            #expect(log.take() == [])
            try realm.write { node.name = "x" }
            #expect(log.take() == ["2 -[] +[1] ~[0]", "1 -[] +[0] ~[]", "1 -[] +[\"a\"] ~[]"])
            return tokens
        }
        #expect(log.take() == ["2 -[] +[] ~[0]"])
    }

    @Test(.behaviour("S02")) func objectsAndRealms() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            let tokens = [node.observe { log.add($0) }, realm.observe { change, _ in log.add("\(change)") }]
            try realm.write { node.age = 1 }
            #expect(log.take() == ["didChange"])
            try realm.write {
                #expect(log.take() == ["age ->1"])
                node.age = 2
            }
            return tokens
        }
        #expect(log.take() == ["didChange", "age ->2"])
    }

    @Test(.behaviour("S02")) func asynchronousWrites() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        let done = DispatchSemaphore(value: 0)
        let tokens = try notes.on { realm in
            let tokens = [realm.objects(ObservedNode.self).observe { log.add($0) }]
            realm.writeAsync {
                #expect(log.take() == ["initial 1"])
                realm.create(ObservedNode.self, value: ["id": 1])
            } onComplete: { _ in
                done.signal()
            }
            return tokens
        }
        done.wait()
        notes.settle()
        #expect(log.take() == ["2 -[] +[1] ~[]"])
        withExtendedLifetime(tokens) {}
    }

    /// A block that writes is notified of its write after its own call returns.
    @Test(.behaviour("S02")) func aWriteWithinABlock() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            let tokens = [
                realm.objects(ObservedNode.self).observe { change in
                    log.add(change)
                    guard case .initial = change, !realm.isInWriteTransaction else { return }
                    try! realm.write { _ = realm.create(ObservedNode.self, value: ["id": 7]) }
                },
                realm.objects(ObservedNode.self).observe { log.add($0) },
            ]
            return tokens
        }
        #expect(log.take() == ["initial 1", "initial 2", "2 -[] +[1] ~[]"])
    }
}
