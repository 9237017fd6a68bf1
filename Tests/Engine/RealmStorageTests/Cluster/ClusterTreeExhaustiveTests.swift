// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// All small cluster trees. With nodes of three and four rows, few rows make three levels.
@Suite struct ClusterTreeExhaustiveTests {
    private static let capacities = [3, 4]

    /// Six keys: adjacent, scattered over every magnitude, and above the signed range (tombstones).
    private static let keySets: [[UInt64]] = [
        [0, 1, 2, 3, 4, 5],
        [0, 255, 256, 512, 65_536, 1 << 40],
        [7, 300, 1 << 16, 1 << 33, 1 << 62, .max - 1],
    ]

    @Test(arguments: keySets, capacities)
    func everyOrderOfInsertions(_ keys: [UInt64], _ capacity: Int) throws {
        try withEveryPermutation("order", of: keys) { order in
            let bench = try ClusterFixture(capacity: capacity)
            for key in order {
                try bench.insert(key)
                try bench.verify()
            }
            try bench.commit()
            try bench.verify()
        }
    }

    @Test(arguments: keySets, capacities)
    func everyOrderOfErasures(_ keys: [UInt64], _ capacity: Int) throws {
        let bench = try ClusterFixture(capacity: capacity, keys: keys)
        try bench.commit()
        try withEveryPermutation("order", of: keys) { order in
            try bench.attempt { bench in
                for key in order {
                    try bench.erase(key)
                    try bench.verify()
                }
            }
        }
    }

    @Test(arguments: keySets, capacities)
    func everySetOfErasures(_ keys: [UInt64], _ capacity: Int) throws {
        let bench = try ClusterFixture(capacity: capacity, keys: keys)
        try bench.commit()
        try withEvery("set", in: 0..<(1 << keys.count)) { set in
            try bench.attempt { bench in
                try bench.erase(keys.indices.filter { set >> $0 & 1 == 1 }.map { keys[$0] })
            }
        }
    }

    @Test(arguments: [3, 4, 5, 8])
    func randomSetsOfErasures(_ capacity: Int) throws {
        var generator = SeededGenerator(for: "sets of erasures, capacity \(capacity)")
        for round in 0..<40 {
            let bench = try ClusterFixture(capacity: capacity)
            let count = generator.below(200)
            let shift = UInt64(generator.pick([0, 0, 3, 40]))
            let all = (0..<UInt64(count)).map { $0 << shift }
            for key in generator.chance(50) ? all : all.shuffled(using: &generator) { try bench.insert(key) }
            if generator.chance(50) { try bench.commit() }
            while !bench.model.isEmpty {
                let percent = generator.pick([2, 30, 50, 80, 100])
                try bench.erase(bench.model.keys.sorted().filter { _ in generator.chance(percent) })
                try withTrace("round \(round)") { _ = try bench.verify() }
                if generator.chance(20) { try bench.commit() }
            }
        }
    }

    @Test func absentKeysAreRefused() throws {
        let bench = try ClusterFixture(capacity: 3, keys: 0..<20)
        #expect(throws: StorageError.self) { try bench.erase([4, 20]) }
    }

    enum Build: CaseIterable {
        case ascending, descending, outwards
    }

    private func keys(_ count: Int, stride: UInt64, _ build: Build) -> [UInt64] {
        let ascending = (0..<UInt64(count)).map { $0 * stride + (stride > 1 ? $0 % 2 : 0) }
        switch build {
        case .ascending: return ascending
        case .descending: return ascending.reversed()
        case .outwards: return ascending.sorted { ($0 * 7919) % 101 < ($1 * 7919) % 101 }
        }
    }

