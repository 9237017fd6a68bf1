// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Notifications of collections.
@Suite struct CollectionNotificationTests: TrapSuite {
    static func node(_ id: Int, _ realm: Realm) throws -> ObservedNode {
        try #require(realm.object(ofType: ObservedNode.self, forPrimaryKey: id))
    }

    /// Writes on another thread, without waiting for the observers.
    private static func writeElsewhere(
        _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) throws -> Void
    ) throws {
        try onThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { try body(realm) }
        }
    }

    @Test(.behaviour("B-471")) func theInitialCallIsAsynchronousAndHappensOnce() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        try notes.observe { realm in
            let tokens = [
                realm.objects(ObservedNode.self).observe { log.add($0) },
                realm.objects(ObservedNode.self).where { $0.age > 0 }.observe { log.add($0) },
                realm.objects(ObservedNode.self).sorted(byKeyPath: "name").observe { log.add($0) },
            ]
            #expect(log.take() == [])
            return tokens
        }
        #expect(log.take().sorted() == ["initial 2", "initial 3", "initial 3"])
        notes.settle()
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-472")) func aWriteBeforeTheInitialCallIsInIt() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { realm in
            let tokens = [
                realm.objects(ObservedNode.self).observe { log.add($0) },
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { log.add($0) },
            ]
            try Self.writeElsewhere(notes.configuration) { _ = $0.create(ObservedNode.self, value: ["id": 9]) }
            return tokens
        }
        #expect(log.take() == ["initial 3", "initial 3"])
    }

    @Test(.behaviour("B-473"), arguments: [false, true])
    func addDeleteModify(isQuery: Bool) throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            let all = realm.objects(ObservedNode.self)
            return (isQuery ? all.where { $0.age >= 0 } : all).observe { log.add($0) }
        }
        #expect(log.take() == ["initial 4"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 4]) }
        #expect(log.take() == ["5 -[] +[4] ~[]"])
        try notes.write { try $0.delete(Self.node(1, $0)) }
        #expect(log.take() == ["4 -[1] +[] ~[]"])
        try notes.write { try Self.node(3, $0).name = "x" }
        #expect(log.take() == ["4 -[] +[] ~[2]"])
        try notes.writeElsewhere { realm in
            try Self.node(2, realm).name = "y"
            try realm.delete(Self.node(0, realm))
            realm.create(ObservedNode.self, value: ["id": 7])
        }
        #expect(log.take() == ["4 -[0] +[3] ~[1]"])
        try notes.write { $0.add(UnlinkedObject()) }
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-474", "B-498")) func aMoveInAListIsADeletionAndAnInsertion() throws {
        let notes = try ObservedRealm(nodes: 0..<6)
        let log = ObservedLog()
        try notes.observe { realm in
            try realm.write {
                try Self.node(0, realm).children.append(objectsIn: (1..<6).map { try Self.node($0, realm) })
            }
            return try Self.node(0, realm).children.observe { log.add($0) }
        }
        #expect(log.take() == ["initial 5"])
        try notes.write { try Self.node(0, $0).children.move(from: 0, to: 3) }
        #expect(log.take() == ["5 -[0] +[3] ~[]"])
        try notes.write { try Self.node(0, $0).children.swapAt(0, 4) }
        let swapped = log.take()
        #expect(swapped.count == 1 && swapped[0].hasPrefix("5 -[0, 4] +[0, 4]") || swapped == ["5 -[] +[] ~[0, 4]"])
        try notes.write { realm in
            let children = try Self.node(0, realm).children
            children.remove(at: 1)
            children.append(try Self.node(0, realm))
            children[0].name = "changed"
        }
        #expect(log.take() == ["5 -[1] +[4] ~[0]"])
    }

    @Test(.behaviour("B-475")) func aSortedRowThatMovesIsADeletionAndAnInsertion() throws {
        let notes = try ObservedRealm(nodes: 0..<5)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).sorted(byKeyPath: "age").observe { log.add($0) }
        }
        #expect(log.take() == ["initial 5"])
        try notes.write { try Self.node(1, $0).age = 10 }
        #expect(log.take() == ["5 -[1] +[4] ~[]"])
        try notes.write { try Self.node(4, $0).name = "stays" }
        #expect(log.take() == ["5 -[] +[] ~[3]"])
        // If neighbours change places, the modified one is reported as moved.
        try notes.write { try Self.node(2, $0).age = -1 }
        #expect(log.take() == ["5 -[1] +[0] ~[]"])
        try notes.write { try Self.node(2, $0).age = 1 }
        #expect(log.take() == ["5 -[0] +[1] ~[]"])
    }

    @Test(.behaviour("B-476", "B-477")) func severalCommitsAreOneChangeOrNone() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { realm in
            [
                realm.objects(ObservedNode.self).observe { log.add($0) },
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { log.add($0) },
                try Self.node(0, realm).numbers.observe { log.add($0) },
            ]
        }
        #expect(log.take() == ["initial 2", "initial 2", "initial 0"])
        try notes.on { _ in
            for id in 5..<8 {
                try Self.writeElsewhere(notes.configuration) { _ = $0.create(ObservedNode.self, value: ["id": id]) }
            }
            #expect(log.take() == [])
        }
        notes.settle()
        #expect(log.take() == ["5 -[] +[2, 3, 4] ~[]", "5 -[] +[2, 3, 4] ~[]"])
        try notes.on { _ in
            try Self.writeElsewhere(notes.configuration) { _ = $0.create(ObservedNode.self, value: ["id": 50]) }
            try Self.writeElsewhere(notes.configuration) { try $0.delete(Self.node(50, $0)) }
        }
        notes.settle()
        #expect(log.take() == [])
    }

    /// Changes are computed from the contents of two versions (design decision 6), so assigning an equal value isn't a
    /// change, unlike in the original.
    @Test(.behaviour("B-478")) func assigningAnEqualValueIsNotAChange() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { $0.objects(ObservedNode.self).observe { log.add($0) } }
        #expect(log.take() == ["initial 2"])
        try notes.write { realm in
            let node = try Self.node(1, realm)
            node.name = node.name
        }
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-479")) func fourLinksDeepCount() throws {
        let notes = try ObservedRealm(nodes: 0..<8)
        let log = ObservedLog()
        try notes.observe { realm in
            try realm.write {
                for id in 0..<6 {
                    let (node, next) = (try Self.node(id, realm), try Self.node(id + 1, realm))
                    switch id % 4 {
                    case 0: node.next = next
                    case 1: node.children.append(next)
                    case 2: node.named["x"] = next
                    default: node.remark = .object(next)
                    }
                }
                try Self.node(7, realm).children.append(try Self.node(0, realm))
                try Self.node(7, realm).named["first"] = try Self.node(0, realm)
            }
            return [
                realm.objects(ObservedNode.self).where { $0.id == 0 }.observe { log.add($0) },
                try Self.node(7, realm).children.observe { log.add($0) },
                try Self.node(7, realm).named.observe { log.add($0) },
            ]
        }
        #expect(log.take().sorted() == ["initial 1", "initial 1", "initial 1"])
        for id in 0...4 {
            try notes.writeElsewhere { try Self.node(id, $0).age += 100 }
            #expect(
                log.take().sorted() == ["1 -[] +[] ~[\"first\"]", "1 -[] +[] ~[0]", "1 -[] +[] ~[0]"], "node \(id)")
        }
        try notes.writeElsewhere { try Self.node(5, $0).age += 100 }
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-480")) func keyPathsLeaveOutOtherProperties() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let log = ObservedLog()
        try notes.observe { realm in
            try realm.write { try Self.node(0, realm).children.append(try Self.node(1, realm)) }
            return [
                realm.objects(ObservedNode.self).observe(keyPaths: ["name"]) { log.add($0) },
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe(keyPaths: [\.name]) { log.add($0) },
                try Self.node(0, realm).children.observe(keyPaths: [\ObservedNode.name]) { log.add($0) },
            ]
        }
        #expect(log.take().count == 3)
        try notes.write { try Self.node(1, $0).age = 50 }
        #expect(log.take() == [])
        try notes.write { try Self.node(1, $0).name = "new" }
        #expect(log.take().sorted() == ["1 -[] +[] ~[0]", "3 -[] +[] ~[1]", "3 -[] +[] ~[1]"])
        try notes.write { try $0.delete(Self.node(1, $0)) }
        #expect(log.take().sorted() == ["0 -[0] +[] ~[]", "2 -[1] +[] ~[]", "2 -[1] +[] ~[]"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 8]) }
        #expect(log.take().sorted() == ["3 -[] +[2] ~[]", "3 -[] +[2] ~[]"])
    }

    @Test(.behaviour("B-481")) func keyPathsThroughLists() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            try realm.write { try Self.node(0, realm).children.append(try Self.node(1, realm)) }
            return [
                realm.objects(ObservedNode.self).where { $0.id == 0 }.observe(keyPaths: ["children.name"]) {
                    log.add($0)
                },
                realm.objects(ObservedNode.self).where { $0.id == 1 }.observe(keyPaths: ["parents.name"]) {
                    log.add($0)
                },
            ]
        }
        #expect(log.take().count == 2)
        try notes.write { try Self.node(1, $0).age = 50 }
        #expect(log.take() == [])
        try notes.write { try Self.node(1, $0).name = "new" }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try Self.node(0, $0).children.append(try Self.node(2, $0)) }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try Self.node(0, $0).name = "parent" }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try Self.node(3, $0).children.append(try Self.node(1, $0)) }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try $0.delete(Self.node(3, $0)) }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
    }

    @Test(.behaviour("B-482", "B-486", "B-487"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Invalid property name: property 'x' not found in object of type 'ObservedNode'") {
            _ = try ObservedRealm().on { $0.objects(ObservedNode.self).observe(keyPaths: ["x"]) { _ in } }
        },
        Trap("Invalid property name: property 'y' not found in object of type 'ObservedNode'") {
            _ = try ObservedRealm().on { $0.objects(ObservedNode.self).observe(keyPaths: ["next.y"]) { _ in } }
        },
        Trap(
            """
            Property 'name' in KeyPath 'name.y' is not a collection of objects or an object reference, so it cannot be \
            used as an intermediate keypath element.
            """
        ) {
            _ = try ObservedRealm().on { $0.objects(ObservedNode.self).observe(keyPaths: ["name.y"]) { _ in } }
        },
        Trap("This method may only be called on RLMArray instances retrieved from an RLMRealm") {
            _ = ObservedNode().children.observe { _ in }
        },
        Trap("This method may only be called on RLMSet instances retrieved from an RLMRealm") {
            _ = ObservedNode().tags.observe { _ in }
        },
        Trap("This method may only be called on RLMDictionary instances retrieved from an RLMRealm") {
            _ = ObservedNode().scores.observe { _ in }
        },
        Trap("Can only add notification blocks from within runloops.") {
            let notes = try ObservedRealm()
            let configuration = notes.configuration
            try onThread {
                _ = try Realm(configuration: configuration).objects(ObservedNode.self).observe { _ in }
            }
        },
    ]

    @Test(.behaviour("B-483")) func anEmptyArrayOfKeyPathsDoesNotFilter() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { $0.objects(ObservedNode.self).observe(keyPaths: [String]()) { log.add($0) } }
        #expect(log.take() == ["initial 2"])
        try notes.write { try Self.node(1, $0).age = 5 }
        #expect(log.take() == ["2 -[] +[] ~[1]"])
    }

    @Test(.behaviour("B-484")) func invalidatedAndReleasedTokensAreSilent() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        let kept = try notes.on { $0.objects(ObservedNode.self).observe { log.add($0) } }
        var dropped: NotificationToken? = try notes.on { $0.objects(ObservedNode.self).observe { log.add($0) } }
        notes.settle()
        #expect(log.take() == ["initial 2", "initial 2"])
        #expect(dropped != nil)
        dropped = nil
        try notes.write { try Self.node(1, $0).age = 5 }
        #expect(log.take() == ["2 -[] +[] ~[1]"])
        #expect(kept.invalidate())
        #expect(!kept.invalidate())
        try notes.write { try Self.node(1, $0).age = 6 }
        #expect(log.take() == [])
        let early = try notes.on { realm in
            let token = realm.objects(ObservedNode.self).observe { log.add($0) }
            token.invalidate()
            return token
        }
        notes.settle()
        #expect(log.take() == [])
        #expect(!early.invalidate())
    }

    @Test(.behaviour("B-485")) func notAfterChangesInAWrite() async throws {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try ObservedRealm(nodes: 0..<1).write { realm in
                realm.add(UnlinkedObject())
                _ = realm.objects(ObservedNode.self).observe { _ in }
            }
        }.expectText("Cannot create asynchronous query after making changes in a write transaction.")
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        var tokens: [NotificationToken] = []
        try notes.write { realm in
            tokens.append(realm.objects(ObservedNode.self).observe { log.add($0) })
            tokens.append(try Self.node(0, realm).observe { (change: ObjectChange<ObservedNode>) in log.add(change) })
            try Self.node(0, realm).name = "changed"
        }
        #expect(log.take().sorted() == ["initial 1", "name ->changed"])
    }

    @Test(.behaviour("B-488")) func onAQueueOfItsOwn() throws {
        let notes = try ObservedRealm(nodes: 0..<3)
        let other = DispatchQueue(label: "test.other")
        let log = ObservedLog()
        let token = try onThread { [configuration = notes.configuration] in
            let realm = try Realm(configuration: configuration)
            return realm.objects(ObservedNode.self).where { $0.age > 0 }.observe(on: other) { change in
                dispatchPrecondition(condition: .onQueue(other))
                log.add(change)
                if case .update(let nodes, _, _, _) = change { log.add(nodes.map(\.name).joined(separator: " ")) }
            }
        }
        notes.settle(other)
        #expect(log.take() == ["initial 2"])
        try notes.write { try Self.node(2, $0).name = "two" }
        notes.settle(other)
        #expect(log.take() == ["2 -[] +[] ~[1]", "1 two"])
        token.invalidate()
        try notes.write { try Self.node(2, $0).name = "three" }
        notes.settle(other)
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-489")) func writingInACallback() async throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        let realm = try notes.on { UncheckedBox($0) }
        let token = try notes.on { opened in
            opened.objects(ObservedNode.self).observe { change in
                log.add(change)
                guard case .update(let all, _, let insertions, _) = change, insertions == [1] else { return }
                // `beginWrite` advances to another thread's commit, which is reported separately within the write.
                try? onThread { [configuration = notes.configuration] in
                    let realm = try Realm(configuration: configuration)
                    try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 20]) }
                }
                realm.value.beginWrite()
                log.add("writing with \(all.count)")
                realm.value.create(ObservedNode.self, value: ["id": 30])
                try? realm.value.commitWrite()
            }
        }
        notes.settle()
        #expect(log.take() == ["initial 1"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 10]) }
        #expect(log.take() == ["2 -[] +[1] ~[]", "3 -[] +[2] ~[]", "writing with 3", "4 -[] +[3] ~[]"])
        withExtendedLifetime(token) {}
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let notes = try ObservedRealm(nodes: 0..<1)
            try notes.observe { realm in
                realm.objects(ObservedNode.self).observe { change in
                    guard case .update = change else { return }
                    realm.beginWrite()
                }
            }
            try notes.writeElsewhere { _ = $0.create(ObservedNode.self, value: ["id": 10]) }
            try notes.on { $0.beginWrite() }
        }.expectText("The Realm is already in a write transaction")
    }

    @Test(.behaviour("B-490")) func refreshInACallbackDoesNothing() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).observe { change in
                log.add(change)
                guard case .update(_, _, [1], _) = change else { return }
                try? onThread { [configuration = notes.configuration] in
                    let realm = try Realm(configuration: configuration)
                    try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 20]) }
                }
                log.add("\(realm.refresh()) \(realm.objects(ObservedNode.self).count)")
            }
        }
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 10]) }
        #expect(log.take() == ["initial 1", "2 -[] +[1] ~[]", "false 2", "3 -[] +[2] ~[]"])
    }

    @Test(.behaviour("B-491")) func theOwnerIsDeleted() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try Self.node(0, realm)
            try realm.write {
                node.children.append(objectsIn: realm.objects(ObservedNode.self).where { $0.id > 1 })
                node.tags.insert(objectsIn: ["a", "b"])
                node.scores["k"] = 1
                node.remark = .fromArray([.int(1)])
            }
            return [
                node.children.observe {
                    log.add("\($0.isGone)"); log.add($0)
                },
                node.tags.observe { log.add($0) },
                node.scores.observe { log.add($0) },
                try #require(node.remark.listValue).observe { log.add($0) },
                node.children.where { $0.age > 0 }.observe { log.add($0) },
            ]
        }
        #expect(log.take().sorted() == ["false", "initial 1", "initial 1", "initial 2", "initial 2", "initial 2"])
        try notes.write { try $0.delete(Self.node(0, $0)) }
        #expect(
            log.take().sorted() == [
                "0 -[\"k\"] +[] ~[]", "0 -[0, 1] +[] ~[]", "0 -[0, 1] +[] ~[]", "0 -[0, 1] +[] ~[]", "0 -[0] +[] ~[]",
                "true",
            ])
        try notes.write { try Self.node(2, $0).name = "x" }
        #expect(log.take() == [])
    }

    @Test(.behaviour("B-110", "B-492")) func mapsAndMixedLists() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { realm in
            let node = try Self.node(0, realm)
            try realm.write {
                node.scores["a"] = 1
                node.scores["b"] = 2
                node.remark = .fromArray([.int(1), .fromDictionary(["x": .int(1)])])
            }
            return [
                node.scores.observe { log.add($0) },
                try #require(node.remark.listValue).observe { log.add($0) },
                node.observe { (change: ObjectChange<ObservedNode>) in
                    if case .change(_, let changes) = change { log.add(changes.map(\.name).joined()) }
                },
            ]
        }
        #expect(log.take().sorted() == ["initial 2", "initial 2"])
        try notes.write { realm in
            let scores = try Self.node(0, realm).scores
            scores["a"] = 5
            scores["c"] = 3
            scores["b"] = nil
        }
        #expect(log.take().sorted() == ["2 -[\"b\"] +[\"c\"] ~[\"a\"]", "scores"])
        try notes.write { try Self.node(0, $0).remark.listValue?.insert(.string("new"), at: 0) }
        #expect(log.take().sorted() == ["3 -[] +[0] ~[]", "remark"])
    }

    @Test(.behaviour("B-493")) func setsInTheirOwnOrder() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let received = Locked<[([Int], [Int])]>([])
        try notes.observe { realm in
            let node = try Self.node(0, realm)
            try realm.write { node.tags.insert(objectsIn: ["b", "d", "f"]) }
            return node.tags.observe { change in
                guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                #expect(modifications == [])
                received.withLock { $0.append((deletions, insertions)) }
            }
        }
        let before = try notes.on { Array(try Self.node(0, $0).tags) }
        try notes.write { realm in
            let tags = try Self.node(0, realm).tags
            tags.remove("d")
            tags.insert("a")
            tags.insert("e")
        }
        let after = try notes.on { Array(try Self.node(0, $0).tags) }
        let changes = received.withLock { $0 }
        #expect(changes.count == 1)
        #expect(changes.first?.0.map { before[$0] } == ["d"])
        #expect(changes.first.map { Set($0.1.map { after[$0] }) } == ["a", "e"])
    }

    @Test(.behaviour("B-494")) func linkingObjects() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in try Self.node(0, realm).parents.observe { log.add($0) } }
        #expect(log.take() == ["initial 0"])
        try notes.write { try Self.node(1, $0).children.append(try Self.node(0, $0)) }
        #expect(log.take() == ["1 -[] +[0] ~[]"])
        try notes.write { try Self.node(1, $0).name = "parent" }
        #expect(log.take() == ["1 -[] +[] ~[0]"])
        try notes.write { try Self.node(1, $0).children.removeAll() }
        #expect(log.take() == ["0 -[0] +[] ~[]"])
    }

    @Test(.behaviour("B-495")) func cancelledWrites() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let log = ObservedLog()
        try notes.observe { realm in
            [
                realm.objects(ObservedNode.self).observe { log.add($0) },
                try Self.node(0, realm).observe { (change: ObjectChange<ObservedNode>) in log.add(change) },
                realm.observe { notification, _ in log.add(notification.rawValue) },
            ]
        }
        #expect(log.take() == ["initial 2"])
        try notes.on { realm in
            realm.beginWrite()
            realm.create(ObservedNode.self, value: ["id": 5])
            try Self.node(0, realm).name = "other"
            realm.cancelWrite()
        }
        notes.settle()
        #expect(log.take() == [])
    }
}

extension RealmCollectionChange where CollectionType: RealmCollection {
    fileprivate var isGone: Bool {
        switch self {
        case .initial(let all), .update(let all, _, _, _): all.isInvalidated
        case .error: false
        }
    }
}
