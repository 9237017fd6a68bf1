// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `undo`: reverted changes, and reverted undos.
@Suite struct UndoTests {
    private func edit(_ realm: Realm, _ random: inout SeededGenerator, ids: Range<Int> = 0..<12) throws {
        try realm.write {
            var editor = HistoryEditor(realm, SeededGenerator(seed: random.next()))
            editor.ids = ids
            editor.edit(times: 1 + random.below(15))
        }
    }

    private func compare(_ a: Dump, _ b: Dump, _ comment: String) {
        for reference in Set(a.keys).union(b.keys) {
            let (before, after) = (a[reference] ?? [:], b[reference] ?? [:])
            for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
                let values = [before, after].map { $0[name]?.description ?? "-" }
                Issue.record("\(comment): \(reference).\(name): \(values[0]), \(values[1])")
            }
        }
        #expect(
            Set(a.keys.map { "\($0.className)\($0.objectKey)" })
                == Set(b.keys.map { "\($0.className)\($0.objectKey)" }),
            "\(comment)")
    }

    @Test func randomUndoAndRedo() throws {
        var random = SeededGenerator(for: "UndoTests.randomUndoAndRedo")
        try withRealm(HistoryPerson.types) { realm in
            for round in 0..<60 {
                let (before, old) = (try realm.snapshot(label: "before"), realm.dump())
                for _ in 0..<(1 + random.below(3)) { try edit(realm, &random) }
                let new = realm.dump()
                let group = try realm.diff(since: before)
                let redo = try realm.revert(group)
                compare(old, realm.dump(), "undo \(round)")
                try ChangesTests.compare(redo, new, old)
                #expect(try realm.diff(since: before).isEmpty, "undo \(round)")
                if random.chance(60) {
                    let again = try realm.revert(redo)
                    compare(new, realm.dump(), "redo \(round)")
                    if random.chance(30) {
                        try realm.revert(again)
                        compare(old, realm.dump(), "undo again \(round)")
                    }
                }
                for person in realm.objects(HistoryPerson.self) {
                    let fans = realm.objects(HistoryPerson.self).reduce(0) { count, fan in
                        count + fan.friends.filter { $0.id == person.id }.count
                    }
                    #expect(person.fans.count == fans)
                }
            }
        }
    }

    /// Later changes either conflict, so that nothing happens, or they stay.
    @Test func randomLaterChanges() throws {
        var random = SeededGenerator(for: "UndoTests.randomLaterChanges")
        var outcomes = (undone: 0, refused: 0)
        try withRealm(HistoryPerson.types) { realm in
            try edit(realm, &random)
            try realm.write {
                for id in 20..<24 { realm.create(HistoryPerson.self, value: ["id": id]) }
            }
            for round in 0..<120 {
                let (before, old) = (try realm.snapshot(label: "before"), realm.dump())
                try realm.write {
                    var editor = HistoryEditor(realm, SeededGenerator(seed: random.next()))
                    editor.edit(times: 1 + random.below(3))
                }
                let (group, new) = (try realm.diff(since: before), realm.dump())
                try edit(realm, &random, ids: random.chance(40) ? 20..<30 : 0..<12)
                let (version, now) = (realm.version, realm.dump())
                do {
                    try realm.revert(group)
                    outcomes.undone += 1
                    compare(expected(old, new, now), realm.dump(), "round \(round)")
                } catch let conflict as Realm.UndoConflict {
                    outcomes.refused += 1
                    #expect(!conflict.conflicts.isEmpty && realm.version == version && !realm.isInWriteTransaction)
                    compare(now, realm.dump(), "refused \(round)")
                    let isInWay = conflict.conflicts.contains { one in
                        old[one.object] != new[one.object]
                            || [.insertedSince, .targetDeletedSince].contains(one.reason)
                    }
                    #expect(isInWay, "\(conflict)")
                }
            }
        }
        #expect(outcomes.undone > 5 && outcomes.refused > 5, "\(outcomes)")
    }

    private func expected(_ old: Dump, _ new: Dump, _ now: Dump) -> Dump {
        var result = now
        for reference in Set(old.keys).union(new.keys) {
            let key = { (dump: Dump) in dump.index(forKey: reference).map { dump[$0].key } }
            switch (old[reference], new[reference]) {
            case (let before?, let after?):
                // An object that was deleted and created again has its original key.
                if let was = key(old), was.objectKey != key(new)?.objectKey,
                    let values = result.removeValue(forKey: reference)
                {
                    result[was] = values
                }
                for name in before.keys where before[name] != after[name] { result[reference]?[name] = before[name] }
            case (let before?, nil): result[reference] = before
            case (nil, _): result[reference] = nil
            }
        }
        return result
    }

    // MARK: Hand-written cases

    private func withPeople(_ body: (Realm, Frozen<Realm>, [HistoryPerson]) throws -> Void) throws {
        try withRealm(HistoryPerson.types) { realm in
            try realm.write {
                for id in 0..<4 { realm.create(HistoryPerson.self, value: ["id": id, "name": "p\(id)", "age": id]) }
            }
            try body(realm, try realm.snapshot(label: "before"), Array(realm.objects(HistoryPerson.self)))
        }
    }

    private func reasons(_ realm: Realm, _ group: Realm.Changes) -> [String] {
        do {
            try realm.revert(group)
            return []
        } catch let error as Realm.UndoConflict {
            return error.conflicts.map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }

    /// Objects that stay aren't changed: their accessors remain valid, and observers are notified of restored and
    /// removed objects.
    @Test func observersOfAnUndo() throws {
        let notes = try ObservedRealm(nodes: 0..<4)
        var seen: [[Int]] = []
        let (kept, token) = try notes.on { realm in
            let nodes = realm.objects(ObservedNode.self)
            try realm.write {
                nodes[0].box = ObservedBox(value: ["label": "Elm"])
                nodes[0].children.append(objectsIn: nodes)
            }
            let token = nodes[0].children.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    seen += [deletions, insertions, modifications]
                }
            }
            return (try realm.snapshot(label: "kept"), token)
        }
        notes.settle()
        try notes.write { realm in
            let nodes = realm.objects(ObservedNode.self)
            nodes[0].box?.label = "Oak"
            nodes[0].children.remove(at: 1)
            realm.delete(nodes[3])
        }
        seen = []
        try notes.on { realm in
            let node = realm.objects(ObservedNode.self)[0]
            let box = try #require(node.box)
            try realm.revert(try realm.diff(since: kept))
            #expect(box.label == "Elm" && !box.isInvalidated && node.children.map(\.id) == [0, 1, 2, 3])
        }
        notes.settle()
        try notes.on { _ in
            #expect(seen == [[], [1, 3], [0]])
            token.invalidate()
        }
    }

    @Test func conflicts() throws {
        try withPeople { realm, before, people in
            try realm.write {
                people[0].age = 10
                people[1].name = "x"
                realm.delete(people[2])
                realm.create(HistoryPerson.self, value: ["id": 9])
                people[3].friend = people[1]
            }
            let group = try realm.diff(since: before)
            try realm.write { people[0].name = "other" }
            let redo = try realm.revert(group)
            #expect(
                people[0].age == 0 && people[0].name == "other" && people[1].name == "p1" && people[3].friend == nil)
            #expect(realm.object(ofType: HistoryPerson.self, forPrimaryKey: 2)?.name == "p2")
            #expect(realm.object(ofType: HistoryPerson.self, forPrimaryKey: 9) == nil)
            try realm.revert(redo)
            #expect(people[0].age == 10 && people[0].name == "other")

            let again = try realm.diff(since: before)
            try realm.write { people[0].age = 11 }
            #expect(reasons(realm, again) == ["HistoryPerson 0.age was changed"])
            try realm.write {
                people[0].age = 10
                realm.create(HistoryPerson.self, value: ["id": 2])
            }
            #expect(reasons(realm, again) == ["HistoryPerson 2 was created again"])
            let nine = try #require(realm.object(ofType: HistoryPerson.self, forPrimaryKey: 9))
            try realm.write {
                realm.delete(realm.objects(HistoryPerson.self).where { $0.id == 2 })
                people[1].home = HistoryAddress(value: ["resident": nine])
            }
            #expect(reasons(realm, again) == ["HistoryPerson 9 was linked to by an object that was changed"])
            try realm.write {
                people[1].home = nil
                nine.age = 3
            }
            #expect(reasons(realm, again) == ["HistoryPerson 9.age was changed"])
            try realm.write { realm.delete(nine) }
            #expect(reasons(realm, again) == ["HistoryPerson 9 was deleted"])
        }
    }

    @Test func conflictsOfLinksAndEmbeddedObjects() throws {
        try withPeople { realm, _, people in
            try realm.write {
                people[0].friend = people[1]
                people[2].home = HistoryAddress(value: ["street": "Elm"])
            }
            let before = try realm.snapshot(label: "before")
            try realm.write { people[0].friend = nil }
            var group = try realm.diff(since: before)
            try realm.write { realm.delete(people[1]) }
            #expect(reasons(realm, group) == ["HistoryPerson 1, which an old value links to, was deleted"])
            #expect(people[0].friend == nil && !realm.isInWriteTransaction)
            try realm.write { people[2].home?.street = "Oak" }
            group = try realm.diff(since: before)
            try realm.write { people[2].home?.lines.append("late") }
            #expect(reasons(realm, group).contains("HistoryPerson 2.home was changed"))
        }
    }

    /// A restored embedded object is another one with equal values, which isn't a later change.
    @Test func editsAreUndoneAndRedoneInTurn() throws {
        var random = SeededGenerator(for: "UndoTests.editsAreUndoneAndRedoneInTurn")
        try withRealm(HistoryPerson.types) { realm in
            for round in 0..<15 {
                var steps: [(changes: Realm.Changes, old: Dump, new: Dump)] = []
                for _ in 0..<5 {
                    let (before, old) = (try realm.snapshot(label: "before"), realm.dump())
                    try edit(realm, &random)
                    steps.append((try realm.diff(since: before), old, realm.dump()))
                }
                for index in steps.indices.reversed() {
                    steps[index].changes = try realm.revert(steps[index].changes)
                    compare(steps[index].old, realm.dump(), "undo \(round) \(index)")
                }
                for index in steps.indices {
                    steps[index].changes = try realm.revert(steps[index].changes)
                    compare(steps[index].new, realm.dump(), "redo \(round) \(index)")
                }
            }
        }
    }

    @Test func changesOfManyObjects() throws {
        try withRealm(HistoryPerson.types) { realm in
            try realm.write {
                for id in 0..<800 {
                    let person = realm.create(HistoryPerson.self, value: ["id": id, "age": id % 7])
                    person.friends.append(person)
                }
            }
            let (before, old) = (try realm.snapshot(label: "before"), realm.dump())
            try realm.write {
                realm.delete(realm.objects(HistoryPerson.self).where { $0.age > 2 })
                for person in realm.objects(HistoryPerson.self) { person.tags.append("x") }
            }
            try realm.revert(try realm.diff(since: before))
            compare(old, realm.dump(), "many")
            #expect(
                realm.objects(HistoryPerson.self).where { $0.age == 5 }.count
                    == old.values.count { $0["age"] == .int(5) })
        }
    }

    @Test func misuse() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            try withRealm(HistoryPerson.types) { realm in
                let changes = try realm.diff(since: Frozen(realm))
                try realm.write { _ = try realm.revert(changes) }
            }
        }.expectText("Cannot revert changes during a write transaction.")
    }
}