    @Test(arguments: Build.allCases, capacities)
    func everySingleChange(_ build: Build, _ capacity: Int) throws {
        var depths: Set<Int> = []
        try withEvery("stride", in: [1, 3, 1 << 20] as [UInt64]) { stride in
            let all = Array(0...(capacity * capacity + capacity + 1))
            let some = [1, capacity + 1, capacity * capacity + 1]
            try withEvery("count", in: stride == 1 || Settings.isContinuousIntegration ? all : some) { count in
                let keys = keys(count, stride: stride, build)
                let bench = try ClusterFixture(capacity: capacity, keys: keys)
                depths.insert(try bench.verify())
                try bench.commit()
                try bench.verify()
                let new = Set(keys.flatMap { [$0 &+ 1, $0 == 0 ? 0 : $0 - 1] } + [0, 1 << 50]).subtracting(keys)
                try withEvery("insert", in: new) { key in try bench.attempt { try $0.insert(key) } }
                try withEvery("set", in: keys) { key in try bench.attempt { try $0.set(key) } }
                try withEvery("erase", in: keys) { key in try bench.attempt { try $0.erase(key) } }
            }
        }
        #expect(depths.isSuperset(of: [0, 1, 2]))
    }

    @Test(arguments: [0, 1, 3, 4, 12, 13, 30])
    func columns(_ count: Int) throws {
        let bench = try ClusterFixture(capacity: 3, keys: keys(count, stride: 1, .ascending))
        try bench.commit()
        for leafIndex in [1, 4, 9] {
            try bench.attempt { bench in
                try bench.addColumn(.init(leafIndex: leafIndex, kind: .int, defaultValue: .int(0)))
                for key in bench.model.keys.sorted() { try bench.set(key) }
            }
        }
        for position in bench.layout.columns.indices {
            try bench.attempt { try $0.removeColumn(at: position) }
        }
        try bench.attempt { bench in
            for _ in bench.layout.columns { try bench.removeColumn(at: 0) }
            try bench.insert(1000)
        }
    }

    @Test(arguments: [3, 4, 5, 8])
    func randomChanges(_ capacity: Int) throws {
        var generator = SeededGenerator(for: "cluster tree of capacity \(capacity)")
        let bench = try ClusterFixture(capacity: capacity)
        var growing = true
        for step in 0..<800 {
            if bench.model.count > 150 { growing = false }
            if bench.model.isEmpty { growing = true }
            let key =
                generator.chance(50) ? UInt64(generator.below(300)) : generator.next() >> UInt64(generator.below(64))
            if generator.chance(growing ? 70 : 30) {
                if bench.model[key] == nil, key != .max { try bench.insert(key) }
            } else if !bench.model.isEmpty {
                let key = generator.pick(bench.model.keys.sorted())
                if generator.chance(20) { try bench.set(key) } else { try bench.erase(key) }
            }
            if generator.chance(5) { try bench.commit() }
            if step % 10 == 0 { try withTrace("step \(step)") { _ = try bench.verify() } }
        }
        try bench.verify()
    }

    /// The format's own capacity in three levels: 256 full leaves and one more.
    @Test func fullSize() throws {
        let scratch = try ScratchStore()
        let layout = ClusterLayout(columns: [.init(leafIndex: 0, kind: .int, defaultValue: .int(0))])
        var root = try ClusterTreeEditor(scratch.store).create(layout)
        let count = FileFormat.clusterCapacity * FileFormat.clusterCapacity + 10
        for key in 0..<count {
            try ClusterTreeEditor(scratch.store).insert(&root, layout, key: ObjectKey(Int64(key))) { _ in
                .int(Int64(key))
            }
        }
        let capacity = FileFormat.clusterCapacity
        var summary = try ClusterTreeVerifier.verify(scratch.space, root, layout, capacity: capacity)
        #expect(summary.depth == 2)
        #expect(summary.keys == (0..<UInt64(count)).map { $0 })
        try scratch.commit(&root)
        for key in stride(from: 0, to: count, by: 1000) {
            try ClusterTreeEditor(scratch.store).erase(&root, layout, key: ObjectKey(Int64(key)))
        }
        try scratch.commit(&root)
        summary = try ClusterTreeVerifier.verify(scratch.space, root, layout, capacity: capacity)
        #expect(summary.keys == (0..<UInt64(count)).filter { $0 % 1000 != 0 })
    }

    @Test func keysInUseAndAbsentKeysAreRefused() throws {
        let bench = try ClusterFixture(capacity: 3, keys: [0, 1, 2, 3, 4])
        #expect(throws: StorageError.self) { try bench.insert(3) }
        #expect(throws: StorageError.self) { try bench.erase(9) }
        #expect(throws: StorageError.self) { try bench.set(9) }
        try bench.verify()
    }
}
