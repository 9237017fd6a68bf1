// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Notifications of objects, projections and Realms.
@Suite struct ObjectNotificationTests: TrapSuite {
    static func node(_ id: Int, _ realm: Realm) throws -> ObservedNode {
        try CollectionNotificationTests.node(id, realm)
    }

    private func observe(
        _ notes: ObservedRealm, _ id: Int, _ keyPaths: [String]? = nil, _ log: ObservedLog
    ) throws -> NotificationToken {
        try notes.on { realm in
            try Self.node(id, realm).observe(keyPaths: keyPaths) { (change: ObjectChange<ObservedNode>) in
                log.add(change)
            }
        }
    }

    @Test(.behaviour("B-499", "B-500", "B-502")) func propertyChanges() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        let token = try observe(notes, 0, nil, log)
        notes.settle()
        #expect(log.take() == [])
        try notes.write { try Self.node(0, $0).name = "new" }
        #expect(log.take() == ["name ->new"])
        try notes.write { realm in
            let node = try Self.node(0, realm)
            node.age = 7
            node.numbers.append(1)
            node.next = try Self.node(1, realm)
        }
        #expect(log.take() == ["age ->7, next ->node 1, numbers ->-"])
        try notes.write { try Self.node(0, $0).next = nil }
        #expect(log.take() == ["next ->-"])
        // Linking objects aren't included.
        try notes.write { try Self.node(1, $0).children.append(try Self.node(0, $0)) }
        #expect(log.take() == [])
        withExtendedLifetime(token) {}
    }

    @Test(.behaviour("B-501")) func oldValuesOfOthersChangesOnly() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        let token = try observe(notes, 0, nil, log)
        try notes.write { try Self.node(0, $0).name = "here" }
        #expect(log.take() == ["name ->here"])
        try notes.writeElsewhere { realm in
            let node = try Self.node(0, realm)
            node.name = "there"
            node.next = try Self.node(1, realm)
            node.numbers.append(5)
        }
        #expect(log.take() == ["name here>there, next ->node 1, numbers ->-"])
        try notes.writeElsewhere { try Self.node(0, $0).next = try Self.node(2, $0) }
        #expect(log.take() == ["next node 1>node 2"])
        try notes.writeElsewhere { try $0.delete(Self.node(2, $0)) }
        #expect(log.take() == ["next gone>-"])
        try notes.write { try Self.node(0, $0).name = "here again" }
        #expect(log.take() == ["name ->here again"])
        withExtendedLifetime(token) {}
    }

    @Test(.behaviour("B-503")) func deletedOnce() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        let tokens = [try observe(notes, 0, nil, log), try observe(notes, 1, ["name"], log)]
        try notes.write { realm in
            try realm.delete(Self.node(0, realm))
            try realm.delete(Self.node(1, realm))
        }
        #expect(log.take() == ["deleted", "deleted"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 0]) }
        #expect(log.take() == [])
        withExtendedLifetime(tokens) {}
    }

    @Test(.behaviour("B-504", "B-505")) func linkedObjectsCountOnKeyPathsOnly() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.write { realm in
            try Self.node(0, realm).next = try Self.node(1, realm)
            try Self.node(0, realm).children.append(try Self.node(2, realm))
        }
        let plain = try observe(notes, 0, nil, log)
        try notes.write { try Self.node(1, $0).name = "one" }
        #expect(log.take() == [])
        plain.invalidate()
        let deep = try observe(notes, 0, ["next.name", "children.age"], log)
        try notes.write { try Self.node(1, $0).name = "uno" }
        #expect(log.take() == ["next ->node 1"])
        try notes.write { try Self.node(1, $0).age = 9 }
        #expect(log.take() == [])
        try notes.write { try Self.node(2, $0).age = 9 }
        #expect(log.take() == ["children ->-"])
        try notes.write { try Self.node(0, $0).children.append(try Self.node(3, $0)) }
        #expect(log.take() == ["children ->-"])
        try notes.write { try Self.node(0, $0).name = "zero" }
        #expect(log.take() == [])
        let typed = try notes.on { realm in
            try Self.node(0, realm).observe(keyPaths: [\ObservedNode.next?.name]) { log.add($0) }
        }
        deep.invalidate()
        try notes.write { try Self.node(1, $0).name = "un" }
        #expect(log.take() == ["next ->node 1"])
        withExtendedLifetime(typed) {}
    }

    @Test(.behaviour("B-506", "B-512", "B-242"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Only objects which are managed by a Realm support change notifications") {
            _ = ObservedNode().observe { (_: ObjectChange<ObservedNode>) in }
        },
        Trap("Change notifications are only supported for managed objects") {
            _ = await ObservedNode().observe(on: MainActor.shared) { (_, _: ObjectChange<ObservedNode>) in }
        },
        Trap("Read-only Realms do not change and do not have change notifications.") {
            let notes = try ObservedRealm(nodes: 0..<1)
            try notes.close()
            var configuration = notes.configuration
            configuration.readOnly = true
            _ = try Realm(configuration: configuration).observe { _, _ in }
        },
        Trap("Frozen Realms do not change and do not have change notifications.") {
            _ = try ObservedRealm(nodes: 0..<1).on { $0.freeze().observe { _, _ in } }
        },
        Trap("Frozen Realms do not change and do not have change notifications.") {
            _ = try ObservedRealm(nodes: 0..<1).on { $0.objects(ObservedNode.self).freeze().observe { _ in } }
        },
        Trap("Incorrect Realm: only notifications for the Realm being modified can be skipped.") {
            let (notes, other) = (try ObservedRealm(), try ObservedRealm())
            let token = try other.on { $0.objects(ObservedNode.self).observe { _ in } }
            try notes.on { realm in try realm.write(withoutNotifying: [token]) {} }
        },
    ]

    @Test(.behaviour("B-507")) func tokensWithDifferentKeyPaths() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        let tokens = [try observe(notes, 0, ["name"], log), try observe(notes, 0, ["age"], log)]
        try notes.write { try Self.node(0, $0).name = "new" }
        #expect(log.take() == ["name ->new"])
        try notes.write { realm in
            try Self.node(0, realm).name = "newer"
            try Self.node(0, realm).age = 5
        }
        #expect(log.take().sorted() == ["age ->5", "name ->newer"])
        withExtendedLifetime(tokens) {}
    }

    @Test(.behaviour("B-508")) func embeddedObjects() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try Self.node(0, realm)
            try realm.write {
                node.box = ObservedBox(value: ["label": "a"])
                node.boxes.append(ObservedBox(value: ["label": "b"]))
            }
            return [
                try #require(node.box).observe { (change: ObjectChange<ObservedBox>) in log.add(change) },
                node.boxes.observe { log.add($0) },
            ]
        }
        #expect(log.take() == ["initial 1"])
        try notes.write { try Self.node(0, $0).box?.label = "c" }
        #expect(log.take() == ["label ->c"])
        try notes.write { try Self.node(0, $0).boxes[0].label = "d" }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try Self.node(0, $0).box = nil }
        #expect(log.take() == ["deleted"])
    }

    @Test(.behaviour("B-509", "B-511")) func realmObserversAreCalledWithinTheCommit() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        let token = try notes.on { realm in
            let token = realm.observe { notification, received in
                #expect(received == realm && !received.isInWriteTransaction)
                log.add("\(notification) \(received.objects(ObservedNode.self).count)")
            }
            try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 1]) }
            #expect(log.take() == ["didChange 2"])
            return token
        }
        notes.settle()
        #expect(log.take() == [])
        try notes.writeElsewhere { _ = $0.create(ObservedNode.self, value: ["id": 2]) }
        #expect(log.take() == ["didChange 3"])
        token.invalidate()
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 3]) }
        #expect(log.take() == [])
    }

    @Test func realmObserversAreCalledWithinRefreshAndBeginWrite() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            let add: @Sendable (Int) throws -> Void = { [configuration = notes.configuration] id in
                try onThread {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { _ = realm.create(ObservedNode.self, value: ["id": id]) }
                }
            }
            let token = realm.observe { notification, received in
                log.add("\(notification) \(received.isInWriteTransaction)")
            }
            try add(5)
            #expect(realm.refresh())
            #expect(log.take() == ["didChange false"])
            #expect(!realm.refresh())
            #expect(log.take() == [])
            try add(6)
            realm.beginWrite()
            #expect(log.take() == ["didChange true"])
            realm.cancelWrite()
            #expect(log.take() == [])
            return token
        }
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-510")) func withoutAutorefreshARefreshIsRequired() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.autorefresh = false
            return [
                realm.observe { notification, received in
                    log.add("\(notification) \(received.objects(ObservedNode.self).count)")
                },
                realm.objects(ObservedNode.self).observe { log.add($0) },
            ]
        }
        #expect(log.take() == ["initial 1"])
        try notes.writeElsewhere { _ = $0.create(ObservedNode.self, value: ["id": 5]) }
        #expect(log.take() == ["refreshRequired 1"])
        try notes.on { realm in
            #expect(realm.refresh())
            #expect(log.take() == ["didChange 2", "2 -[] +[1] ~[]"])
        }
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 6]) }
        #expect(log.take() == ["didChange 3", "3 -[] +[2] ~[]"])
    }

    // MARK: Writing without notifying

    @Test(.behaviour("B-241")) func skippedTokensAreNotNotifiedOfTheCommit() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let (log, others) = (ObservedLog(), ObservedLog())
        let tokens = try notes.on { realm in
            [
                realm.objects(ObservedNode.self).observe { log.add($0) },
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { log.add($0) },
                try Self.node(0, realm).observe { (change: ObjectChange<ObservedNode>) in log.add(change) },
                realm.observe { notification, _ in log.add("\(notification)") },
            ]
        }
        let other = try notes.on { $0.objects(ObservedNode.self).observe { others.add($0) } }
        notes.settle()
        _ = (log.take(), others.take())
        try notes.on { realm in
            try realm.write(withoutNotifying: tokens) {
                realm.create(ObservedNode.self, value: ["id": 5])
                try Self.node(0, realm).name = "quiet"
            }
        }
        notes.settle()
        #expect(log.take() == [])
        #expect(others.take() == ["3 -[] +[2] ~[0]"])
        try notes.write { try Self.node(0, $0).age = 4 }
        #expect(log.take().sorted() == ["3 -[] +[] ~[0]", "3 -[] +[] ~[0]", "age ->4", "didChange"])
        // Earlier changes of other threads are delivered when the write begins.
        let received = try notes.on { realm in
            try onThread { [configuration = notes.configuration] in
                let realm = try Realm(configuration: configuration)
                try realm.write { try Self.node(0, realm).name = "loud" }
            }
            try realm.write(withoutNotifying: tokens) { try Self.node(1, realm).name = "quiet" }
            return log.take().sorted()
        }
        #expect(received == ["3 -[] +[] ~[0]", "3 -[] +[] ~[0]", "didChange", "name quiet>loud"])
        notes.settle()
        #expect(log.take() == [])
        withExtendedLifetime((tokens, other)) {}
    }

    // MARK: Reported changes

    @Test(.behaviour("B-154", "B-155")) func onlyChangedPropertiesAreReported() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        let token = try observe(notes, 0, nil, log)
        try notes.write { realm in
            let value: [String: Any] = ["id": 0, "name": "0", "age": 77]
            _ = realm.create(ObservedNode.self, value: value, update: .modified)
        }
        #expect(log.take() == ["age ->77"])
        // Even with `.all`: changes are computed from the contents of two versions (design decision 6).
        try notes.write { realm in
            let value: [String: Any] = ["id": 0, "name": "0", "age": 78]
            _ = realm.create(ObservedNode.self, value: value, update: .all)
        }
        #expect(log.take() == ["age ->78"])
        withExtendedLifetime(token) {}
    }

    @Test(.behaviour("B-390", "B-391")) func projections() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        let tokens = try notes.on { realm in
            let node = try Self.node(0, realm)
            try realm.write {
                node.box = ObservedBox(value: ["label": "a", "size": 1])
                node.children.append(try Self.node(1, realm))
            }
            return [
                ObservedView(projecting: node).observe { log.add($0) },
                realm.objects(ObservedView.self).where { $0.title == "0" }.observe { log.add($0) },
                ObservedView(projecting: node).childNames.observe { change in
                    if case .update(let names, _, _, let changed) = change { log.add("\(Array(names)) \(changed)") }
                },
            ]
        }
        notes.settle()
        #expect(log.take() == ["initial 1"])
        try notes.write { try Self.node(0, $0).age = 50 }
        #expect(log.take() == [])
        try notes.write { try Self.node(0, $0).box?.size = 2 }
        #expect(log.take().sorted() == ["1 -[] +[] ~[0]", "size ->2"])
        try notes.write { try Self.node(1, $0).name = "child" }
        #expect(log.take().sorted() == ["1 -[] +[] ~[0]", "[\"child\"] [0]", "childNames ->[\"child\"]"])
        try notes.write { try Self.node(1, $0).age = 3 }
        #expect(log.take() == [])
        let some = try notes.on { realm in
            ObservedView(projecting: try Self.node(0, realm)).observe(keyPaths: ["name", "age"]) { log.add($0) }
        }
        let typed = try notes.on { realm in
            ObservedView(projecting: try Self.node(0, realm)).observe(keyPaths: [\ObservedView.title]) { log.add($0) }
        }
        for token in tokens { token.invalidate() }
        try notes.write { try Self.node(0, $0).name = "title" }
        #expect(log.take() == ["title ->title", "title ->title"])
        try notes.write { try Self.node(0, $0).box?.size = 5 }
        #expect(log.take() == [])
        try notes.write { try $0.delete(Self.node(0, $0)) }
        #expect(log.take() == ["deleted", "deleted"])
        withExtendedLifetime((some, typed)) {}
    }

    @Test(.behaviour("B-314")) func inAnActor() async throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let clerk = NoteClerk()
        let token = try await clerk.observe(notes.configuration)
        #expect(await eventually(clerk, ["initial 2"]))
        try notes.write { try Self.node(0, $0).name = "new" }
        #expect(await eventually(clerk, ["initial 2", "new", "2 -[] +[] ~[0]"]))
        token.forEach { $0.invalidate() }
        try notes.write { try Self.node(0, $0).name = "newer" }
        try await Task.sleep(for: .milliseconds(50))
        #expect(await clerk.received.count == 3)
    }

    private func eventually(_ clerk: NoteClerk, _ received: [String]) async -> Bool {
        for _ in 0..<240_000 {
            if await clerk.received.sorted() == received.sorted() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}

actor NoteClerk {
    private(set) var received: [String] = []

    func add(_ text: String) { received.append(text) }

    @MainActor func observe(_ configuration: Realm.Configuration) async throws -> [NotificationToken] {
        let realm = try await Realm(configuration: configuration)
        let node = try CollectionNotificationTests.node(0, realm)
        let first = await node.observe(on: self) { (clerk, change: ObjectChange<ObservedNode>) in
            guard case .change(let node, _) = change else { return }
            clerk.received.append(node.name)
        }
        let second = await realm.objects(ObservedNode.self).observe(on: self) { clerk, change in
            let log = ObservedLog()
            log.add(change)
            clerk.received += log.take()
        }
        return [first, second]
    }
}
