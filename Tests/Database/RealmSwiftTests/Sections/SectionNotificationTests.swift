// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Notifications of sectioned results.
@Suite(.scope(TestCleanup.perform)) struct SectionNotificationTests {
    /// Sections 0 (nodes 0, 1) and 1 (nodes 2, 3).
    private func observePairs(in notes: ObservedRealm, _ log: ObservedLog) throws -> NotificationToken {
        try notes.on { realm in
            realm.objects(ObservedNode.self).sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"]).observe {
                log.add($0)
            }
        }
    }

    @Test(.behaviour("B-381", "B-496", "B-497")) func sectionsAreInsertedAndDeleted() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        let token = try observePairs(in: notes, log)
        notes.settle()
        #expect(log.take() == ["initial [2, 2]"])
        try notes.write { try CollectionNotificationTests.node(1, $0).name = "x" }
        #expect(log.take() == ["[2, 2] -[] +[] ~[0.1] sections +[] -[]"])
        try notes.write { realm in
            try realm.delete([CollectionNotificationTests.node(2, realm), CollectionNotificationTests.node(3, realm)])
        }
        #expect(log.take() == ["[2] -[] +[] ~[] sections +[] -[1]"])
        try notes.writeElsewhere { realm in
            for (id, age) in [(7, 8), (8, 9)] { realm.create(ObservedNode.self, value: ["id": id, "age": age]) }
            try CollectionNotificationTests.node(0, realm).age = -5
        }
        #expect(log.take() == ["[1, 1, 2] -[0.0] +[0.0, 2.0, 2.1] ~[] sections +[0, 2] -[]"])
        try notes.write { try CollectionNotificationTests.node(1, $0).age = 8 }
        #expect(log.take() == ["[1, 3] -[] +[1.0] ~[] sections +[] -[1]"])
        withExtendedLifetime(token) {}
    }

    @Test func aSectionIsNotifiedOfItsOwnChanges() throws {
        let notes = try ObservedRealm(nodes: 0..<6)
        let log = ObservedLog()
        try notes.observe { realm in
            let sections = realm.objects(ObservedNode.self).sectioned(by: { $0.age / 2 }, sortDescriptors: ["age"])
            return sections[1].observe(keyPaths: ["age"]) { log.add($0) }
        }
        #expect(log.take() == ["initial 2"])
        try notes.write { realm in
            try CollectionNotificationTests.node(0, realm).age = 1
            try CollectionNotificationTests.node(2, realm).name = "not on the path"
        }
        #expect(log.take() == [])
        try notes.write { realm in
            try realm.delete([CollectionNotificationTests.node(0, realm), CollectionNotificationTests.node(1, realm)])
            try CollectionNotificationTests.node(3, realm).age = 2
        }
        #expect(log.take() == ["2 -[1.1] +[0.1] ~[] sections +[] -[]"])
        try notes.write { realm in
            try realm.delete([CollectionNotificationTests.node(2, realm), CollectionNotificationTests.node(3, realm)])
        }
        #expect(log.take() == ["0 -[] +[] ~[] sections +[] -[0]"])
        try notes.write { _ = $0.create(ObservedNode.self, value: ["id": 9, "age": 3]) }
        #expect(log.take() == ["1 -[] +[0.0] ~[] sections +[0] -[]"])
    }

    @Test(.behaviour("T02")) func anElementThatChangesWithItsIndexPathIsDeletedAndInserted() throws {
        let notes = try ObservedRealm()
        try notes.write { realm in
            for (id, name) in ["banana", "box", "apple", "chalk"].enumerated() {
                realm.create(ObservedNode.self, value: ["id": id, "name": name] as [String: Any])
            }
        }
        let (all, one) = (ObservedLog(), ObservedLog())
        try notes.observe { realm in
            let sections = realm.objects(ObservedNode.self)
                .sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
            return [sections.observe { all.add($0) }, sections[1].observe { one.add($0) }]
        }
        #expect(all.take() == ["initial [1, 2, 1]"] && one.take() == ["initial 2"])
        try notes.write { realm in
            try realm.delete([CollectionNotificationTests.node(2, realm), CollectionNotificationTests.node(0, realm)])
            try CollectionNotificationTests.node(1, realm).name = "bog"
            realm.create(ObservedNode.self, value: ["id": 5, "name": "zebra"] as [String: Any])
        }
        #expect(all.take() == ["[1, 1, 1] -[1.0, 1.1] +[0.0, 2.0] ~[] sections +[2] -[0]"])
        #expect(one.take() == ["1 -[1.0, 1.1] +[0.0] ~[] sections +[] -[]"])
        try notes.write { realm in
            try CollectionNotificationTests.node(1, realm).name = "box"
            realm.create(ObservedNode.self, value: ["id": 6, "name": "bag"] as [String: Any])
        }
        #expect(all.take() == ["[2, 1, 1] -[0.0] +[0.0, 0.1] ~[] sections +[] -[]"])
        try notes.write { try CollectionNotificationTests.node(1, $0).age = 7 }
        #expect(all.take() == ["[2, 1, 1] -[] +[] ~[0.1] sections +[] -[]"])
    }

    private func keyCalls<Element: RealmCollectionValue>(
        of type: Element.Type, keyPaths: [String]?,
        _ sections: (Realm, @escaping (Int) -> Int) -> SectionedResults<Int, Element>
    ) throws -> [Int] {
        let notes = try ObservedRealm(nodes: 0..<300)
        let calls = Locked(0)
        let kept = Locked<(SectionedResults<Int, Element>, NotificationToken)?>(nil)
        try notes.on { realm in
            let sections = sections(realm) { age in
                calls.withLock { $0 += 1 }
                return age / 10
            }
            kept.withLock { $0 = (sections, sections.observe(keyPaths: keyPaths) { _ in }) }
        }
        notes.settle()
        var found: [Int] = []
        for round in 0..<5 {
            // In between, a change without effect on the sections, and one that the observer isn't notified of.
            try notes.write { $0.create(UnlinkedObject.self) }
            try notes.write { try CollectionNotificationTests.node(250, $0).tags.insert("\(round)") }
            calls.withLock { $0 = 0 }
            try notes.write { realm in
                try CollectionNotificationTests.node(5 + round, realm).age = 205
                realm.create(ObservedNode.self, value: ["id": 1000 + round, "age": round * 10])
            }
            try notes.on { realm in
                let (sections, _) = try #require(kept.withLock { $0 })
                #expect(sections.count == 30 && sections[20].count == 11 + round)
                _ = sections.freeze().count
            }
            found.append(calls.withLock { $0 })
        }
        try notes.on { _ in kept.withLock { $0 = nil } }
        try notes.close()
        return found
    }

    @Test(.behaviour("U07"), arguments: [nil, ["name"], ["age"]])
    func keysAreComputedForChangedElementsOnly(_ keyPaths: [String]?) throws {
        let calls = try keyCalls(of: ObservedNode.self, keyPaths: keyPaths) { realm, key in
            realm.objects(ObservedNode.self).sectioned(by: { key($0.age) }, sortDescriptors: ["age"])
        }
        #expect(calls.allSatisfy { $0 <= 2 }, "\(calls)")
    }

    @Test(.behaviour("U07")) func keysOfProjectionsAreComputedForChangedElementsOnly() throws {
        let calls = try keyCalls(of: ObservedView.self, keyPaths: nil) { realm, key in
            realm.objects(ObservedView.self).sectioned(by: { key($0.rootObject.age) }, sortDescriptors: ["age"])
        }
        #expect(calls.allSatisfy { $0 <= 2 }, "\(calls)")
    }

    @Test(.behaviour("U07")) func keysOfMixedValuesAreComputedForChangedElementsOnly() throws {
        let notes = try ObservedRealm(nodes: 0..<0)
        try notes.write { realm in
            let holder = realm.create(ObservedValues.self)
            for id in 0..<100 {
                holder.values.append(.object(realm.create(ObservedNode.self, value: ["id": id, "age": id / 50])))
            }
        }
        let (log, calls) = (ObservedLog(), Locked(0))
        try notes.observe { realm in
            let values = try #require(realm.objects(ObservedValues.self).first?.values)
            return values.sectioned(by: { (value: AnyRealmValue) -> Int in
                calls.withLock { $0 += 1 }
                return value.object(ObservedNode.self)?.age ?? -1
            }).observe { log.add($0) }
        }
        #expect(log.take() == ["initial [50, 50]"])
        calls.withLock { $0 = 0 }
        try notes.write { try CollectionNotificationTests.node(49, $0).age = 1 }
        #expect(log.take() == ["[49, 51] -[0.49] +[1.0] ~[] sections +[] -[]"])
        #expect(calls.withLock { $0 } == 1)
    }

    /// Sections that an observer with key paths was notified of stay current. A change of another property is reported
    /// if it moves the element to another section, and only then.
    @Test(.behaviour("U07")) func aChangeOutsideOfTheKeyPathsMovesAnElement() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).sectioned(by: { $0.age / 2 }, sortDescriptors: ["name"])
                .observe(keyPaths: ["name"]) { log.add($0) }
        }
        #expect(log.take() == ["initial [2, 2]"])
        try notes.write { try CollectionNotificationTests.node(1, $0).tags.insert("not on the path") }
        #expect(log.take() == [])
        try notes.write { try CollectionNotificationTests.node(1, $0).age = 3 }
        #expect(log.take() == ["[1, 3] -[0.1] +[1.0] ~[] sections +[] -[]"])
        try notes.write { try CollectionNotificationTests.node(1, $0).name = "1b" }
        #expect(log.take() == ["[1, 3] -[] +[] ~[1.0] sections +[] -[]"])
    }

    @Test func aSkippedNotificationKeepsTheNextChangeComplete() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        let log = ObservedLog()
        let token = try observePairs(in: notes, log)
        notes.settle()
        try notes.on { realm in
            try realm.write(withoutNotifying: [token]) {
                realm.delete(try CollectionNotificationTests.node(0, realm))
            }
        }
        notes.settle()
        #expect(log.take() == ["initial [2, 2]"])
        try notes.write { try $0.delete(CollectionNotificationTests.node(3, $0)) }
        #expect(log.take() == ["[1, 1] -[1.1] +[] ~[] sections +[] -[]"])
    }

    @Test(arguments: [nil, ["name"], ["age"], ["next.name"]])
    func randomChanges(_ keyPaths: [String]?) throws {
        var generator = SeededGenerator(for: "section notifications")
        let notes = try ObservedRealm(nodes: 0..<12)
        let shown = Locked<[[Int]]>([])
        let failures = ObservedLog()
        try notes.observe { realm in
            realm.objects(ObservedNode.self).sectioned(by: { $0.age % 5 }, sortDescriptors: ["name"])
                .observe(keyPaths: keyPaths) { change in
                    switch change {
                    case .initial(let sections): shown.withLock { $0 = sections.map { $0.map(\.id) } }
                    case .update(let sections, let deletions, let insertions, _, let added, let removed):
                        let new = sections.map { $0.map(\.id) }
                        let result = shown.withLock { shown in
                            for path in deletions.reversed() { shown[path.section].remove(at: path.item) }
                            for section in removed.reversed() { shown.remove(at: section) }
                            for section in added { shown.insert([], at: section) }
                            for path in insertions {
                                shown[path.section].insert(new[path.section][path.item], at: path.item)
                            }
                            return shown
                        }
                        if result != new { failures.add("\(result), should be \(new)") }
                        let fresh = sections.realm?.objects(ObservedNode.self)
                            .sectioned(by: { $0.age % 5 }, sortDescriptors: ["name"])
                        if fresh?.map({ $0.map(\.id) }) != new || fresh?.allKeys != sections.allKeys {
                            failures.add("\(new) are not the sections")
                        }
                    }
                }
        }
        for round in 0..<150 {
            try notes.write { realm in
                for _ in 0...generator.below(3) {
                    let nodes = realm.objects(ObservedNode.self)
                    switch generator.below(4) {
                    case 0: realm.create(ObservedNode.self, value: ["id": 100 + round * 4 + nodes.count], update: .all)
                    case 1 where nodes.count > 4: realm.delete(nodes[generator.below(nodes.count)])
                    case 2: nodes[generator.below(nodes.count)].age = generator.below(12)
                    default: nodes[generator.below(nodes.count)].name = "\(generator.below(30))"
                    }
                }
            }
            #expect(failures.take() == [], "seed \(generator.seed), round \(round)")
        }
        try notes.on { realm in
            let now = realm.objects(ObservedNode.self).sectioned(by: { $0.age % 5 }, sortDescriptors: ["name"])
            #expect(shown.withLock { $0 } == now.map { $0.map(\.id) })
        }
    }
}

