// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Random histories. A reported change, applied to the previous contents, gives the current ones. Exactly the remaining
/// elements that differ, within the observed depth, are reported as modified.
@Suite struct NotificationHistoryTests {
    @Test func reportedChangesMatchTheContents() throws {
        var random = SeededGenerator(for: "notification histories")
        let notes = try ObservedRealm(nodes: 0..<8)
        let tracks = try notes.on { realm in
            let node = try CollectionNotificationTests.node(0, realm)
            let all = realm.objects(ObservedNode.self)
            return [
                Track("all", nodes: all), Track("some", nodes: all.where { $0.age < 5 }),
                Track("sorted", nodes: all.sorted(byKeyPath: "age")),
                Track("both", nodes: all.where { $0.age > 2 }.sorted(byKeyPath: "name", ascending: false)),
                Track("distinct", nodes: all.distinct(by: ["age"])),
                Track("linked", nodes: all.where { $0.next.age > 3 }),
                Track("children", nodes: node.children),
                Track("sorted children", nodes: node.children.sorted(byKeyPath: "age")),
                Track("peers", nodes: node.peers), Track("parents", nodes: node.parents),
                Track("any", nodes: AnyRealmCollection(node.children)),
                Track("numbers", values: node.numbers), Track("tags", values: node.tags),
                Track("sorted numbers", values: node.numbers.sorted(ascending: false)),
                Track("scores", values: node.scores), Track("named", nodes: node.named),
            ]
        }
        notes.settle()
        // A short history may not reach an observer, so the loop continues until each has been notified, or gives up.
        let usual = Settings.isContinuousIntegration ? 300 : 30
        for round in 0..<10 * usual where round < usual || tracks.contains(where: { $0.count == 0 }) {
            for _ in 0...random.below(3) {
                let seed = random.next()
                let change: @Sendable (Realm) throws -> Void = { realm in
                    var random = SeededGenerator(seed: seed)
                    for _ in 0...random.below(4) { try ObservedChange.perform(in: realm, &random) }
                }
                if random.chance(50) {
                    try notes.on { realm in try realm.write { try change(realm) } }
                } else {
                    let configuration = notes.configuration
                    try onThread {
                        let realm = try Realm(configuration: configuration)
                        try realm.write { try change(realm) }
                    }
                }
                if random.chance(20) { try notes.on { _ = $0.refresh() } }
            }
            notes.settle()
            try notes.on { _ in for track in tracks { track.verify() } }
        }
        #expect(tracks.allSatisfy { $0.count > 0 }, "\(tracks.map { ($0.name, $0.count) })")
        try notes.on { _ in for track in tracks { track.end() } }
        try notes.close()
    }
}

enum ObservedChange {
    static func perform(in realm: Realm, _ random: inout SeededGenerator) throws {
        let ids = Array(realm.objects(ObservedNode.self).map(\.id))
        func any() -> ObservedNode {
            let id = random.pick(ids)
            return realm.object(ofType: ObservedNode.self, forPrimaryKey: id) ?? ObservedNode()
        }
        let node = random.chance(60) ? realm.object(ofType: ObservedNode.self, forPrimaryKey: 0) ?? any() : any()
        switch random.below(16) {
        case 0, 1: realm.create(ObservedNode.self, value: ["id": (ids.max() ?? 0) + 1, "age": random.below(9)])
        case 2: if ids.count > 5, case let victim = any(), victim.id != 0 { realm.delete(victim) }
        case 3, 4: any().age = random.below(9)
        case 5: any().name = "\(random.below(5))"
        case 6: node.next = random.chance(70) ? any() : nil
        case 7:
            let parent = random.chance(30) ? any() : node
            let first = realm.object(ofType: ObservedNode.self, forPrimaryKey: 0)
            parent.children.insert(
                random.chance(30) ? first ?? any() : any(), at: random.below(parent.children.count + 1))
        case 8: if !node.children.isEmpty { node.children.remove(at: random.below(node.children.count)) }
        case 9:
            let count = node.children.count
            if count > 1 { node.children.move(from: random.below(count), to: random.below(count)) }
        case 10: if !node.children.isEmpty { node.children[random.below(node.children.count)] = any() }
        case 11: if random.chance(70) { node.peers.insert(any()) } else { node.peers.remove(any()) }
        case 12:
            let count = node.numbers.count
            switch random.below(3) {
            case 0: node.numbers.insert(random.below(6), at: random.below(count + 1))
            case 1: if count > 0 { node.numbers.remove(at: random.below(count)) }
            default: if count > 0 { node.numbers[random.below(count)] = random.below(6) }
            }
        case 13:
            let tag = "\(random.below(8))"
            if random.chance(60) { node.tags.insert(tag) } else { node.tags.remove(tag) }
        case 14:
            let key = "k\(random.below(6))"
            if random.chance(70) { node.scores[key] = random.below(4) } else { node.scores[key] = nil }
        default:
            let key = "k\(random.below(4))"
            if random.chance(70) { node.named[key] = any() } else { node.named.removeObject(for: key) }
        }
    }
}

