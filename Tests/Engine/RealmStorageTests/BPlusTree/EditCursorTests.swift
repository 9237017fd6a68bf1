// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

/// Changes through an open leaf compared with an array.
@Suite struct EditCursorTests {
    private static let kinds: [LeafKind] = [.int, .key, .string]
    private static let capacities = [3, 4]

    @Test(arguments: capacities, TreeFixture.Build.allCases)
    func everyPairOfChanges(_ capacity: Int, _ build: TreeFixture.Build) throws {
        try withEvery("count", in: [1, capacity, capacity + 1, capacity * capacity + 1]) { count in
            let bench = try TreeFixture(.int, capacity: capacity, count: count, build)
            try bench.commit()
            bench.keepsLeafOpen = true
            try withEvery("first", in: 0...count) { first in
                try withEvery("second", in: 0..<count) { second in
                    try bench.attempt { try insertions($0, [first, second, second + 1]) }
                    try bench.attempt {
                        try insertions($0, [first, first + 1])
                        try erasures($0, [second, first])
                    }
                    try bench.attempt {
                        try erasures($0, [second, second, first])
                        try insertions($0, [first, second])
                    }
                }
            }
        }
    }

    private func insertions(_ bench: TreeFixture, _ positions: [Int]) throws {
        for position in positions { try bench.insert(at: min(position, bench.model.count)) }
    }

    private func erasures(_ bench: TreeFixture, _ positions: [Int]) throws {
        for position in positions where !bench.model.isEmpty {
            try bench.erase(at: min(position, bench.model.count - 1))
        }
    }

    @Test(arguments: kinds, [3, 4, 8])
    func randomRuns(_ kind: LeafKind, _ capacity: Int) throws {
        var generator = SeededGenerator(for: "open leaf of \(kind), capacity \(capacity)")
        let bench = try TreeFixture(kind, capacity: capacity)
        bench.keepsLeafOpen = true
        for run in 0..<300 {
            let inserts = bench.model.count < 5 || generator.chance(bench.model.count > 150 ? 30 : 60)
            var position = generator.chance(50) ? bench.model.count : generator.below(bench.model.count + 1)
            for _ in 0..<generator.below(12) {
                if inserts {
                    try bench.insert(at: min(position, bench.model.count))
                    position += generator.below(2)
                } else {
                    try erasures(bench, [position])
                    position -= min(position, generator.below(2))
                }
            }
            if generator.chance(5), !bench.model.isEmpty { try bench.set(at: generator.below(bench.model.count)) }
            if generator.chance(10) { try bench.commit() }
            try withTrace("run \(run)") { _ = try bench.verify() }
        }
    }

    @Test func branchesAreMerged() throws {
        let fixtures = try (0..<2).map { _ in try TreeFixture(.int, capacity: 4, count: 24, .appended) }
        fixtures[0].keepsLeafOpen = true
        for fixture in fixtures {
            for _ in 0..<12 { try fixture.erase(at: 0) }
            for _ in 0..<7 { try fixture.erase(at: fixture.model.count - 1) }
            for _ in 0..<3 { try fixture.erase(at: 0) }
            try fixture.verify()
        }
        #expect(try fixtures[0].shape() == fixtures[1].shape())
    }

    @Test(arguments: kinds, [3, 4, 8])
    func manyAtOnce(_ kind: LeafKind, _ capacity: Int) throws {
        var generator = SeededGenerator(for: "many at once of \(kind), capacity \(capacity)")
        for round in 0..<20 {
            let bench = try TreeFixture(kind, capacity: capacity)
            let oneByOne = try TreeFixture(kind, capacity: capacity)
            bench.keepsLeafOpen = generator.chance(80)
            for run in 0..<15 {
                let (end, count) = (bench.model.count, generator.below(generator.chance(20) ? 80 : 12))
                let position = generator.chance(50) ? end : generator.below(end + 1)
                try bench.insert(count, at: position)
                for offset in 0..<count { try oneByOne.insert(at: position + offset) }
                for _ in 0..<(generator.chance(20) ? generator.below(6) : 0) where !bench.model.isEmpty {
                    let position = generator.below(bench.model.count)
                    try bench.erase(at: position)
                    try oneByOne.erase(at: position)
                }
                if generator.chance(10) {
                    try bench.commit()
                    try oneByOne.commit()
                }
                try withTrace("round \(round), run \(run)") {
                    _ = try bench.verify()
                    #expect(bench.model == oneByOne.model)
                    #expect(try bench.shape() == oneByOne.shape())
                }
            }
        }
    }

    #if DEBUG
        @Test func aStaleCursorStopsADebugBuild() async {
            await #expect(processExitsWith: .failure, observing: .errorText) {
                let scratch = try ScratchStore(treeCapacity: 4)
                defer { withExtendedLifetime(scratch) {} }
                let editor = BPlusTreeEditor(scratch.store, .int)
                var root = try editor.create()
                var open: EditCursor?
                for index in 0..<11 { try editor.insert(&root, at: index, .int(Int64(index)), in: &open) }
                try editor.erase(&root, at: 0)
                try editor.insert(&root, at: 10, .int(0), in: &open)
            }.expectText("not where it is remembered")
        }
    #endif
}
