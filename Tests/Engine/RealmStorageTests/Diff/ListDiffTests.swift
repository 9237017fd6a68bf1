// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Diffs of lists: all short ones, and edits of long ones.
@Suite struct ListDiffTests {
    private final class Lists {
        let test: TestDatabase
        let table: TableKey
        let column: ColumnKey
        let type: ColumnType

        init(_ type: ColumnType) throws {
            self.type = type
            test = try TestDatabase()
            (table, column) = try test.write { transaction in
                let table = try transaction.schema.addTable("class_Holder")
                return (table, try transaction.schema.addColumn("list", type, .list, to: table))
            }
        }

        func value(_ number: Int) -> StoredValue {
            switch type {
            case .string: .string(number % 3 == 0 ? "text \(number)" : String(repeating: "x", count: number))
            default: .int(Int64(number))
            }
        }

        func create(_ numbers: [Int]) throws -> ObjectKey {
            try test.write { try create(numbers, $0) }
        }

        func create(_ numbers: [Int], _ transaction: WriteTransaction) throws -> ObjectKey {
            let object = try transaction.createObject(in: table)
            for (index, number) in numbers.enumerated() {
                try transaction.list(column, of: object, in: table).insert(value(number), at: index)
            }
            return object
        }
    }

    private static func all(upTo length: Int, of values: Int) -> [[Int]] {
        var result: [[Int]] = [[]]
        var last: [[Int]] = [[]]
        for _ in 0..<length {
            last = last.flatMap { list in (0..<values).map { list + [$0] } }
            result += last
        }
        return result
    }