extension ObservedLog {
    fileprivate func add<Key, Element>(_ change: SectionedResultsChange<SectionedResults<Key, Element>>) {
        switch change {
        case .initial(let all): add("initial \(all.map(\.count))")
        case .update(let all, let deletions, let insertions, let modifications, let added, let removed):
            add("\(all.map(\.count)) " + text(deletions, insertions, modifications, added, removed))
        }
    }

    fileprivate func add<Key, Element>(_ change: SectionedResultsChange<ResultsSection<Key, Element>>) {
        switch change {
        case .initial(let all): add("initial \(all.count)")
        case .update(let all, let deletions, let insertions, let modifications, let added, let removed):
            add("\(all.count) " + text(deletions, insertions, modifications, added, removed))
        }
    }

    private func text(
        _ deletions: [IndexPath], _ insertions: [IndexPath], _ modifications: [IndexPath], _ added: IndexSet,
        _ removed: IndexSet
    ) -> String {
        func text(_ paths: [IndexPath]) -> String {
            "[" + paths.map { "\($0.section).\($0.item)" }.joined(separator: ", ") + "]"
        }
        return "-\(text(deletions)) +\(text(insertions)) ~\(text(modifications)) "
            + "sections +\(Array(added)) -\(Array(removed))"
    }
}
