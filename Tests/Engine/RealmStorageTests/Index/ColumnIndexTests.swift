// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Indexes of columns with data, changed by a transaction's instructions (content 9, 12.5).
@Suite struct ColumnIndexTests {
    private func code(_ body: () throws -> Void) -> StorageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    /// Indexes on every supported type, built over objects and removed. Other types are rejected.
    @Test(arguments: RandomValues.types + [.link]) func isCreatedAndRemoved(_ type: ColumnType) throws {
        var generator = SeededGenerator(for: "index of \(type)")
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let column = try test.write { transaction in
                let target = type == .link ? table : nil
                let column = try transaction.schema.addColumn("a", type, .nullable, target: target, to: table)
                for _ in 0..<400 {
                    let value = type == .link ? .null : RandomValues.value(type, isNullable: true, &generator)
                    let object = try transaction.createObject(in: table)
                    try transaction.set(value, column, of: object, in: table)
                }
                return column
            }
            try test.write { transaction in
                let before = transaction.clock.value
                guard type.isIndexable else {
                    #expect(code { try transaction.indexes.add(column, of: table) } == .invalidArgument)
                    #expect(
                        code { try transaction.schema.addColumn("b", type, .indexed, target: table, to: table) }
                            == .invalidArgument)
                    #expect(transaction.clock.value == before)
                    return
                }
                if type != .string {
                    #expect(code { try transaction.indexes.add(column, .fullText, of: table) } == .invalidArgument)
                }
                try transaction.indexes.add(column, of: table)
            }
            try test.auditTwice()
            guard type.isIndexable else { return }
            try test.write { try $0.indexes.remove(column, of: table) }
            try test.auditTwice()
            let read = try #require(try test.database.snapshot().table(table))
            #expect(
                !read.hasIndex(column) && read.columns[0].attributes.isDisjoint(with: [.indexed, .fullTextIndexed]))
        }
    }

    @Test func listsOfStrings() throws {
        var generator = SeededGenerator(for: "index of lists")
        let words: [StoredValue] = [
            .null, .string(""), .string("abc"), .string("abcX"), .string("aXbc"), .string("abcXdef"), .string("XXXX"),
            .string("abcd"), .string("abcdefgX"), .string("e\u{301}"), .string("é"),
            .string(String(repeating: "w", count: 200)), .string(String(repeating: "X", count: 200)),
        ]
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let column = try test.write { try $0.schema.addColumn("list", .string, [.list, .nullable], to: table) }
            var model: [ObjectKey: [StoredValue]] = [:]
            func compare(_ read: Table) throws {
                for word in words + [.string("absent"), .string("abcXd")] {
                    let expected = model.filter { $0.value.contains(word) }.keys.sorted()
                    let found = try read.objects(column, containing: word)
                    #expect(found == expected, "\(word)")
                }
            }
            for round in 0..<6 {
                try test.write { transaction in
                    if round == 2 { try transaction.indexes.add(column, of: table) }
                    if round == 5 {
                        try transaction.indexes.remove(column, of: table)
                        try transaction.indexes.add(column, of: table)
                    }
                    for _ in 0..<15 {
                        let object = try transaction.createObject(in: table)
                        model[object] = []
                    }
                    for _ in 0..<150 where !model.isEmpty {
                        let object = generator.pick(model.keys.sorted())
                        let count = model[object]?.count ?? 0
                        switch generator.below(10) {
                        case 0..<5:
                            let (word, index) = (generator.pick(words), generator.below(count + 1))
                            try transaction.list(column, of: object, in: table).insert(word, at: index)
                            model[object]?.insert(word, at: index)
                        case 5..<7 where count > 0:
                            let (word, index) = (generator.pick(words), generator.below(count))
                            try transaction.list(column, of: object, in: table).set(word, at: index)
                            model[object]?[index] = word
                        case 7..<9 where count > 0:
                            let index = generator.below(count)
                            try transaction.list(column, of: object, in: table).erase(at: index)
                            model[object]?.remove(at: index)
                        default:
                            if generator.chance(85) {
                                try transaction.list(column, of: object, in: table).clear()
                                model[object] = []
                            } else {
                                try transaction.removeObject(object, from: table)
                                model[object] = nil
                            }
                        }
                    }
                    if round >= 2 { try compare(try #require(try transaction.table(table))) }
                }
                try test.auditTwice()
            }
        }
    }

    /// A word of more than 200 bytes is rejected before anything changes. A list that has one can't be indexed.
    @Test func longWordsAreRefused() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let list = try transaction.schema.addColumn("list", .string, [.list, .indexed], to: table)
                let object = try transaction.createObject(in: table)
                let long = StoredValue.string(String(repeating: "w", count: 201))
                try transaction.list(list, of: object, in: table).insert(.string("a"), at: 0)
                let before = transaction.clock.value
                #expect(
                    code { try transaction.list(list, of: object, in: table).insert(long, at: 0) } == .limitExceeded)
                #expect(code { try transaction.list(list, of: object, in: table).set(long, at: 0) } == .limitExceeded)
                #expect(transaction.clock.value == before)
                try transaction.indexes.remove(list, of: table)
                try transaction.list(list, of: object, in: table).insert(long, at: 1)
                let changeCount = transaction.clock.value
                #expect(code { try transaction.indexes.add(list, of: table) } == .limitExceeded)
                #expect(transaction.clock.value == changeCount)
                let live = try #require(try transaction.table(table))
                #expect(!live.hasIndex(list) && !live.columns[0].attributes.contains(.indexed))
                #expect(try live.list(list, of: object).values() == [.string("a"), long])
            }
            try test.auditTwice()
        }
    }

    /// Deleting the target of an indexed Mixed link makes the property null, in the index too (weak spot 7).
    @Test func aLostLinkIsNullToTheIndex() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let any = try transaction.schema.addColumn("any", .mixed, .indexed, to: table)
                let (origin, target) = (
                    try transaction.createObject(in: table), try transaction.createObject(in: table)
                )
                let link = StoredValue.typedLink(ObjectLink(table: table, object: target))
                try transaction.set(link, any, of: origin, in: table)
                let live = try #require(try transaction.table(table))
                #expect(try live.objects(any, equalTo: link) == [origin])
                try transaction.removeObject(target, from: table)
                #expect(try live.objects(any, equalTo: link) == [])
                #expect(try live.objects(any, equalTo: .null) == [origin])
            }
            try test.auditTwice()
        }
    }

    /// Values of different types with equal index data, or with their first four bytes in common (weak spot 9).
    @Test func valuesOfOtherTypesShareAPlace() throws {
        let values: [StoredValue] = [
            .int(1), .bool(true), .double(1), .float(1), .string("\u{1}\0\0\0"), .binary([1, 0, 0, 0]), .int(0),
            .bool(false), .string("X"), .binary([0x58]), .string("__List__"), .int(1 << 32 | 1), .null,
        ]
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                let any = try transaction.schema.addColumn("any", .mixed, .indexed, to: table)
                for value in values + values.reversed() {
                    let object = try transaction.createObject(in: table)
                    try transaction.set(value, any, of: object, in: table)
                }
                let live = try #require(try transaction.table(table))
                for value in values {
                    let equal = values.count { StoredValue.compare($0, value) == 0 }
                    #expect(try live.objects(any, equalTo: value).count == 2 * equal, "\(value)")
                }
            }
            try test.auditTwice()
        }
    }

    // MARK: Full text

    @Test func fullText() throws {
        var generator = SeededGenerator(for: "full text")
        let words = [
            "Swift", "swiftly", "data", "Database", "Ærø", "naïve", "naive", "X", "xX", "中文", "a-b", "über",
            String(repeating: "long", count: 30), "×", "42", "é",
        ]
        let queries = [
            "swift", "swift*", "data* -database", "-swift", "NAIVE", "x", "42 -x", "æro", "ærø", "long*", "uber -a -b",
            "absent", "a b", String(repeating: "long", count: 30),
        ]
        try TestDatabase.using { test in
            let table = try test.write { try $0.schema.addTable("class_A") }
            let column = try test.write {
                try $0.schema.addColumn("text", .string, [.nullable, .fullTextIndexed], to: table)
            }
            var model: [ObjectKey: String?] = [:]
            func text() -> String? {
                if generator.chance(10) { return nil }
                return (0..<generator.below(8)).map { _ in generator.pick(words) }.joined(separator: " ")
            }
            for round in 0..<5 {
                try test.write { transaction in
                    if round == 2 { try transaction.indexes.add(column, of: table) }
                    if round == 3 { try transaction.indexes.add(column, .fullText, of: table) }
                    for _ in 0..<120 {
                        let known = model.keys.sorted()
                        switch generator.below(10) {
                        case 0..<5:
                            let text = text()
                            let value: StoredValue = text.map { .string($0) } ?? .null
                            let object = try transaction.createObject(in: table, [column: value])
                            model[object] = .some(text)
                        case 5..<8 where !known.isEmpty:
                            let (object, text) = (generator.pick(known), text())
                            try transaction.set(text.map { .string($0) } ?? .null, column, of: object, in: table)
                            model[object] = .some(text)
                        default:
                            guard !known.isEmpty else { continue }
                            let object = generator.pick(known)
                            try transaction.removeObject(object, from: table)
                            model[object] = nil
                        }
                    }
                }
                try test.auditTwice()
                let read = try #require(try test.database.snapshot().table(table))
                guard round != 2 else {
                    #expect(!read.columns[0].isFullTextIndexed && read.columns[0].attributes.contains(.indexed))
                    continue
                }
                #expect(code { _ = try read.objects(column, equalTo: .string("swift")) } == .invalidArgument)
                for text in queries {
                    let query = try FullTextQuery(text)
                    // A null text doesn't contain excluded words.
                    let expected = model.filter { query.matches(($0.value ?? nil) ?? "") }.keys.sorted()
                    #expect(try read.objects(column, matching: query) == expected, "\(text)")
                }
            }
        }
    }

    @Test func fullTextQueriesAreValidated() throws {
        let query = try FullTextQuery("Swift data* -Java")
        #expect(query.included.map(\.isPrefix) == [false, true] && query.included.map(\.token.count) == [5, 4])
        #expect(query.excluded.map(\.token) == [Array("java".utf8)])
        #expect(query.matches("SWIFT and databases") && !query.matches("swift data java") && !query.matches("swift"))
        for text in ["", " ", "a-b"] { #expect(code { _ = try FullTextQuery(text) } == .invalidArgument, "\(text)") }
        // A word needs a letter that the index accepts. A search without such a word finds no text.
        for text in ["*", "-", "!!", "中文"] {
            let query = try FullTextQuery(text)
            #expect(query.included.isEmpty && query.excluded.isEmpty && !query.matches(text), "\(text)")
        }
    }

    /// Any Unicode space separates words, and a repeated word counts once.
    @Test func fullTextQueriesAreCutAtSpaces() throws {
        for text in [
            "swift -java", "\tswift\r\n-java ", "swift\u{A0}-java", "swift\u{3000}\u{2028}-java", "swift-Swift -java",
        ] {
            let query = try FullTextQuery(text)
            #expect(query.included.map(\.token) == [Array("swift".utf8)], "\(text)")
            #expect(query.excluded.map(\.token) == [Array("java".utf8)], "\(text)")
        }
    }

    @Test func intersectionsEqualThoseOfSets() {
        var generator = SeededGenerator(for: "intersections of lists of keys")
        func keys() -> [ObjectKey] {
            let (count, span) = (generator.pick([0, 1, 5, 60, 700]), generator.pick([3, 50, 1_000, 100_000]))
            return Set((0..<count).map { _ in ObjectKey(Int64(generator.below(span))) }).sorted()
        }
        for _ in 0..<2_000 {
            let (some, others) = (keys(), keys())
            let set = Set(others)
            #expect(Table.filter(some, presentIn: others, true) == some.filter { set.contains($0) })
            #expect(Table.common(some, others) == some.filter { set.contains($0) })
            #expect(Table.filter(some, presentIn: others, false) == some.filter { !set.contains($0) })
        }
    }
}
