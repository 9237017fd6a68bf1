// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

@Suite(.scope(TestCleanup.perform)) struct DictionaryTests {
    @Test(arguments: CollectionFixture.types, [false, true])
    func everyType(_ type: ColumnType, _ isNullable: Bool) throws {
        guard isNullable || type != .mixed else { return }
        var generator = SeededGenerator(for: "dictionary of \(type)\(isNullable ? "?" : "")")
        let bench = try CollectionFixture()
        let name = "\(type) dictionary\(isNullable ? "?" : "")"
        let column = bench.column(name)
        var model = ModelValue.dictionary([])
        for round in 0..<4 {
            try bench.test.write { transaction in
                if round % 2 == 0 { transaction.store.treeCapacity = 4 }
                for _ in 0..<120 {
                    let key =
                        generator.chance(10) ? generator.pick(["", "\0", "é", "e\u{301}"]) : "k\(generator.below(90))"
                    if generator.chance(round == 2 ? 20 : 60) {
                        let value = RandomValues.value(type, isNullable: isNullable, &generator)
                        let index = try transaction.dictionary(column, of: bench.object, in: bench.table).set(
                            value, forKey: key)
                        model.setEntry(key, .value(value))
                        let dictionary = try transaction.require(bench.table).dictionary(column, of: bench.object)
                        try requireEqual(try dictionary.index(of: key), index, "the place of \(key)")
                        try require(try dictionary.key(at: index).utf8.elementsEqual(key.utf8), "the key \(key)")
                        try require(try dictionary.find(key)?.isIdentical(to: value) == true, "the value of \(key)")
                    } else {
                        let erased = try transaction.dictionary(column, of: bench.object, in: bench.table).erase(key)
                        try requireEqual(erased, model.eraseEntry(key), "whether \(key) was there")
                    }
                }
            }
            let stored = try bench.value(name, in: try bench.test.database.snapshot())
            try require(stored.isIdentical(to: model), "\(stored), should be \(model)")
            try bench.test.audit()
        }
        try bench.test.write { try $0.dictionary(column, of: bench.object, in: bench.table).clear() }
        #expect(try bench.test.database.snapshot().table(bench.table)?.dictionary(column, of: bench.object).keys == nil)
    }

    @Test(arguments: [3, 4], [0, 1, 4, 9])
    func everySequence(_ capacity: Int, _ count: Int) throws {
        let bench = try CollectionFixture()
        let column = bench.column("int dictionary")
        let (object, table) = (bench.object, bench.table)
        try bench.test.write { transaction in
            transaction.store.treeCapacity = capacity
            let start = (0..<count).map { String(UnicodeScalar(UInt8(98 + 2 * $0))) }
            let keys = ["a", "c", "d", String(UnicodeScalar(UInt8(98 + count))), "zz"]
            var model = ModelValue.dictionary([])
            func extend(_ left: Int) throws {
                try verify(model, column, capacity, bench, transaction)
                guard left > 0 else { return }
                for key in keys {
                    let before = model.element(.key(key))
                    for value in [nil, Int64(left)] where value != nil || before != nil {
                        try set(value.map { .value(.int($0)) }, key)
                        try extend(left - 1)
                        try set(before, key)
                    }
                }
            }
            func set(_ value: ModelValue?, _ key: String) throws {
                if let value {
                    try transaction.dictionary(column, of: object, in: table).set(value.plain, forKey: key)
                    model.setEntry(key, value)
                } else {
                    try require(try transaction.dictionary(column, of: object, in: table).erase(key), "\(key) is there")
                    model.eraseEntry(key)
                }
            }
            for key in start { try set(.value(.int(0)), key) }
            try extend(count == 9 ? 3 : 4)
        }
    }

    private func verify(
        _ model: ModelValue, _ column: ColumnKey, _ capacity: Int, _ bench: CollectionFixture,
        _ transaction: WriteTransaction
    ) throws {
        let dictionary = try transaction.require(bench.table).dictionary(column, of: bench.object)
        let stored = try ModelValue(.dictionary(dictionary), in: transaction.space)
        try require(stored.isIdentical(to: model), "\(stored), should be \(model)")
        guard let keys = dictionary.keys, let values = dictionary.valuesTree else { return }
        try BPlusTreeVerifier.verify(transaction.space, keys.root, .string, capacity: capacity)
        try BPlusTreeVerifier.verify(transaction.space, values.root, .mixed, capacity: capacity)
    }

    @Test func refusals() throws {
        let bench = try CollectionFixture()
        try bench.test.write { transaction in
            func refused(_ code: StorageError.Code, _ value: StoredValue, _ key: String, _ name: String) throws {
                try withTrace("\(key): \(value)") {
                    try bench.refuses(code, transaction) {
                        try $0.dictionary(bench.column(name), of: bench.object, in: bench.table).set(value, forKey: key)
                    }
                }
            }
            for key in ["a.b", ".", "$", "$a"] { try refused(.invalidArgument, .int(1), key, "int dictionary") }
            try refused(.invalidArgument, .null, "a", "int dictionary")
            let pattern = StoredValue.double(Double(bitPattern: 0x7FF8_0000_0000_00AA))
            try refused(.invalidArgument, pattern, "a", "double dictionary")
            try refused(.invalidArgument, .string("x"), "a", "int dictionary")
            try refused(.invalidArgument, .link(ObjectKey(77)), "a", "link dictionary")
            try refused(.invalidArgument, .int(1), "a", "int set")
            let big = [UInt8](repeating: 1, count: FileFormat.maximumBinaryByteCount)
            try refused(.limitExceeded, .binary(big), "a", "binary dictionary")
            let text = String(repeating: "x", count: FileFormat.maximumStringByteCount + 1)
            try refused(.limitExceeded, .string(text), "a", "string dictionary")
            try refused(.limitExceeded, .int(1), text, "int dictionary")
            try transaction.dictionary(bench.column("int dictionary"), of: bench.object, in: bench.table).set(
                .int(1), forKey: "a$")
            try bench.refuses(.invalidArgument, transaction) {
                _ = try $0.dictionary(bench.column("link dictionary"), of: bench.object, in: bench.table)
                    .createEmbedded(forKey: "a")
            }
        }
    }

    @Test func linksFollowTheirTargets() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        let column = bench.column("link dictionary")
        try bench.test.write { transaction in
            for (key, index) in [("a", 0), ("b", 1), ("c", 0)] {
                try transaction.dictionary(column, of: object, in: table).set(.link(bench.targets[index]), forKey: key)
            }
            #expect(try bench.backlinkCount(0, in: transaction) == 2)
            try transaction.dictionary(column, of: object, in: table).set(.link(bench.targets[1]), forKey: "c")
            #expect(try bench.backlinkCount(0, in: transaction) == 1)
            #expect(try bench.backlinkCount(1, in: transaction) == 2)
            try transaction.removeObject(bench.targets[1], from: bench.target)
            #expect(
                try bench.value("link dictionary", in: transaction).elements.map(\.plain) == [
                    bench.link(0), .null, .null,
                ])
            try transaction.dictionary(column, of: object, in: table).erase("a")
            #expect(try bench.backlinkCount(0, in: transaction) == 0)
        }
    }

    @Test func anEmbeddedObjectWithAnInvalidValueIsNotCreated() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        try bench.test.write { transaction in
            _ = try transaction.dictionary(bench.column("parts"), of: object, in: table).createEmbedded(forKey: "a")
            let link = RowValues([bench.column("partLink"): .link(bench.targets[0])])
            try bench.refuses(.invalidArgument, transaction) {
                _ = try $0.dictionary(bench.column("parts"), of: object, in: table).createEmbedded(forKey: "a", link)
            }
            let child = try transaction.dictionary(bench.column("parts"), of: object, in: table)
                .createEmbedded(forKey: "b")
            try bench.refuses(.invalidArgument, transaction) {
                _ = try $0.links.createEmbedded(bench.column("part"), of: child, in: bench.part, link)
            }
        }
    }

    /// Replacing, erasing, and clearing remove embedded values with everything below them, and so does removing the
    /// owner.
    @Test func embeddedValues() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        let column = bench.column("parts")
        func create(_ key: String, _ transaction: WriteTransaction) throws {
            let child = try transaction.dictionary(column, of: object, in: table).createEmbedded(forKey: key)
            let inner = try transaction.links.createEmbedded(bench.column("part"), of: child, in: bench.part)
            try transaction.set(.link(bench.targets[0]), bench.column("partLink"), of: inner, in: bench.part)
        }
        func counts(_ transaction: WriteTransaction) throws -> [Int] {
            [try transaction.require(bench.part).count(), try bench.backlinkCount(0, in: transaction)]
        }
        try bench.test.write { transaction in
            for key in ["a", "b", "c", "d", "a"] { try create(key, transaction) }
            #expect(try counts(transaction) == [8, 4])
            try transaction.dictionary(column, of: object, in: table).set(.null, forKey: "b")
            #expect(try counts(transaction) == [6, 3])
            try transaction.dictionary(column, of: object, in: table).erase("c")
            #expect(try counts(transaction) == [4, 2])
            let stranger = try transaction.require(bench.part).clusters.position(at: 0)
            let key = stranger.leaf.key(at: 0)
            try bench.refuses(.invalidArgument, transaction) {
                try $0.dictionary(column, of: object, in: table).set(.link(key), forKey: "e")
            }
        }
        try bench.test.audit()
        try bench.test.write { transaction in
            try transaction.dictionary(column, of: object, in: table).clear()
            #expect(try counts(transaction) == [0, 0])
            for key in ["x", "y"] { try create(key, transaction) }
            try transaction.removeObject(object, from: table)
            #expect(try counts(transaction) == [0, 0])
        }
    }
}