    private static func common(_ a: [Int], _ b: [Int]) -> Int {
        var row = [Int](repeating: 0, count: b.count + 1)
        for x in a {
            var diagonal = 0
            for (index, y) in b.enumerated() {
                let above = row[index + 1]
                row[index + 1] = x == y ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[b.count]
    }

    @Test(arguments: [ColumnType.int, .string]) func everyPairOfShortLists(_ type: ColumnType) throws {
        let length = type == .int && Settings.isContinuousIntegration ? 5 : 4
        let all = ListDiffTests.all(upTo: length, of: 3)
        let lists = try Lists(type)
        let objects = try lists.test.write { transaction in try all.map { try lists.create($0, transaction) } }
        let snapshot = try lists.test.database.snapshot()
        let table = try #require(try snapshot.table(lists.table))
        let trees = try objects.map { try table.list(lists.column, of: $0) }
        for (a, treeA) in zip(all, trees) {
            for (b, treeB) in zip(all, trees) {
                let diff = try CollectionDiff(from: treeA, to: treeB)
                try withTrace("\(diff as CollectionDiff?) of \(a) and \(b)") { try verifyShortest(diff, a, b) }
            }
        }
    }

    private func verifyShortest(_ diff: CollectionDiff?, _ a: [Int], _ b: [Int]) throws {
        guard let diff else { return try require(a == b, "no diff") }
        let common = ListDiffTests.common(a, b)
        try require(a != b, "a diff of equal lists")
        try requireEqual(a.count - diff.deletions.count - diff.modifications.count, common, "what stays")
        try requireEqual(b.count - diff.insertions.count - diff.modifications.count, common, "what stays")
        let (gone, come) = (Set(diff.deletions), Set(diff.insertions))
        let kept = (a.indices.filter { !gone.contains($0) }, b.indices.filter { !come.contains($0) })
        try requireEqual(kept.0.count, kept.1.count, "the elements left")
        let replaced = zip(kept.0, kept.1).filter { a[$0] != b[$1] }
        try requireEqual(replaced.map(\.0), diff.modifications, "the modifications")
        try requireEqual(replaced.map(\.1), diff.newModifications, "the new places")
    }

    // MARK: Long lists

    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let count: Int
        let limit: Int
        let change: @Sendable (inout [Int], inout SeededGenerator) -> Void

        init(
            _ name: String, _ count: Int = 5000, limit: Int,
            _ change: @escaping @Sendable (inout [Int], inout SeededGenerator) -> Void
        ) {
            (testDescription, self.count, self.limit, self.change) = (name, count, limit, change)
        }

        static let all = [
            Edit("append", limit: 3) { list, _ in list += [-1, -2, -3] },
            Edit("insert in front", limit: 1) { list, _ in list.insert(-1, at: 0) },
            Edit("remove at both ends", limit: 2) { list, _ in
                list.removeFirst()
                list.removeLast()
            },
            Edit("remove a range", limit: 1500) { list, _ in list.removeSubrange(700..<2200) },
            Edit("remove all", limit: 5000) { list, _ in list = [] },
            Edit("replace one", limit: 1) { list, _ in list[2500] = -1 },
            Edit("replace some", limit: 100) { list, generator in
                for _ in 0..<100 { list[generator.below(5000)] = -1 }
            },
            Edit("replace many", limit: 600) { list, _ in for index in 0..<600 { list[index * 8] = -index } },
            Edit("replace most", limit: 5000) { list, _ in
                for index in 0..<5000 where index % 9 != 0 { list[index] = -1 }
            },
            Edit("move one", limit: 2) { list, _ in list.insert(list.remove(at: 4000), at: 10) },
            Edit("swap two", limit: 2) { list, _ in list.swapAt(17, 4100) },
            Edit("insert and remove some", limit: 200) { list, generator in
                for number in 0..<100 {
                    list.remove(at: generator.below(list.count))
                    list.insert(-number, at: generator.below(list.count))
                }
            },
            Edit("insert and remove many", limit: 1900) { list, generator in
                for number in 0..<900 {
                    list.remove(at: generator.below(list.count))
                    list.insert(-number, at: generator.below(list.count))
                }
            },
            Edit("rotate", limit: 3400) { list, _ in list = Array(list[1600...] + list[..<1600]) },
            Edit("reverse", limit: 10000) { list, _ in list.reverse() },
            Edit("shuffle", limit: 10000) { list, generator in list.shuffle(using: &generator) },
            Edit("few values", 3000, limit: 6000) { list, generator in
                list = list.map { _ in generator.below(3) }
            },
        ]
    }

    @Test(arguments: Edit.all) func editsOfLongLists(_ edit: Edit) throws {
        var generator = SeededGenerator(for: edit.testDescription)
        let old = Array(0..<edit.count)
        var new = old
        edit.change(&new, &generator)
        let lists = try Lists(.int)
        let object = try lists.create(old)
        let before = try lists.test.database.snapshot()
        try lists.test.write { transaction in
            let prefix = zip(old, new).prefix { $0 == $1 }.count
            let suffix = min(
                zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(old.count, new.count) - prefix)
            for place in (prefix..<old.count - suffix).reversed() {
                try transaction.list(lists.column, of: object, in: lists.table).erase(at: place)
            }
            for place in prefix..<new.count - suffix {
                try transaction.list(lists.column, of: object, in: lists.table).insert(
                    .int(Int64(new[place])), at: place)
            }
        }
        let after = try lists.test.database.snapshot()
        let values = (old.map { ModelValue.value(.int(Int64($0))) }, new.map { ModelValue.value(.int(Int64($0))) })
        let path = CollectionPath(lists.column, of: object, in: lists.table)
        let diff = try VersionDiff(from: before, to: after).list(at: path)
        try withTrace(edit.testDescription) {
            try EditVerifier.verify(diff, values.0, values.1, mayReplace: true, isMinimal: false)
        }
        let changes = try #require(diff)
        let count = changes.deletions.count + changes.insertions.count + changes.modifications.count
        #expect(count <= edit.limit, "\(edit.testDescription)")
        let back = try VersionDiff(from: after, to: before).list(at: path)
        try EditVerifier.verify(back, values.1, values.0, mayReplace: true, isMinimal: false)
    }

    /// Equal leaves at both ends and in the middle aren't read.
    @Test func theCostFollowsTheChange() throws {
        let lists = try Lists(.int)
        let object = try lists.create(Array(0..<100_000))
        let before = try lists.test.database.snapshot()
        try lists.test.write { transaction in
            try transaction.list(lists.column, of: object, in: lists.table).erase(at: 7)
            try transaction.list(lists.column, of: object, in: lists.table).set(.int(-1), at: 50_000)
            try transaction.list(lists.column, of: object, in: lists.table).insert(.int(-2), at: 99_000)
        }
        let after = try lists.test.database.snapshot()
        let trees = try [before, after].map { try #require(try $0.table(lists.table)).list(lists.column, of: object) }
        let nodes = SharedNodes(old: trees[0].space, new: trees[1].space)
        var pair = try TreePair(
            trees[0], trees[1], ValueComparison(nodes: nodes, budget: DiffBudget(nodes), nested: .identity))
        #expect(try pair.common(8, 7, limit: 49_900) == 49_900)
        #expect(pair.work < 5000)
        let diff = try #require(try CollectionDiff(from: trees[0], to: trees[1]))
        #expect(diff.deletions == [7] && diff.modifications == [50_001] && diff.insertions == [99_000])
    }

    @Test func randomEdits() throws {
        var generator = SeededGenerator(for: "list edits")
        for round in 0..<(Settings.isContinuousIntegration ? 300 : 40) {
            try withTrace("seed \(generator.seed), round \(round)") {
                let values = generator.pick([2, 5, 40, 100_000])
                let old = (0..<generator.below(1500)).map { _ in generator.below(values) }
                var new = old
                for _ in 0..<generator.pick([1, 5, 50, 1500]) {
                    switch generator.below(3) {
                    case 0 where !new.isEmpty: new.remove(at: generator.below(new.count))
                    case 1 where !new.isEmpty: new[generator.below(new.count)] = generator.below(values)
                    default: new.insert(generator.below(values), at: generator.below(new.count + 1))
                    }
                }
                let lists = try Lists(.int)
                let (a, b) = try lists.test.write { (try lists.create(old, $0), try lists.create(new, $0)) }
                let snapshot = try lists.test.database.snapshot()
                let table = try #require(try snapshot.table(lists.table))
                let diff = try CollectionDiff(
                    from: try table.list(lists.column, of: a), to: try table.list(lists.column, of: b))
                try EditVerifier.verify(
                    diff, old.map { .value(.int(Int64($0))) }, new.map { .value(.int(Int64($0))) }, mayReplace: true,
                    isMinimal: false)
            }
        }
    }

    /// Unresolved links aren't counted unless requested.
    @Test func positionsLeaveOutUnresolvedLinks() throws {
        try TestDatabase.using { test in
            let (target, origin, list) = try test.write { transaction in
                let target = try transaction.schema.addTable("class_Target")
                let id = try transaction.schema.addColumn("id", .string, .nullable, to: target)
                try transaction.schema.setPrimaryKey(id, of: target)
                let origin = try transaction.schema.addTable("class_Origin")
                return (
                    target, origin, try transaction.schema.addColumn("list", .link, .list, target: target, to: origin)
                )
            }
            let object = try test.write { transaction in
                let id = try #require(try transaction.table(target)?.primaryKey)
                let object = try transaction.createObject(in: origin)
                let ghost = try transaction.tombstones.key(for: .string("ghost"), in: target)
                for (place, key) in try [
                    ghost, transaction.createObject(in: target, [id: .string("a")]), ghost,
                    transaction.createObject(in: target, [id: .string("b")]),
                ].enumerated() {
                    try transaction.list(list, of: object, in: origin).insert(.link(key), at: place)
                }
                return object
            }
            do {
                let before = try test.database.snapshot()
                try test.write { try $0.list(list, of: object, in: origin).erase(at: 3) }
                let middle = try test.database.snapshot()
                var diff = try VersionDiff(from: before, to: middle)
                let path = CollectionPath(list, of: object, in: origin)
                #expect(try diff.list(at: path)?.deletions == [1])
                #expect(try diff.list(at: path, positions: .stored)?.deletions == [3])
                try test.write { transaction in
                    let id = try #require(try transaction.table(target)?.primaryKey)
                    _ = try transaction.createObject(in: target, [id: .string("ghost")])
                }
                let after = try test.database.snapshot()
                diff = try VersionDiff(from: middle, to: after)
                let seen = try #require(try diff.list(at: path))
                #expect(seen.insertions == [0, 2] && seen.deletions == [] && seen.modifications == [])
                let stored = try #require(try diff.list(at: path, positions: .stored))
                #expect(stored.insertions == [] && stored.deletions == [] && stored.modifications == [0, 2])
                #expect(try VersionDiff(from: after, to: middle).list(at: path)?.deletions == [0, 2])
            }
        }
    }
}
