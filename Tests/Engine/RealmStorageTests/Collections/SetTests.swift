// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

@Suite(.scope(TestCleanup.perform)) struct SetTests {
    @Test(arguments: CollectionFixture.types, [false, true])
    func everyType(_ type: ColumnType, _ isNullable: Bool) throws {
        guard isNullable || type != .mixed else { return }
        var generator = SeededGenerator(for: "set of \(type)\(isNullable ? "?" : "")")
        let bench = try CollectionFixture()
        let column = bench.column("\(type) set\(isNullable ? "?" : "")")
        var model = ModelValue.set([])
        for round in 0..<4 {
            try bench.test.write { transaction in
                if round % 2 == 0 { transaction.store.treeCapacity = 4 }
                for _ in 0..<120 {
                    let value = RandomValues.value(type, isNullable: isNullable, &generator)
                    if value.isFloatingNaN, type != .mixed { continue }
                    try change(
                        column, &model, value, insert: generator.chance(round == 2 ? 20 : 60), bench, transaction)
                }
            }
            let snapshot = try bench.test.database.snapshot()
            let stored = try bench.value("\(type) set\(isNullable ? "?" : "")", in: snapshot)
            try require(stored.isIdentical(to: model), "\(stored), should be \(model)")
            try bench.test.audit()
        }
        try bench.test.write { try $0.set(column, of: bench.object, in: bench.table).clear() }
        #expect(try bench.test.database.snapshot().table(bench.table)?.set(column, of: bench.object).count == 0)
    }

    private func change(
        _ column: ColumnKey, _ model: inout ModelValue, _ value: StoredValue, insert: Bool, _ bench: CollectionFixture,
        _ transaction: WriteTransaction
    ) throws {
        let expected = model.place(of: value, in: column.type ?? .int)
        let set = try transaction.require(bench.table).set(column, of: bench.object)
        try requireEqual(try set.index(of: value), expected.isFound ? expected.index : nil, "the place of \(value)")
        if insert {
            let found = try transaction.set(column, of: bench.object, in: bench.table).insert(value)
            try requireEqual(found.index, expected.index, "the place of \(value)")
            try requireEqual(found.inserted, !expected.isFound, "whether \(value) was inserted")
            if found.inserted { model.changeSet { $0.insert(value, at: found.index) } }
        } else {
            let index = try transaction.set(column, of: bench.object, in: bench.table).erase(value)
            try requireEqual(index, expected.isFound ? expected.index : nil, "the place that \(value) had")
            if let index { model.changeSet { $0.remove(at: index) } }
        }
    }

    @Test(arguments: [3, 4], [0, 1, 4, 9])
    func everySequence(_ capacity: Int, _ count: Int) throws {
        let bench = try CollectionFixture()
        let column = bench.column("int set")
        let (object, table) = (bench.object, bench.table)
        try bench.test.write { transaction in
            transaction.store.treeCapacity = capacity
            // Even elements, with inserted ones before, between, and after them.
            let start = (0..<count).map { Int64($0 * 2) }
            let values = [-1, 1, 2, Int64(count), Int64(2 * count)]
            func extend(_ elements: Set<Int64>, _ left: Int) throws {
                try verify(elements, column, capacity, bench, transaction)
                guard left > 0 else { return }
                for value in values {
                    if elements.contains(value) {
                        try requireEqual(
                            try transaction.set(column, of: object, in: table).erase(.int(value)) != nil, true)
                        try extend(elements.subtracting([value]), left - 1)
                        _ = try transaction.set(column, of: object, in: table).insert(.int(value))
                    } else {
                        try requireEqual(
                            try transaction.set(column, of: object, in: table).insert(.int(value)).inserted, true)
                        try extend(elements.union([value]), left - 1)
                        _ = try transaction.set(column, of: object, in: table).erase(.int(value))
                    }
                }
            }
            for value in start { _ = try transaction.set(column, of: object, in: table).insert(.int(value)) }
            try extend(Set(start), 4)
        }
    }

    private func verify(
        _ elements: Set<Int64>, _ column: ColumnKey, _ capacity: Int, _ bench: CollectionFixture,
        _ transaction: WriteTransaction
    ) throws {
        let set = try transaction.require(bench.table).set(column, of: bench.object)
        try requireEqual(try set.values(), elements.sorted().map { .int($0) }, "the elements")
        guard set.tree.root != 0 else { return }
        try BPlusTreeVerifier.verify(transaction.space, set.tree.root, .int, capacity: capacity)
    }

    @Test func equalElementsAreOne() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        let decimal = try #require(DecimalBits("5.00"))
        try bench.test.write { transaction in
            func insert(_ value: StoredValue, _ name: String) throws -> (index: Int, inserted: Bool) {
                try transaction.set(bench.column(name), of: object, in: table).insert(value)
            }
            #expect(try insert(.double(0), "double set").inserted)
            #expect(try insert(.double(-0.0), "double set") == (0, false))
            #expect(try insert(.int(5), "mixed set?") == (0, true))
            #expect(try insert(.double(5), "mixed set?") == (0, false))
            #expect(try insert(.decimal(decimal), "mixed set?") == (0, false))
            #expect(try insert(.string("abc"), "mixed set?") == (1, true))
            #expect(try insert(.binary(Array("abc".utf8)), "mixed set?") == (2, true))
            #expect(try insert(.null, "mixed set?") == (0, true))
            #expect(try insert(.bool(true), "mixed set?") == (1, true))
            #expect(try insert(.string("é"), "string set").inserted)
            #expect(try insert(.string("e\u{301}"), "string set") == (0, true))
            #expect(try insert(.double(Double(bitPattern: 0x7FF8_0000_0000_00AA)), "double set?") == (0, true))
            #expect(try insert(.null, "double set?") == (0, false))
            try bench.refuses(.invalidArgument, transaction) { _ in _ = try insert(.null, "double set") }
            let pattern = StoredValue.double(Double(bitPattern: 0x7FF8_0000_0000_00AA))
            try bench.refuses(.invalidArgument, transaction) { _ in _ = try insert(pattern, "double set") }
            try bench.refuses(.invalidArgument, transaction) { _ in _ = try insert(.string("x"), "int set") }
            try bench.refuses(.invalidArgument, transaction) { _ in _ = try insert(.list(0, key: 1), "mixed set?") }
            let nowhere = StoredValue.link(ObjectKey(99))
            try bench.refuses(.invalidArgument, transaction) { _ in _ = try insert(nowhere, "link set") }
        }
        #expect(
            try bench.value("mixed set?", in: try bench.test.database.snapshot()).elements.map(\.plain)
                == [.null, .bool(true), .int(5), .string("abc"), .binary(Array("abc".utf8))])
    }

    /// A NaN is found and stored once, and the numbers before it stay in order.
    @Test(arguments: ["double set", "float set?"]) func notANumber(_ name: String) throws {
        let bench = try CollectionFixture()
        let column = bench.column(name)
        func number(_ value: Double) -> StoredValue {
            column.type == .float ? .float(Float(value)) : .double(value)
        }
        try bench.test.write { transaction in
            let values: [Double] = [3, .nan, 1, .nan, .infinity, 2, .nan, -.infinity]
            for value in values {
                _ = try transaction.set(column, of: bench.object, in: bench.table).insert(number(value))
            }
            let again = try transaction.set(column, of: bench.object, in: bench.table).insert(number(.nan))
            #expect(again == (5, false))
        }
        let snapshot = try bench.test.database.snapshot()
        let set = try #require(try snapshot.table(bench.table)?.set(column, of: bench.object))
        #expect(set.count == 6)
        let ordered: [Double] = [-.infinity, 1, 2, 3, .infinity]
        #expect(try Array(set.values().dropLast()) == ordered.map { number($0) })
        for value in ordered + [.nan] { #expect(try set.contains(number(value))) }
        #expect(try !set.contains(number(4)))
        try bench.test.write { transaction in
            let first = try transaction.set(column, of: bench.object, in: bench.table).erase(number(.nan))
            #expect(first == 5)
            let second = try transaction.set(column, of: bench.object, in: bench.table).erase(number(.nan))
            #expect(second == nil)
        }
    }

    /// The reference stores NaNs at any index. They are found, and the next change sorts them.
    @Test func unsortedSetsAreSortedByTheNextChange() throws {
        let bench = try CollectionFixture()
        let column = bench.column("double set")
        let values: [Double] = [5, .nan, 1, .nan, 9, 2]
        try fill(column, with: values.map { .double($0) }, bench)
        let snapshot = try bench.test.database.snapshot()
        let set = try #require(try snapshot.table(bench.table)?.set(column, of: bench.object))
        for value in values { #expect(try set.contains(.double(value)), "\(value)") }
        #expect(try !set.contains(.double(3)))
        try bench.test.write { transaction in
            #expect(try transaction.set(column, of: bench.object, in: bench.table).erase(.double(7)) == nil)
            #expect(!transaction.clock.hasRecorded)
            #expect(try transaction.set(column, of: bench.object, in: bench.table).insert(.double(3)) == (2, true))
            let numbers = try transaction.require(bench.table).set(column, of: bench.object).values().dropLast()
            #expect(Array(numbers) == [1, 2, 3, 5, 9].map { StoredValue.double($0) })
            #expect(try transaction.set(column, of: bench.object, in: bench.table).erase(.double(.nan)) == 5)
        }
    }

    /// Decimals of many digits compare with doubles by rounding. In any order of insertion, each element is found, and
    /// none is repeated (content 13.20).
    @Test func roundedComparisons() throws {
        let digits = ["0.1000000005", "9007199254740991", "9007199254740992", "1.0000000000000001", "16777216.5"]
        let values: [StoredValue] =
            digits.compactMap { DecimalBits($0).map { .decimal($0) } } + [
                .float(0.1), .double(0.1), .double(9_007_199_254_740_994), .int(9_007_199_254_740_992),
                .double(1.0000000000000002), .double(1), .float(16_777_216), .double(0.1000000005000001),
            ]
        var generator = SeededGenerator(for: "rounded comparisons")
        for _ in 0..<60 {
            let bench = try CollectionFixture()
            let column = bench.column("mixed set?")
            try bench.test.write { transaction in
                for value in values.shuffled(using: &generator) {
                    _ = try transaction.set(column, of: bench.object, in: bench.table).insert(value)
                }
                let set = try transaction.require(bench.table).set(column, of: bench.object)
                for value in values {
                    #expect(try set.contains(value), "\(value)")
                    let again = try transaction.set(column, of: bench.object, in: bench.table).insert(value)
                    #expect(!again.inserted, "\(value)")
                }
            }
        }
    }

    /// Comparing a Double with a Decimal rounds, so a Double alone may keep numbers in order or apart. When it is
    /// removed, the set is sorted again, and the first of equal ones stays (content 8.4, 13.20).
    @Test(arguments: [
        // Compared with Decimals, the Double rounds to ...990; compared with the Int it is exact.
        (["9007199254740990.5"], ["9007199254740990.5", "int"]),
        (["9007199254740990.5", "9007199254740990.7"], ["9007199254740990.5", "9007199254740990.7", "int"]),
        (["9007199254740990.5", "9007199254740992"], ["9007199254740990.5", "int", "9007199254740992"]),
        (["9007199254740991"], ["int"]),
        (["9007199254740990.5", "9007199254740991"], ["9007199254740990.5", "int"]),
        (["9007199254740991", "9007199254740992"], ["int", "9007199254740992"]),
        (["9007199254740992", "9007199254740993"], ["int", "9007199254740992", "9007199254740993"]),
    ]) func numbersEqualAfterRounding(_ decimals: [String], _ left: [String]) throws {
        let bench = try CollectionFixture()
        let column = bench.column("mixed set?")
        let int = StoredValue.int(9_007_199_254_740_991)
        let double = StoredValue.double(9_007_199_254_740_992)
        func numbers(_ texts: [String]) throws -> [StoredValue] {
            try texts.map { $0 == "int" ? int : .decimal(try #require(DecimalBits($0))) }
        }
        let (before, after) = (try [.null, int, double] + numbers(decimals) + [.string("")], try numbers(left))
        try fill(column, with: before, bench)
        let found = try #require(try bench.test.database.snapshot().table(bench.table)?.set(column, of: bench.object))
        try #require(try found.isAscending(), "the reference may leave this")
        try bench.test.write { transaction in
            let place = try transaction.set(column, of: bench.object, in: bench.table).erase(double)
            #expect(place == 2)
        }
        let set = try #require(try bench.test.database.snapshot().table(bench.table)?.set(column, of: bench.object))
        let values = try set.values()
        try #require(values.count == after.count + 2)
        for (value, expected) in zip(values, [.null] + after + [.string("")]) {
            #expect(value.isIdentical(to: expected), "\(values)")
        }
        try PythonChecker.requireClean(path: bench.test.path)
    }

    private func fill(_ column: ColumnKey, with values: [StoredValue], _ bench: CollectionFixture) throws {
        try bench.test.write { transaction in
            let table = try transaction.require(bench.table)
            let place = ResolvedCollection(
                table: table, column: try table.require(column), object: bench.object,
                collection: .set(try table.set(column, of: bench.object)))
            let kind = place.elementKind
            try transaction.set(column, of: bench.object, in: bench.table).change(place) { root in
                if root == 0 { root = try BPlusTreeEditor(transaction.store, kind).create() }
                for (index, value) in values.enumerated() {
                    try BPlusTreeEditor(transaction.store, kind).insert(&root, at: index, value)
                }
            }
        }
    }

    @Test func links() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        let sets = [("link set", bench.targets.map { StoredValue.link($0) }), ("mixed set?", (0..<3).map(bench.link))]
        for (base, (name, links)) in sets.enumerated() {
            let column = bench.column(name)
            try bench.test.write { transaction in
                for link in links.reversed() + links { try transaction.set(column, of: object, in: table).insert(link) }
                #expect(try (0..<3).map { try bench.backlinkCount($0, in: transaction) - base } == [1, 1, 1])
                #expect(try transaction.set(column, of: object, in: table).erase(links[1]) == 1)
                #expect(try (0..<3).map { try bench.backlinkCount($0, in: transaction) - base } == [1, 0, 1])
                try transaction.set(column, of: object, in: table).clear()
                #expect(try (0..<3).map { try bench.backlinkCount($0, in: transaction) - base } == [0, 0, 0])
                for link in links { try transaction.set(column, of: object, in: table).insert(link) }
            }
            try bench.test.audit()
        }
        try bench.test.write { try $0.removeObject(bench.targets[1], from: bench.target) }
        for (name, links) in sets {
            let value = try bench.value(name, in: try bench.test.database.snapshot())
            #expect(value.elements.map(\.plain) == [links[0], links[2]])
        }
    }
}

extension StoredValue {
    var isFloatingNaN: Bool {
        switch self {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        default: false
        }
    }
}
