// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Random operations on leaves of every kind compared with an array after each step.
struct LeafModelTests {
    @Test(arguments: LeafSample.allCases)
    func randomOperations(sample: LeafSample) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("LeafModelTests \(sample): seed \(seed)")
        for run in 0..<12 {
            var run = try LeafRun(sample, seed: seed &+ UInt64(run), scale: run)
            for _ in 0..<150 { try run.step() }
            try run.finish()
        }
    }

    @Test(arguments: LeafSample.allCases)
    func largeLeaves(sample: LeafSample) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("LeafModelTests, large \(sample): seed \(seed)")
        var run = try LeafRun(sample, seed: seed, scale: 6)
        try run.grow(to: 1000)
        for _ in 0..<10 { try run.step() }
        try run.finish()
    }

    @Test(arguments: LeafSample.allCases)
    func equalValues(sample: LeafSample) throws {
        let scratch = try ScratchStore()
        var random = SeededGenerator(seed: 1)
        for scale in 0..<20 {
            var value = sample.value(&random, scale: scale) { _ in 0 }
            if [.collection, .backlink, .mixed].contains(sample) { value = .null }
            for count in [0, 1, 7, 8, 9, 300] {
                let ref = try ColumnLeafEditor(scratch.store, sample.kind).create(count: count, default: value)
                try LeafVerifier(space: scratch.space).verify(ref, sample.kind, count: count)
                let leaf = try ColumnLeaf(scratch.space, ref, sample.kind)
                #expect(leaf.count == count)
                for row in 0..<count { #expect(isSame(try leaf.value(at: row), value)) }
            }
        }
    }
}

private struct LeafRun {
    let scratch: ScratchStore
    let sample: LeafSample
    let scale: Int
    var random: SeededGenerator
    var ref: Ref
    var rows: [StoredValue] = []
    var trees: [Ref: Int64] = [:]

    var store: NodeStore { scratch.store }
    var kind: LeafKind { sample.kind }

    init(_ sample: LeafSample, seed: UInt64, scale: Int) throws {
        scratch = try ScratchStore()
        self.sample = sample
        self.scale = scale
        random = SeededGenerator(seed: seed)
        ref = try ColumnLeafEditor(scratch.store, sample.kind).create(
            count: 0, default: sample.isNullable ? .null : .int(0))
    }

    mutating func newValue() throws -> StoredValue {
        var made: [Ref: Int64] = [:]
        let value = try sample.value(&random, scale: random.chance(90) ? min(scale, rows.count / 8) : scale) { number in
            let tree = try scratch.store.create([number, 1])
            made[tree] = number
            return tree
        }
        trees.merge(made) { $1 }
        return value
    }

    mutating func grow(to count: Int) throws {
        while rows.count < count {
            let value = try newValue()
            try ColumnLeafEditor(store, kind).insert(&ref, at: rows.count, value)
            rows.append(value)
        }
        try check(ref, rows)
    }

    mutating func step() throws {
        switch random.below(100) {
        case ..<20 where rows.count < 200:
            let value = try newValue()
            try ColumnLeafEditor(store, kind).insert(&ref, at: rows.count, value)
            rows.append(value)
        case ..<45 where rows.count < 200:
            let row = random.below(rows.count + 1)
            let value = try newValue()
            try ColumnLeafEditor(store, kind).insert(&ref, at: row, value)
            rows.insert(value, at: row)
        case ..<70 where !rows.isEmpty: try set()
        case ..<80 where !rows.isEmpty:
            let row = random.below(rows.count)
            try ColumnLeafEditor(store, kind).erase(&ref, at: row)
            rows.remove(at: row)
        case ..<84:
            let start = random.below(rows.count + 1)
            let end = random.chance(20) ? rows.count : start + random.below(min(10, rows.count - start) + 1)
            try ColumnLeafEditor(store, kind).erase(&ref, range: start..<end)
            rows.removeSubrange(start..<end)
        case ..<94: try splitAndMerge()
        default: try commit()
        }
        try check(ref, rows)
    }