private struct Look: Equatable {
    let identity: String
    let text: String
}

/// A collection in the state that its observer was notified of. Used only on the observer's queue.
private final class Track: @unchecked Sendable {
    let name: String
    private(set) var count = 0
    private var known: [Look]?
    private var read: () -> [Look] = { [] }
    private var token: NotificationToken?

    init<Nodes: RealmCollection>(_ name: String, nodes: Nodes) where Nodes.Element == ObservedNode {
        self.name = name
        read = {
            var known: [Int: Int] = [:]
            return Array(nodes).map { Look(identity: "\($0.id)", text: "\(Track.look($0, depth: 4, &known))") }
        }
        token = nodes.observe { [weak self] in self?.receive($0) }
    }

    init<Values: RealmCollection>(_ name: String, values: Values) where Values.Element: CustomStringConvertible {
        self.name = name
        read = { values.map { Look(identity: "\($0)", text: "\($0)") } }
        token = values.observe { [weak self] in self?.receive($0) }
    }

    init(_ name: String, values: Map<String, Int>) {
        self.name = name
        read = { values.keys.map { Look(identity: $0, text: "\(values[$0] ?? -1)") } }
        token = values.observe { [weak self] in self?.receive($0) }
    }

    init(_ name: String, nodes: Map<String, ObservedNode?>) {
        self.name = name
        read = {
            var known: [Int: Int] = [:]
            return nodes.keys.map { key in
                let node = nodes[key] ?? nil
                return Look(identity: key, text: node.map { "\(Track.look($0, depth: 4, &known))" } ?? "nil")
            }
        }
        token = nodes.observe { [weak self] in self?.receive($0) }
    }

    func end() {
        token = nil
        read = { [] }
    }

    func verify() {
        #expect(known == read(), "\(name)")
    }

    private func receive<Collection: RealmCollection>(_ change: RealmCollectionChange<Collection>) {
        switch change {
        case .initial: known = read()
        case .update(_, let deletions, let insertions, let modifications):
            apply(deletions, insertions, Set(modifications))
        case .error(let error): Issue.record(error)
        }
    }

    private func receive<Value>(_ change: RealmMapChange<Map<String, Value>>) {
        switch change {
        case .initial: known = read()
        case .update(_, let deletions, let insertions, let modifications):
            let (old, new) = ((known ?? []).map(\.identity), read().map(\.identity))
            #expect(Set(deletions).isSubset(of: old) && Set(modifications).isSubset(of: old), "\(name)")
            #expect(Set(insertions).isSubset(of: new), "\(name)")
            apply(
                old.indices.filter { deletions.contains(old[$0]) }, new.indices.filter { insertions.contains(new[$0]) },
                Set(old.indices.filter { modifications.contains(old[$0]) }))
        case .error(let error): Issue.record(error)
        }
    }

    private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: Set<Int>) {
        count += 1
        let (old, new) = (known ?? [], read())
        known = new
        let stayedBefore = old.indices.filter { !deletions.contains($0) }
        let stayedAfter = new.indices.filter { !insertions.contains($0) }
        #expect(stayedBefore.count == stayedAfter.count, "\(name): \(deletions) \(insertions)")
        #expect(modifications.isDisjoint(with: deletions), "\(name)")
        for (before, after) in zip(stayedBefore, stayedAfter) {
            #expect(
                (old[before] != new[after]) == modifications.contains(before),
                "\(name) \(before)>\(after): \(old[before]) \(new[after]) \(modifications)")
        }
    }

    /// Numbers the values of a node and its linked nodes. Equal values have equal numbers.
    private static func look(_ node: ObservedNode, depth: Int, _ known: inout [Int: Int]) -> Int {
        let place = node.id * 8 + depth
        if let look = known[place] { return look }
        var hasher = Hasher()
        hasher.combine([node.id, node.age, node.next?.id ?? -1])
        hasher.combine(node.name)
        hasher.combine(Array(node.numbers))
        hasher.combine(Array(node.tags))
        for key in node.scores.keys.sorted() { hasher.combine("\(key) \(node.scores[key] ?? -1)") }
        var linked = [node.next].compactMap { $0 } + Array(node.children)
        hasher.combine(node.children.count)
        linked += node.peers.sorted { $0.id < $1.id }
        for key in node.named.keys.sorted() {
            let value = node.named[key] ?? nil
            hasher.combine("\(key) \(value?.id ?? -1)")
            linked += [value].compactMap { $0 }
        }
        hasher.combine(linked.map(\.id))
        if depth > 0 { for node in linked { hasher.combine(look(node, depth: depth - 1, &known)) } }
        let look = hasher.finalize()
        known[place] = look
        return look
    }
}
