// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Updated elements of a query compared with a new query.
@Suite struct ContentsUpdateTests {
    @Test func updatedElementsEqualThoseOfANewQuery() throws {
        var random = SeededGenerator(for: "updated contents")
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "\(UUID())", objectTypes: [ObservedNode.self, ObservedBox.self])
        let realm = try Realm(configuration: configuration, queue: nil)
        try realm.write { for id in 0..<400 { realm.create(ObservedNode.self, value: ["id": id, "age": id % 9]) } }
        let all = realm.objects(ObservedNode.self)
        let queries = [
            all.where { $0.age < 5 }, all.sorted(byKeyPath: "age"), all.sorted(byKeyPath: "name", ascending: false),
            all.where { $0.age > 2 }.sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "age")]),
            all.where { $0.name == "3" }, all.where { $0.children.count > 0 || $0.age == 1 },
        ]
        var (updates, rounds) = (0, 0)
        for _ in 0..<20 {
            let before = try version(realm)
            try realm.write { for _ in 0...random.below(20) { try ObservedChange.perform(in: realm, &random) } }
            let changes = try ObservedChanges(from: before, to: try version(realm))
            for query in queries { updates += try verify(query, changes) ? 1 : 0 }
            rounds += 1
        }
        #expect(updates > rounds * queries.count * 3 / 4)
    }

    private func version(_ realm: Realm) throws -> ObservedVersion {
        let reader = realm.instance.reader
        return ObservedVersion(try reader.database.snapshot(label: "test"), like: reader)
    }

    private func update(
        _ query: Results<ObservedNode>, _ old: [ObjectKey], _ changes: ObservedChanges, _ modified: Set<ObjectKey>
    ) throws -> ContentsUpdate? {
        let table = try #require(query.core.wholeClass?.tableKey)
        return try ContentsUpdate(of: table, query.core.steps, old, changes.versions, modified: modified)
    }

    private func verify(_ query: Results<ObservedNode>, _ changes: ObservedChanges) throws -> Bool {
        let finder = QueryDetector(query.core.observed, filter: nil)
        guard case .keys(let old)? = finder.contents(in: changes.old),
            case .keys(let new)? = finder.contents(in: changes.new)
        else { throw Failure("no keys") }
        var elements = ModifiedElements(changes.versions, query.core.elementClass?.tableKey, nil)
        let modified = try elements.keys()
        guard let update = try update(query, old, changes, modified) else { return false }
        #expect(update.contents == new)
        let expected = PositionChange(from: old, to: new) { modified.contains($0) }
        #expect(update.change == expected, "\(query)")
        return true
    }

    @Test func otherQueriesAreRunAgain() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "\(UUID())", objectTypes: [ObservedNode.self, ObservedBox.self])
        let realm = try Realm(configuration: configuration, queue: nil)
        let before = try version(realm)
        try realm.write { _ = realm.create(ObservedNode.self, value: ["id": 1]) }
        let changes = try ObservedChanges(from: before, to: try version(realm))
        let all = realm.objects(ObservedNode.self)
        let others = [
            all.where { $0.next.age > 3 }, all.where { $0.parents.count > 0 }, all.distinct(by: ["age"]),
            all.sorted(byKeyPath: "next.age"), all.where { $0.age > 3 }.limit(3),
        ]
        for query in others { #expect(try update(query, [], changes, []) == nil) }
        #expect(try update(all.where { $0.age == 0 }, [], changes, [])?.contents.count == 1)
    }
}