    private mutating func set() throws {
        let row = random.below(rows.count)
        switch rows[row] {
        case .list(let old, let key) where random.chance(40): rows[row] = .list(try replaceRoot(row, old), key: key)
        case .dictionary(let old, let key) where random.chance(40):
            rows[row] = .dictionary(try replaceRoot(row, old), key: key)
        default:
            let value = random.chance(10) ? rows[row] : try newValue()
            try ColumnLeafEditor(store, kind).set(&ref, at: row, value)
            rows[row] = value
        }
    }

    private mutating func replaceRoot(_ row: Int, _ old: Ref) throws -> Ref {
        let new = try store.create([trees[old]!, 1])
        trees[new] = trees[old]
        try store.freeTree(old)
        try ColumnLeafEditor(store, kind).setRaw(&ref, at: row, Int64(new))
        return new
    }

    private mutating func splitAndMerge() throws {
        let row = random.below(rows.count + 1)
        var other = try ColumnLeafEditor(store, kind).moveSuffix(&ref, from: row)
        var suffix = Array(rows[row...])
        rows.removeSubrange(row...)
        try check(other, suffix)
        try check(ref, rows)
        if random.chance(30) {
            let value = try newValue()
            try ColumnLeafEditor(store, kind).insert(&other, at: 0, value)
            suffix.insert(value, at: 0)
        }
        if random.chance(20) {
            let moved = try scratch.commit([ref, other])
            try relocate(moved)
            other = moved[other] ?? other
            suffix = suffix.map { LeafRun.relocated($0, moved) }
        }
        if random.chance(90) {
            try ColumnLeafEditor(store, kind).append(&ref, contentsOf: other)
            rows += suffix
        } else {
            try store.freeTree(other)
        }
    }

    private mutating func commit() throws { try relocate(scratch.commit([ref])) }

    private mutating func relocate(_ moved: [Ref: Ref]) throws {
        ref = moved[ref] ?? ref
        rows = rows.map { LeafRun.relocated($0, moved) }
        for (old, new) in moved { trees[new] = trees[old] }
    }

    private static func relocated(_ value: StoredValue, _ moved: [Ref: Ref]) -> StoredValue {
        switch value {
        case .list(let root, let key): .list(moved[root] ?? root, key: key)
        case .dictionary(let root, let key): .dictionary(moved[root] ?? root, key: key)
        default: value
        }
    }

    private func check(_ ref: Ref, _ rows: [StoredValue]) throws {
        try LeafVerifier(space: scratch.space).verify(ref, kind, count: rows.count)
        let leaf = try ColumnLeaf(scratch.space, ref, kind)
        try #require(leaf.count == rows.count)
        for (row, expected) in rows.enumerated() {
            let value = try leaf.value(at: row)
            if !isSame(value, expected) { Issue.record("row \(row) is \(value) instead of \(expected)") }
            #expect(try leaf.isNull(at: row) == expected.isNull)
            switch value {
            case .list(let tree, _), .dictionary(let tree, _):
                #expect(try scratch.space.integers(tree).elements() == [try #require(trees[tree]), 1])
            default: break
            }
        }
        #expect(throws: (any Error).self) { try leaf.value(at: rows.count) }
        try checkOwnership(ref)
    }

    private func checkOwnership(_ root: Ref) throws {
        let freed = store.freed.map(\.position)
        #expect(Set(freed).count == freed.count)
        #expect(store.freed.allSatisfy { scratch.committed[$0.position] == Int($0.length) })
        guard root == ref else { return }
        var live: Set<Ref> = []
        try collect(root, &live)
        #expect(live.isDisjoint(with: freed))
    }

    private func collect(_ ref: Ref, _ live: inout Set<Ref>) throws {
        #expect(live.insert(ref).inserted, "a node with two parents")
        let node = try scratch.space.node(ref)
        guard node.header.hasRefs else { return }
        for element in node.elements() where element != 0 && element & 1 == 0 { try collect(Ref(element), &live) }
    }

    mutating func finish() throws {
        try commit()
        for _ in 0..<10 { try step() }
        try store.freeTree(ref)
        #expect(Set(store.freed.map(\.position)) == Set(scratch.committed.keys))
    }
}
