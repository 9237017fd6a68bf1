// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `group(by:)` with counts and aggregates: an addition to collections 2.
@Suite struct GroupingTests {
    @Test func countsAndAggregates() throws {
        try withWalkers { realm, walkers in
            let byName = walkers.group(by: \.name)
            #expect(byName.count().keys == ["Ida", "Rex", "max", "Émile"] && byName.count().values == [2, 2, 2, 2])
            #expect(byName.sum(of: \.id)[key: "Rex"] == 4 && byName.sum(of: \.id)[key: "?"] == nil)
            #expect(byName.min(of: \.age)[key: "Rex"] == 4 && byName.max(of: \.weight)[key: "max"] == 3.5)
            #expect(byName.average(of: \.id).map(\.value) == [3, 2, 5, 4])
            #expect(byName.sum(of: \.price).map(\.value) == [6, 4, 10, 8] as [Decimal128])
            #expect(byName.average(of: \.price, as: Decimal128.self)[key: "Ida"] == 3 as Decimal128?)
            #expect(byName.max(of: \.born)[key: "Ida"] == Date(timeIntervalSince1970: 5))
            let bySize = Dictionary(uniqueKeysWithValues: walkers.group(by: \.size).count().map { ($0.key, $0.value) })
            #expect(bySize == [.small: 4, .large: 4])
            #expect(walkers.group(by: \.color).count().keys == [nil, .green, .red])
            #expect(walkers.group(by: \.age).count().first?.key == .some(nil))
            let byPet = walkers.group(by: \.pet?.name).sum(of: \.id)
            #expect(byPet.keys == [nil, "pet0", "pet1", "pet2", "pet3"] && byPet[key: nil] == 22)
            let done = walkers.where { $0.isDone }.sorted(by: \.name).group(by: \.size)
            #expect(done.sum(of: \.id).map { [$0.key.rawValue, $0.value] } == [[1, 3], [7, 6]])
            #expect(walkers.limit(3).group(by: \.isDone).count().map(\.value) == [2, 1])
            #expect(walkers[4].pets.group(by: \.age).count().count == 4)
            #expect(walkers.where { $0.id > 99 }.group(by: \.name).count().isEmpty)
            for (name, count) in byName.count() { #expect(count == walkers.where { $0.name == name }.count) }
            #expect(walkers.freeze().group(by: \.name).count().count == 4)
            try realm.write {
                walkers[0].name = "New"
                #expect(byName.count()[key: "New"] == 1 && byName.count()[key: "Rex"] == 1)
            }
        }
    }

    @Test func groupsOfRandomObjects() throws {
        var random = SeededGenerator(for: "GroupingTests.groupsOfRandomObjects")
        try withRealm(Walker.types) { realm in
            try realm.write {
                for id in 0..<3000 {
                    let walker = realm.create(Walker.self, value: ["id": id, "name": "name\(random.below(200))"])
                    walker.age = random.chance(10) ? nil : random.below(100_000) - 50_000
                    walker.weight = [0, -0.0, .nan, 1.5, .infinity][random.below(5)]
                }
            }
            let walkers = realm.objects(Walker.self)
            let model = Dictionary(grouping: walkers, by: \.name)
            let sums = walkers.group(by: \.name).sum(of: \.age)
            let names = model.keys.sorted()
            #expect(sums.keys == names, "seed \(random.seed)")
            #expect(sums.values == names.map { model[$0]?.reduce(0) { $0 + ($1.age ?? 0) } }, "seed \(random.seed)")
            let byAge = Dictionary(grouping: walkers, by: \.age)
            let counts = walkers.group(by: \.age).count()
            #expect(counts.count == byAge.count && counts.allSatisfy { byAge[$0.key]?.count == $0.value })
            #expect(counts.dropFirst().map { $0.key ?? 0 } == byAge.keys.compactMap { $0 }.sorted())
            // Both zeros are one group, and so are all NaNs.
            let byWeight = walkers.group(by: \.weight).count()
            #expect(byWeight.count == 4 && byWeight[key: 1.5] != nil)
            #expect(
                byWeight.map(\.value).reduce(0, +) == 3000
                    && byWeight[0].value == walkers.filter { $0.weight.isNaN }.count)
        }
    }

    @Test func refusals() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Walker().pets.group(by: \.name)
        }.expectText("This method may only be called on RLMArray instances retrieved from an RLMRealm")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).group(by: \.note) }
        }.expectText("does not lead through properties of 'Walker' that are declared @Persisted")
    }
}
