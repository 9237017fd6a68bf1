// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Limits of depth and length of queries.
@Suite struct QueryLimitTests {
    private let rich: RichDatabase

    init() throws { rich = try RichDatabase(count: 60, seed: 3) }

    private func count(_ text: String) throws -> Int {
        let query = try Query.compile(
            Predicate(parsing: text, dialect: .query), on: rich.table, in: rich.snapshot, dialect: .query)
        return try query.count(in: rich.snapshot)
    }

    @Test(arguments: [
        (times("(", 300) + "i == 1", "expected fewer parentheses"),
        ("any == " + times("{", 100_000), "expected fewer parentheses"),
        (times("!", 100_000) + "i == 1", "expected fewer parentheses"),
        (times("NOT ", 100_000) + "i == 1", "expected fewer parentheses"),
        ("i == 1" + times(" + 1", 20_000), "expected fewer arithmetic operators"),
        ("i == 1" + times(" + (1", 20_000), "expected fewer"),
        ("SUBQUERY(llink, $x, " + times("SUBQUERY($x.llink, $x, ", 20), "expected fewer SUBQUERYs"),
        (times("link.", 200) + "i == 1", "at most 200 steps per keypath are supported."),
        ("ANY " + times("llink.", 51) + "i == 1", "at most 50 collections per keypath are supported."),
    ])
    func tooDeep(_ text: String, _ message: String) throws {
        let error = #expect(throws: PredicateError.self) { try count(text) }
        #expect(error?.message.contains(message) ?? false, "\(error?.message.suffix(200) ?? "")")
    }

    @Test func justDeepEnough() throws {
        let one = try count("i == 1")
        #expect(try count(times("(", 63) + "i == 1" + times(")", 63)) == one)
        #expect(try count("i == 1" + times(" + 1 - 1", 50)) == one)
        #expect(try count(times("NOT NOT ", 31) + "i == 1") == one)
    }

    @Test(arguments: [1, 7, 8, 9, 17, 31, 64, 199]) func longLinks(_ length: Int) throws {
        let table = try rich.snapshot.require(rich.table)
        let (link, i) = (table.column(named: "link")!.key, table.column(named: "i")!.key)
        func end(_ key: ObjectKey, _ left: Int) throws -> StoredValue {
            guard left > 0 else { return try table.value(i, of: key) }
            guard case .link(let next) = try table.value(link, of: key) else { return .null }
            return try end(next, left - 1)
        }
        var keys: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        let path = times("link.", length) + "i"
        for (operation, null) in [("== 1", false), ("!= 1", true)] {
            let expected = try keys.count { key in
                switch try end(key, length) {
                case .null: null
                case let value: (value == .int(1)) != null
                }
            }
            #expect(try count("\(path) \(operation)") == expected, "\(length) \(operation)")
        }
    }

    /// Each object is read once for each step, regardless of the number of paths to it.
    @Test(arguments: [
        "ANY \(times("llink.", 13))i == 77", "ANY \(times("llink.", 50))i == 77",
        "ANY \(times("llink.link.slink.", 15))i == 77", "ANY \(times("llink.", 13))s == ft",
        "NONE \(times("@links.Rich.llink.", 30))i == 77", "ANY \(times("llink.", 20))i + 1 == i * 77",
        "ANY \(times("llink.", 20))place GEOWITHIN geoCircle([0, 0], 0.000001)",
        "SUBQUERY(\(times("llink.", 40))llink, $x, $x.i == 1).@count == 77",
        "SUBQUERY(llink, $x, \(nested(19))).@count == 77",
    ])
    func manyWays(_ text: String) throws { #expect(try count(text) >= 0) }

    @Test func countsOfWays() throws {
        #expect(try count("SUBQUERY(llink, $x, TRUEPREDICATE).@count == 3") == 60)
        #expect(try count("SUBQUERY(llink.llink, $x, TRUEPREDICATE).@count == 9") == 60)
        #expect(try count("SUBQUERY(llink.llink.llink, $x, TRUEPREDICATE).@count == 27") == 60)
        #expect(try count("SUBQUERY(\(times("llink.", 49))llink, $x, TRUEPREDICATE).@count == \(Int64.max)") == 60)
    }

    /// The time is independent of the number of texts that a row is compared with.
    @Test func membershipWithoutCase() throws {
        func time(_ options: String, _ count: Int) throws -> Duration {
            let texts = (0..<count).map { StoredValue.string("Text \($0)") }
            let query = try Query.compile(
                Predicate(
                    parsing: "s IN\(options) %@", arguments: [.list(texts.map { .value($0) })], dialect: .query),
                on: rich.table, in: rich.snapshot)
            return try processorTime {
                for _ in 0..<50 {
                    let found = try query.filter(rich.keys, in: rich.snapshot)
                    #expect(found.isEmpty)
                }
            }
        }
        let (few, many) = (try time("[c]", 10), try time("[c]", 10_000))
        #expect(many < few * 10, "\(few), \(many)")
    }

    @Test(arguments: ["s IN[c] {'A', 'É', 'x'}", "any IN[c] {'A', 'É', 1}"])
    func sameAsEachByItself(_ text: String) throws {
        let name = text.prefix { $0 != " " }
        let last = name == "any" ? "any == 1" : "s ==[c] 'x'"
        #expect(try count(text) == count("\(name) ==[c] 'a' OR \(name) ==[c] 'é' OR \(last)"))
    }

    @Test func longCompounds() throws {
        let numbers = (0..<20_000).map { "i == \($0)" }
        #expect(try count(numbers.joined(separator: " OR ")) == count("i BETWEEN {0, 19999}"))
        let others = (100...20_000).map { "i != \($0)" }
        #expect(try count(others.joined(separator: " AND ")) == count("NOT (i BETWEEN {100, 20000})"))
    }
}

private func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

private func nested(_ depth: Int) -> String {
    (0..<depth).reversed().reduce("$y.i == 77") { inner, level in
        let outer = level == 0 ? "$x" : "$y"
        return "SUBQUERY(\(outer).llink, $y, \(inner)).@count > 77"
    }
}
