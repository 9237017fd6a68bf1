// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import Testing

@testable import RealmQuery

/// Comparisons compiled with cached property paths.
@Suite struct PathBindingCacheTests {
    private struct Items {
        let database: Database
        let table: TableKey
        let name: ColumnKey

        init() throws {
            database = try Database.inMemory(in: NSTemporaryDirectory())
            let write = try database.beginWrite()
            table = try write.schema.addTable("class_Item")
            name = try write.schema.addColumn("name", .string, .indexed, to: table)
            let age = try write.schema.addColumn("age", .int, [], to: table)
            let rank = try write.schema.addColumn("rank", .int, [.indexed, .nullable], to: table)
            let other = try write.schema.addColumn("other", .link, .nullable, target: table, to: table)
            let text = try write.schema.addColumn("text", .string, [.fullTextIndexed], to: table)
            for number in 0..<50 {
                let object = try write.createObject(
                    in: table,
                    [
                        name: .string("name \(number % 7)"), age: .int(Int64(number)),
                        rank: number % 3 == 0 ? .null : .int(Int64(number % 5)), text: .string("word\(number % 5) all"),
                    ])
                try write.set(.link(object), other, of: object, in: table)
            }
            try write.commit()
        }
    }

    @Test func comparisonsEqualTheirPredicates() throws {
        let items = try Items()
        let source = try items.database.snapshot(label: "known paths")
        let known = PathBindingCache()
        let cases: [(PropertyPath, ComparisonOperator, StoredValue)] = [
            ("name", .equal, .string("name 3")), ("name", .notEqual, .string("name 3")),
            ("name", .beginsWith, .string("name")), ("age", .less, .int(20)), ("age", .equal, .double(7)),
            ("age", .greater, .double(7.5)), ("age", .equal, .null), ("text", .text, .string("word3 all")),
            ("text", .text, .string("-word3 all")), ("age", .equal, .string("7")), ("name", .less, .int(1)),
            ("text", .text, .string("!")), ("name", .text, .string("word3")), ("age", .in, .int(1)),
            ("age", .contains, .int(1)), ("age", .equal, .int(7)), ("age", .equal, .int(50)),
            ("age", .equal, .bool(true)),
            ("rank", .equal, .int(3)), ("rank", .equal, .int(9)), ("rank", .equal, .null), ("rank", .notEqual, .int(3)),
            ("name", .equal, .string("")), ("text", .equal, .string("word3 all")),
        ]
        for (path, operation, value) in cases {
            let comparison = Comparison(path, operation, value)
            #expect(try bind(comparison, items, source, known) == nil)
            let predicate = Predicate.comparison(comparison)
            let expected = outcome {
                try Query.compile(predicate, on: items.table, in: source, dialect: .predicate, known: known)
            }
            let found = outcome { try #require(try bind(comparison, items, source, known)) }
            switch (expected, found) {
            case (.success(let expected), .success(let found)):
                #expect(found.predicate == predicate && expected.predicate == predicate)
                #expect(try found.objects(in: source) == expected.objects(in: source))
                #expect(try found.count(in: source) == expected.count(in: source))
                #expect(try found.explain(in: source) == expected.explain(in: source))
            case (.failure(let expected), .failure(let found)): #expect(found == expected)
            default: Issue.record("\(predicate): \(expected) and \(found)")
            }
        }
    }

    private func bind(
        _ comparison: Comparison, _ items: Items, _ source: any TableSource, _ known: PathBindingCache
    ) throws -> Query? {
        try Query.bind(comparison, on: items.table, in: source, .predicate, known)
    }

    private func outcome(_ body: () throws -> Query) -> Result<Query, PredicateError> {
        do {
            return .success(try body())
        } catch {
            return .failure(error as? PredicateError ?? PredicateError(.exception, "\(error)"))
        }
    }

    @Test func aRemovedColumnIsNotCached() throws {
        let items = try Items()
        let known = PathBindingCache()
        let comparison = Comparison("name", .equal, .string("name 1"))
        let before = try items.database.snapshot(label: "before")
        _ = try Query.compile(.comparison(comparison), on: items.table, in: before, known: known)
        let write = try items.database.beginWrite()
        try write.schema.removeColumn(items.name, of: items.table)
        try write.commit()
        let after = try items.database.snapshot(label: "after")
        #expect(try bind(comparison, items, after, known) == nil)
        #expect(try bind(comparison, items, before, known)?.count(in: before) == 7)
    }

    @Test func textsOfOneComparisonWithAnArgumentAreCached() throws {
        for text in ["name == %@", "age >= %d", "name ==[c] %@", "a.b BEGINSWITH %@", "text TEXT %@"] {
            #expect(TokenCache.shared.comparison(in: text) == nil)
            let parsed = try Predicate(parsing: text, arguments: [.value(.int(3))])
            #expect(TokenCache.shared.comparison(in: text) != nil, "\(text)")
            #expect(try Predicate(parsing: text, argument: .int(3)) == parsed)
            let other = try Predicate(parsing: text, argument: .int(4))
            #expect(try other == Predicate(parsing: text, arguments: [.value(.int(4))]) && other != parsed)
        }
        for text in [
            "%@ == name1", "NOT name2 == %@", "a == 1 AND b3 == %@", "ANY name4 == %@", "%K == 5", "name6 == $0",
            "age7 == %@ + 1", "age8 == 1 + %@", "age9 == 1", "self[%@] == 10", "ALL11 == {%@}",
        ] {
            _ = try? Predicate(parsing: text, arguments: [.value(.string("name"))])
            #expect(TokenCache.shared.comparison(in: text) == nil, "\(text)")
        }
        _ = try Predicate(parsing: "name12 IN %@", arguments: [.list([.value(.int(1))])])
        #expect(TokenCache.shared.comparison(in: "name12 IN %@") == nil)
    }

    @Test func spellingsOfATextAreTwoTexts() throws {
        let texts = ["s13 == 'caf\u{e9}'", "s13 == 'cafe\u{301}'"]
        let bytes = try texts.map { Array(try Predicate(parsing: $0, arguments: []).description.utf8) }
        #expect(bytes[0] != bytes[1])
        #expect(PropertyPath([.property("caf\u{e9}")]) != PropertyPath([.property("cafe\u{301}")]))
    }
}
