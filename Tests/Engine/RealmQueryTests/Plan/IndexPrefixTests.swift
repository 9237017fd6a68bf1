// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// BEGINSWITH on indexed strings compared with a full scan.
@Suite struct IndexPrefixTests {
    @Test func prefixesAreFoundAndCountedAsByLookingAtEveryObject() throws {
        var random = SeededGenerator(for: "IndexPrefixTests")
        try TestDatabase.using { database in
            let write = try database.database.beginWrite()
            let table = try write.schema.addTable("class_Item")
            let column = try write.schema.addColumn("text", .string, [.indexed, .nullable], to: table)
            var texts: [ObjectKey: String] = [:]
            for _ in 0..<800 {
                let text = random.chance(5) ? nil : IndexPrefixTests.text(&random)
                let key = try write.createObject(in: table, [column: text.map { .string($0) } ?? .null])
                texts[key] = text
            }
            try check(texts, table, write, &random)
            for key in texts.keys.sorted() where random.chance(40) {
                try write.removeObject(key, from: table)
                texts[key] = nil
            }
            try check(texts, table, write, &random)
            try write.commit()
            try check(texts, table, try database.database.snapshot(label: "prefixes"), &random)
        }
    }

    private func check(
        _ texts: [ObjectKey: String], _ table: TableKey, _ source: any TableSource, _ random: inout SeededGenerator
    ) throws {
        var exactCount = 0
        for _ in 0..<300 {
            let prefix = String(IndexPrefixTests.text(&random).unicodeScalars.prefix(1 + random.below(210)))
            guard !prefix.isEmpty else { continue }
            let comment: Comment = "seed \(random.seed), \(prefix.debugDescription)"
            let expected = texts.filter { $0.value.utf8.starts(with: prefix.utf8) }.keys.sorted()
            var query = try Query.compile(.compare("text", .beginsWith, .string(prefix)), on: table, in: source)
            query.plannerOptions.alwaysUsesAccess = random.chance(70)
            #expect(try query.objects(in: source) == expected, comment)
            #expect(try query.count(in: source) == expected.count, comment)

            let found = try source.require(table)
            let places = try found.places(try #require(found.column(named: "text")), ofPrefix: Array(prefix.utf8))
            let keys = try places.keys()
            #expect(Set(expected).isSubset(of: keys), comment)
            #expect(try places.count(limit: keys.count) == keys.count, comment)
            if !keys.isEmpty { #expect(try places.count(limit: keys.count - 1) == nil, comment) }
            if places.isExact {
                #expect(keys == expected, comment)
                exactCount += 1
            }
        }
        #expect(exactCount > 50)
    }

    /// Many of these bytes equal the padding of the last chunk of a shorter string.
    private static func text(_ random: inout SeededGenerator) -> String {
        let beginning = String(
            repeating: random.pick(["p", "person-", "\0"]), count: random.pick([0, 0, 1, 3, 4, 8, 28, 29, 66]))
        let end = (0..<random.below(7)).map { _ in random.pick(["X", "a", "\0", "é", "b"]) }
        return beginning + end.joined()
    }
}
