// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

final class ObservedNode: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var next: ObservedNode?
    @Persisted var children: List<ObservedNode>
    @Persisted var peers: MutableSet<ObservedNode>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var named: Map<String, ObservedNode?>
    @Persisted var remark: AnyRealmValue
    @Persisted var box: ObservedBox?
    @Persisted var boxes: List<ObservedBox>
    @Persisted(originProperty: "children") var parents: LinkingObjects<ObservedNode>
    @Persisted(originProperty: "next") var previous: LinkingObjects<ObservedNode>
}

final class ObservedBox: TestEmbedded {
    @Persisted var label: String
    @Persisted var size: Int
}

final class UnlinkedObject: TestObject {
    @Persisted var weight: Int
}

final class ObservedView: Projection<ObservedNode> {
    @Projected(\ObservedNode.name) var title
    @Projected(\ObservedNode.box?.label) var label
    @Projected(\ObservedNode.box?.size) var size
    @Projected(\ObservedNode.children.projectTo.name) var childNames: ProjectedCollection<String>
}

final class ObservedValues: TestObject {
    @Persisted var values: List<AnyRealmValue>
}

let observedTypes: [ObjectBase.Type] = [
    ObservedNode.self, ObservedBox.self, UnlinkedObject.self, ObservedValues.self,
]

/// A Realm of a queue, whose observers a test can wait for without a clock.
///
/// The Realm and its objects are used on the queue only.
final class ObservedRealm: @unchecked Sendable {
    let folder: TemporaryFolder
    let configuration: Realm.Configuration
    let queue = DispatchQueue(label: "test.notes")
    private var realm: Realm?
    /// The tokens of `observe`.
    private var tokens: [Any] = []

    init(nodes: Range<Int> = 0..<0) throws {
        folder = try TemporaryFolder()
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/notes.realm"), objectTypes: observedTypes)
        try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
        try write { realm in
            for id in nodes { realm.create(ObservedNode.self, value: ["id": id, "name": "\(id)", "age": id]) }
        }
        TestCleanup.add { [self] in try close() }
    }

    @discardableResult
    func on<Result>(_ body: (Realm) throws -> Result) throws -> Result {
        try queue.sync { try body(try #require(realm)) }
    }

    /// Adds observers on the queue, which stay until the end, and waits until they have been notified.
    func observe<Tokens>(_ body: (Realm) throws -> Tokens) throws {
        tokens.append(try on(body))
        settle()
    }

    /// Writes on the queue, and waits until all observers have been notified.
    func write(_ body: (Realm) throws -> Void) throws {
        try on { realm in try realm.write { try body(realm) } }
        settle()
    }

    /// Writes on another thread, and waits until all observers have been notified.
    func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
        let configuration = configuration
        try onThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { try body(realm) }
        }
        settle()
    }

    /// Waits until no notification is pending, on this queue and on others with a Realm of the same file.
    func settle(_ others: DispatchQueue...) {
        let queues = [queue] + others
        for _ in 0..<10_000 {
            Observers.background.sync(flags: .barrier) {}
            // Twice, because a block on one queue may write.
            if (queues + queues).allSatisfy(isSettled) { return }
        }
        Issue.record("Notifications are pending")
    }

    private func isSettled(_ queue: DispatchQueue) -> Bool {
        queue.sync {
            guard let realm = queue === self.queue ? realm : try? Realm(configuration: configuration, queue: queue),
                !realm.isInWriteTransaction, let version = realm.instance.snapshot?.version
            else { return true }
            var observers = realm.instance.delivery.observers
            let isCurrent = !realm.autorefresh || version == realm.instance.coordinator.database.version
            return isCurrent && !observers.isPreparing
                && observers.activeObservers().allSatisfy { !$0.hasRoom || !$0.isBehind(version) }
        }
    }

    func close() throws {
        queue.sync { (tokens, realm) = ([], nil) }
        settle()
        let url = try #require(configuration.fileURL)
        try FileAudit.requireClean(path: url.path, strict: false)
    }
}

/// The notifications of observers, as text. Used only on one queue.
final class ObservedLog: @unchecked Sendable {
    private let received = Locked<[String]>([])

    func add(_ text: String) { received.withLock { $0.append(text) } }

    var isEmpty: Bool { received.withLock(\.isEmpty) }

    /// Returns the notifications since the last call.
    func take() -> [String] {
        received.withLock { received in
            defer { received = [] }
            return received
        }
    }

    func add<Collection: RealmCollection>(_ change: RealmCollectionChange<Collection>) {
        switch change {
        case .initial(let all): add("initial \(all.count)")
        case .update(let all, let deletions, let insertions, let modifications):
            add("\(all.count) -\(deletions) +\(insertions) ~\(modifications)")
        case .error(let error): add("\(error)")
        }
    }

    func add<Key, Value>(_ change: RealmMapChange<Map<Key, Value>>) {
        switch change {
        case .initial(let all): add("initial \(all.count)")
        case .update(let all, let deletions, let insertions, let modifications):
            add("\(all.count) -\(deletions) +\(insertions) ~\(modifications)")
        case .error(let error): add("\(error)")
        }
    }

    /// The names of properties with their old and new values.
    func add<Subject>(_ change: ObjectChange<Subject>) {
        switch change {
        case .change(_, let properties):
            add(properties.map { "\($0.name) \(text($0.oldValue))>\(text($0.newValue))" }.joined(separator: ", "))
        case .deleted: add("deleted")
        case .error(let error): add("\(error)")
        }
    }

    private func text(_ value: Any?) -> String {
        switch value {
        case let node as ObservedNode: node.isInvalidated ? "gone" : "node \(node.id)"
        case let names as ProjectedCollection<String>: "\(Array(names))"
        case let value?: "\(value)"
        case nil: "-"
        }
    }
}
