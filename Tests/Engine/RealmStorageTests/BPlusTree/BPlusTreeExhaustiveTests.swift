// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// All small trees. With nodes of three and four elements, few elements make three levels.
@Suite struct BPlusTreeExhaustiveTests {
    private static let kinds: [LeafKind] = [.int, .key, .string]
    private static let capacities = [3, 4]

    @Test(arguments: kinds, capacities)
    func everySingleChange(_ kind: LeafKind, _ capacity: Int) throws {
        var depths: Set<Int> = []
        try withEvery("build", in: TreeFixture.Build.allCases) { build in
            try withEvery("count", in: counts(kind, capacity)) { count in
                let bench = try TreeFixture(kind, capacity: capacity, count: count, build)
                depths.insert(try bench.verify())
                try bench.commit()
                try bench.verify()
                try withEvery("insert at", in: 0...count) { index in
                    try bench.attempt { try $0.insert(at: index) }
                }
                try withEvery("set at", in: 0..<count) { index in try bench.attempt { try $0.set(at: index) } }
                try withEvery("erase at", in: 0..<count) { index in try bench.attempt { try $0.erase(at: index) } }
            }
        }
        #expect(depths.isSuperset(of: [0, 1, 2]))
    }

    /// All sizes for one kind. The other kinds have the same branches, so sizes around a change of form suffice.
    private func counts(_ kind: LeafKind, _ capacity: Int) -> [Int] {
        let square = capacity * capacity
        if kind == .int || Settings.isContinuousIntegration { return Array(0...(square * capacity / 2 + 3)) }
        return [0, 1, capacity, capacity + 1, square, square + 1]
    }

    @Test(arguments: capacities)
    func everyPairOfChanges(_ capacity: Int) throws {
        try withEvery("count", in: [1, capacity + 1, capacity * capacity + 1]) { count in
            let bench = try TreeFixture(.int, capacity: capacity, count: count, .appended)
            try bench.commit()
            try withEvery("first", in: 0...count) { first in
                try withEvery("second", in: 0..<count) { second in
                    try bench.attempt {
                        try $0.insert(at: first)
                        try $0.erase(at: second)
                    }
                    try bench.attempt {
                        try $0.erase(at: second)
                        try $0.insert(at: min(first, count - 1))
                    }
                    try bench.attempt {
                        try $0.erase(at: second)
                        if count > 1 { try $0.erase(at: min(first, count - 2)) }
                    }
                }
            }
        }
    }

    @Test(arguments: capacities)
    func everyOrderOfInsertions(_ capacity: Int) throws {
        func extend(_ positions: [Int]) throws {
            guard positions.count == 6 else {
                return try withEvery("then at", in: 0...positions.count) { try extend(positions + [$0]) }
            }
            let bench = try TreeFixture(.int, capacity: capacity)
            for position in positions { try bench.insert(at: position) }
            try bench.verify()
        }
        try extend([])
    }

    @Test(arguments: kinds, capacities)
    func drains(_ kind: LeafKind, _ capacity: Int) throws {
        let count = capacity * capacity + capacity
        try withEvery("build", in: TreeFixture.Build.allCases) { build in
            try withEvery("from", in: stride(from: 0, to: count, by: kind == .int ? 1 : 5)) { start in
                let bench = try TreeFixture(kind, capacity: capacity, count: count, build)
                try bench.commit()
                try withEvery("left", in: (1...count).reversed()) { left in
                    try bench.erase(at: min(start, left - 1))
                    try bench.verify()
                }
                try bench.commit()
                try bench.insert(at: 0)
                try bench.verify()
            }
        }
    }

    @Test(arguments: kinds, [3, 4, 5, 8])
    func randomChanges(_ kind: LeafKind, _ capacity: Int) throws {
        var generator = SeededGenerator(for: "B+tree of \(kind), capacity \(capacity)")
        let bench = try TreeFixture(kind, capacity: capacity)
        var growing = true
        for step in 0..<400 {
            if bench.model.count > 150 { growing = false }
            if bench.model.isEmpty { growing = true }
            if generator.chance(growing ? 70 : 30) {
                let atEnd = generator.chance(30)
                try bench.insert(at: atEnd ? bench.model.count : generator.below(bench.model.count + 1))
            } else if !bench.model.isEmpty {
                let index = generator.below(bench.model.count)
                if generator.chance(20) { try bench.set(at: index) } else { try bench.erase(at: index) }
            }
            if generator.chance(10) { try bench.commit() }
            if step % 10 == 0 { try withTrace("step \(step)") { _ = try bench.verify() } }
        }
        try bench.verify()
    }

    @Test func fullSize() throws {
        let capacity = FileFormat.treeNodeCapacity
        let bench = try TreeFixture(.int, capacity: capacity, count: 2 * capacity + 500, .appended)
        #expect(try bench.verify() == 1)
        try bench.commit()
        try bench.insert(at: 1500)
        try bench.erase(at: 0)
        #expect(try bench.verify() == 1)
        try bench.commit()
        try bench.verify()
    }

    @Test func positionsOutOfBoundsAreRefused() throws {
        let bench = try TreeFixture(.int, capacity: 3, count: 10, .appended)
        for index in [-1, 11] { #expect(throws: StorageError.self) { try bench.insert(at: index) } }
        for index in [-1, 10] {
            #expect(throws: StorageError.self) { try bench.set(at: index) }
            #expect(throws: StorageError.self) { try bench.erase(at: index) }
        }
        try bench.verify()
    }
}
