// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Observation)
    import Dispatch
    import Foundation
    import Observation
    import RealmRuntime
    import RealmSystem
    import RealmTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Changes of live objects and collections that `withObservationTracking` reports.
    @Suite(.scope(TestCleanup.perform)) struct ObservationTests {
        private func track(_ name: String, _ log: ObservedLog, _ read: () -> Void) {
            withObservationTracking(read) { log.add(name) }
        }

        private func node(_ id: Int, _ realm: Realm) throws -> ObservedNode {
            try CollectionNotificationTests.node(id, realm)
        }

        #if os(Linux)
            /// The names by which `ReadTracker.isWanted` recognises programs that use Observation
            /// (Documentation/RuntimeContracts.md).
            @Test func usesOfObservationAreImported() throws {
                let names = try #require(ImportedSymbols.filter(prefix: "$s11Observation") { _ in true })
                #expect(names.contains { $0.hasPrefix("0A9Registrar") })
                #expect(names.contains { !$0.hasPrefix("0A9Registrar") && !$0.hasPrefix("10Observable") })
                #expect(ReadTracker.isWanted)
            }
        #endif

        @Test func aPropertyOfAnObjectThatWasReadBefore() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            try notes.on { realm in
                let node = try node(0, realm)
                #expect(node.name == "0" && node.age == 0)
                track("name", log) { _ = node.name }
                track("age", log) { _ = node.age }
                track("both", log) { _ = (node.name, node.age) }
                try realm.write { node.age = 5 }
                #expect(log.take().sorted() == ["age", "both"])
                try realm.write { node.age = 6 }
                #expect(log.take() == [])
                try realm.write { node.name = "zero" }
                #expect(log.take() == ["name"])
            }
        }

        /// The state is current when `onChange` is called, so tracking can continue from there.
        @Test func readsInOnChangeSeeTheNewState() throws {
            let notes = try ObservedRealm(nodes: 0..<1)
            let log = ObservedLog()
            try notes.on { realm in
                let node = UncheckedNode(node: try node(0, realm))
                @Sendable func follow() {
                    withObservationTracking {
                        log.add("\(node.node.age)")
                    } onChange: {
                        follow()
                    }
                }
                follow()
                for age in 1...3 { try realm.write { node.node.age = age } }
                #expect(log.take() == ["0", "1", "2", "3"])
            }
        }

        private struct UncheckedNode: @unchecked Sendable { let node: ObservedNode }

        @Test func everyKindOfProperty() throws {
            let notes = try ObservedRealm(nodes: 0..<3)
            let log = ObservedLog()
            try notes.on { realm in
                let (first, second) = (try node(0, realm), try node(1, realm))
                try realm.write { first.box = ObservedBox(value: ["label": "a"]) }
                let reads: [(String, () -> Void, () -> Void)] = [
                    ("link", { _ = first.next }, { first.next = second }),
                    ("through a link", { _ = first.next?.age }, { second.age = 77 }),
                    ("mixed", { _ = first.remark }, { first.remark = .int(1) }),
                    ("embedded", { _ = first.box?.label }, { first.box?.label = "b" }),
                    ("list", { _ = first.numbers.count }, { first.numbers.append(1) }),
                    ("list element", { _ = first.numbers[0] }, { first.numbers[0] = 2 }),
                    ("list of objects", { _ = first.children.isEmpty }, { first.children.append(second) }),
                    ("set", { _ = first.tags.contains("x") }, { first.tags.insert("x") }),
                    ("map", { _ = first.scores["k"] }, { first.scores["k"] = 1 }),
                    ("map keys", { for _ in first.scores {} }, { first.scores["l"] = 1 }),
                    ("inverse", { _ = second.parents.count }, { try? self.node(2, realm).children.append(second) }),
                    ("by name", { _ = first["age"] }, { first["age"] = 99 }),
                    ("projection", { _ = ObservedView(projecting: first).title }, { first.name = "shown" }),
                ]
                for (name, read, change) in reads {
                    track(name, log, read)
                    try realm.write { first.age += 0 }
                    #expect(log.take() == [], "\(name)")
                    try realm.write(change)
                    #expect(log.take() == [name])
                    try realm.write(change)
                    #expect(log.take() == [])
                }
            }
        }

        @Test func queries() throws {
            let notes = try ObservedRealm(nodes: 0..<4)
            let log = ObservedLog()
            try notes.on { realm in
                let all = realm.objects(ObservedNode.self)
                let old = all.where { $0.age >= 2 }
                let sorted = all.sorted(byKeyPath: "age")
                let sections = all.sectioned(by: \.age, ascending: true)
                func trackAll() {
                    track("count", log) { _ = all.count }
                    track("iteration", log) { for _ in all {} }
                    track("filter", log) { _ = old.count }
                    track("made within", log) { _ = realm.objects(ObservedNode.self).filter("age >= 2").first }
                    track("empty", log) { _ = old.isEmpty }
                    track("order", log) { _ = sorted.first }
                    track("sum", log) { let _: Int = all.sum(of: \.age) }
                    track("sections", log) { _ = sections.count }
                }
                trackAll()
                try realm.write { try node(0, realm).name = "irrelevant" }
                #expect(log.take().sorted() == ["sections", "sum"])
                trackAll()
                _ = log.take()
                try realm.write { try node(3, realm).age = 1 }
                #expect(Set(log.take()) == ["filter", "made within", "empty", "order", "sum", "sections"])
                try realm.write { realm.create(ObservedNode.self, value: ["id": 9, "age": 0]) }
                #expect(Set(log.take()) == ["count", "iteration"])
                trackAll()
                try realm.write { realm.delete(realm.objects(ObservedNode.self)) }
                #expect(
                    Set(log.take())
                        == ["count", "iteration", "filter", "made within", "empty", "order", "sum", "sections"])
            }
        }

        @Test func writesElsewhere() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            try notes.on { realm in
                let node = try node(0, realm)
                track("name", log) { _ = node.name }
                track("age", log) { _ = node.age }
                track("count", log) { _ = realm.objects(ObservedNode.self).count }
            }
            try notes.writeElsewhere { try CollectionNotificationTests.node(0, $0).name = "zero" }
            #expect(log.take() == ["name"])
            try notes.writeElsewhere { $0.create(ObservedNode.self, value: ["id": 5]) }
            #expect(log.take() == ["count"])
            try notes.writeElsewhere { try CollectionNotificationTests.node(0, $0).age = 8 }
            #expect(log.take() == ["age"])
        }

        /// A thread without deliveries is notified when it advances.
        @Test func aThreadThatRefreshes() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            let configuration = notes.configuration
            try onThread {
                let realm = try Realm(configuration: configuration)
                let node = try CollectionNotificationTests.node(0, realm)
                withObservationTracking({ _ = node.age }, onChange: { log.add("refresh") })
                try onThread {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { try CollectionNotificationTests.node(0, realm).age = 4 }
                }
                #expect(log.take() == [])
                #expect(realm.refresh())
                #expect(log.take() == ["refresh"])
                withObservationTracking({ _ = node.age }, onChange: { log.add("begin") })
                try onThread {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { try CollectionNotificationTests.node(0, realm).age = 5 }
                }
                realm.beginWrite()
                #expect(log.take() == ["begin"])
                realm.cancelWrite()
            }
        }

        @Test func deletedObjects() throws {
            let notes = try ObservedRealm(nodes: 0..<3)
            let log = ObservedLog()
            try notes.on { realm in
                let (first, second) = (try node(0, realm), try node(1, realm))
                track("age", log) { _ = first.age }
                track("list", log) { _ = first.children.count }
                track("there", log) { _ = first.isInvalidated }
                track("other", log) { _ = second.age }
                try realm.write { realm.delete(first) }
                #expect(log.take().sorted() == ["age", "list", "there"])
                track("gone", log) { _ = first.age }
                realm.invalidate()
                #expect(log.take().sorted() == ["gone", "other"])
            }
        }

        /// Values read within a write may not exist after it, so its end counts as a change.
        @Test func readsWithinAWrite() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            try notes.on { realm in
                let node = try node(0, realm)
                realm.beginWrite()
                track("unchanged", log) { _ = node.age }
                node.name = "new"
                track("changed", log) { _ = node.name }
                realm.cancelWrite()
                #expect(log.take() == ["changed"])
                try realm.write {
                    node.name = "newer"
                    track("committed", log) { _ = node.name }
                    #expect(log.take() == [])
                }
                #expect(log.take() == ["committed"])
                try realm.write { node.age = 1 }
                #expect(log.take() == ["unchanged"])
            }
        }

        @Test func asynchronousWrites() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            let done = DispatchSemaphore(value: 0)
            try notes.on { realm in
                let node = try node(0, realm)
                track("age", log) { _ = node.age }
                track("name", log) { _ = node.name }
                realm.writeAsync {
                    node.age = 3
                } onComplete: { _ in
                    done.signal()
                }
            }
            done.wait()
            notes.settle()
            #expect(log.take() == ["age"])
            try notes.write { try CollectionNotificationTests.node(0, $0).name = "x" }
            #expect(log.take() == ["name"])
        }

        /// Reads outside of tracking, and before a reported change, leave no state.
        @Test func nothingIsKept() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            try notes.on { realm in
                let node = try node(0, realm)
                _ = (node.age, node.children.count, realm.objects(ObservedNode.self).count)
                let pins = try realm.pins().count
                for age in 1...300 {
                    track("\(age)", log) { _ = node.age }
                    try realm.write { node.age = age }
                }
                #expect(log.take().count == 300)
                #expect(try realm.pins().count == pins)
            }
        }

        @Test func realmsThatDoNotTrack() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            var configuration = notes.configuration
            configuration.access.tracksReads = false
            #expect(notes.configuration.access.tracksReads)
            let log = ObservedLog()
            try onThread { [configuration] in
                let realm = try Realm(configuration: configuration)
                let node = try CollectionNotificationTests.node(0, realm)
                withObservationTracking {
                    #expect(node.name == "0" && node.age == 0 && realm.objects(ObservedNode.self).count == 2)
                } onChange: {
                    log.add("changed")
                }
                try realm.write { node.age = 1 }
                #expect(node.age == 1)
            }
            #expect(log.take() == [])
        }

        @Test func frozenThingsNeverChange() throws {
            let notes = try ObservedRealm(nodes: 0..<2)
            let log = ObservedLog()
            try notes.on { realm in
                let frozen = try node(0, realm).freeze()
                track("frozen", log) { _ = (frozen.age, frozen.children.count) }
                try realm.write { try node(0, realm).age = 1 }
            }
            #expect(log.take() == [])
        }
    }
#endif
