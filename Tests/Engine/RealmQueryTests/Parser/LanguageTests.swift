// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import TestTraits
import Testing

@testable import RealmQuery

/// Realm Query Language's extensions of the predicate language: statements, list indices, objects by key, full text.
@Suite struct LanguageTests {
    private let kennel: Kennel

    init() throws { kennel = try Kennel() }

    private func names(_ text: String) throws -> String {
        let statement = try CompiledStatement(
            QueryStatement(parsing: text), on: kennel.people, in: kennel.snapshot)
        let table = try kennel.snapshot.require(kennel.people)
        return try statement.objects(in: kennel.snapshot).map { key in
            guard case .string(let name) = try table.value(table.column(named: "name")!.key, of: key) else { return "" }
            return name
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("SORT(name DESC)", "Eve Cid Bob Ann"), ("weight > 1 SORT(name DESC) LIMIT(2)", "Eve Cid"),
        ("LIMIT(3) SORT(name DESC)", "Cid Bob Ann"), ("SORT(isNice DESC, name DESC)", "Cid Ann Eve Bob"),
        ("SORT(name DESC) DISTINCT(isNice)", "Eve Cid"), ("DISTINCT(isNice) SORT(name DESC)", "Bob Ann"),
        ("LIMIT(0)", ""), ("dogs[0].name == 'Rex'", "Ann Bob"), ("dogs[1].name == 'Bo'", "Ann"),
        ("dogs[LAST].name == 'Rex'", "Bob"), ("dogs[FIRST] == NULL", "Cid Eve"), ("dogs[SIZE] == 2", "Ann"),
        ("numbers[2] == 3", "Ann"), ("numbers[LAST] == -5", "Bob"), ("numbers[7] == NULL", ""),
        ("ANY numbers[*] == 2", "Ann"), ("any.@type == 'numeric'", "Ann Bob"), ("any.@type == 'int'", "Ann"),
        ("any.@type != 'null'", "Ann Bob Cid"), ("any.@type IN {'string', 'null'}", "Cid Eve"),
        ("@links.@count > 0", "Ann Bob"), ("@links.@count == 2", "Bob"), ("age * 2 - 4 == weight * 10", "Ann"),
        ("age / 0 == NULL", "Ann Bob Cid Eve"), ("ANY dogs.age + 1 == 5", "Ann"), ("weight > 1 + 2", "Eve"),
        ("age > ALL {1, 5}", "Ann"), ("name IN NONE {'Ann', 'Bob'}", "Cid Eve"),
    ])
    func found(_ text: String, _ expected: String) throws {
        #expect(try names(text) == expected)
    }

    /// Queries that only Realm Query Language answers, or answers in its own way (rows Q3 to Q13).
    @Test(
        .behaviour("Q03", "Q05", "Q07", "Q09", "Q11", "Q13", "S08", "S19"),
        arguments: [
            ("dogs.age > 3", "Ann"), ("numbers == 2", "Ann"), ("numbers != 1", "Ann Bob"), ("weight < age", "Ann Bob"),
            ("ANY numbers.@size == 3", "Ann"), ("dogs.@count == numbers.@count", "Bob Cid Eve"),
            ("_id < oid(000000000000000000000002)", "Ann"), ("age <= NULL", "Cid Eve"), ("age > NULL", ""),
            ("name BEGINSWITH ''", "Ann Bob Cid Eve"), ("name CONTAINS NULL", "Ann Bob Cid Eve"),
            ("any CONTAINS '1'", "Cid"), ("any CONTAINS binary('1')", ""), ("'Annabel' BEGINSWITH name", "Ann"),
            ("age == '7'", "Ann"), ("numbers == {1, 2, 3}", "Ann"), ("numbers != {-5}", "Ann Cid Eve"),
            ("name == {'Ann', 'Eve'}", "Ann Eve"), ("ANY {1, 7} == age", "Ann"), ("2 == ANY numbers", "Ann"),
            ("name LIKE '\\\\Ann'", ""), ("numbers[9] != 1", ""), ("any.@size == 1", "Cid"),
            ("any.@size == NULL", "Ann Bob Eve"), ("any['k'] == NULL", ""), ("@links.Dog.owner.name == 'Rex'", "Bob"),
            ("DISTINCT(friend.name)", "Ann Bob"), ("SUBQUERY(dogs, $d, age > 3).@count > 0", "Ann"),
            ("friend == dogs.owner", "Ann"), ("name BETWEEN {'B', 'D'}", "Bob Cid"),
            ("name.@count == 3 LIMIT(1)", "Ann"),
            ("SORT(any DESC) LIMIT(1)", "Cid"), ("any.@type == 'object'", ""), ("any.@type == 'objectlink'", ""),
        ])
    func answers(_ text: String, _ expected: String) throws {
        #expect(try names(text) == expected)
    }

    @Test(arguments: [
        ("name + 1 == 2", "Cannot compute with property 'name' of type 'string'"),
        ("age + 'x' == 2", "Cannot compute with 'x' of type 'string'"),
        ("name TEXT 'x'", "Operator 'TEXT' needs a full-text index, which property 'name' doesn't have"),
        ("best == obj('Cat', 1)", "obj('Cat', …): there is no class 'Cat'"),
        ("best == obj('Dog', 1)", "obj('Dog', …): class 'Dog' has no primary key"),
        ("best GEOWITHIN geoCircle([0, 0], 1)", "A GEOWITHIN query can only operate on a link to an embedded class"),
        ("name GEOWITHIN geoCircle([0, 0], 1)", "links to data in the wrong format for a geoWithin query"),
        ("numbers['x'] == 1", "only dictionaries and realm `Any` support subscript predicates."),
        ("any.@type == 'number of'", "'number of' isn't a result of @type"),
        ("ANY dogs.age + numbers == 3", "Comparing two collection columns is not permitted."),
    ])
    func refused(_ text: String, _ message: String) throws {
        let error = #expect(throws: PredicateError.self) { try names(text) }
        #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
    }

    @Test(.behaviour("S04")) func nestedSubqueries() throws {
        let text = "SUBQUERY(dogs, $d, SUBQUERY($d.owner.dogs, $e, $e.age < 3).@count > 0 AND $d.age < 3).@count > 0"
        #expect(try names(text) == "Ann Bob")
        #expect(try kennel.names(text) == "Ann Bob")
    }

    /// A nested count as the original's builder writes it: a path without a variable begins at the element.
    @Test(.behaviour("S04")) func aPathInASubqueryNeedsNoVariable() throws {
        let text = "SUBQUERY(dogs, $d, SUBQUERY(owner.dogs, $e, age < 3).@count > 0 AND SELF.age < 3).@count > 0"
        #expect(try names(text) == "Ann Bob")
        #expect(try kennel.names(text) == "Ann Bob")
    }

    @Test func thePredicateLanguageHasNoPlacesInLists() throws {
        let error = #expect(throws: PredicateError.self) {
            try Query.compile(
                Predicate(parsing: "numbers[0] == 1"), on: kennel.people, in: kennel.snapshot, dialect: .predicate)
        }
        #expect(error?.message.hasSuffix("only dictionaries and realm `Any` support subscript predicates.") ?? false)
    }

    // MARK: Full text

    private static let texts: [String?] = [
        "Swift on the server", "Swift and Java", "java, data bases", "Database design", nil, "",
        "Café data", "dataswift",
    ]

    private func library() throws -> (snapshot: Snapshot, table: TableKey) {
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Book")
        let about = try write.schema.addColumn("about", .string, [.nullable, .fullTextIndexed], to: table)
        let sequel = try write.schema.addColumn("sequel", .link, .nullable, target: table, to: table)
        for text in Self.texts { _ = try write.createObject(in: table, [about: text.map { .string($0) } ?? .null]) }
        try write.set(.link(ObjectKey(0)), sequel, of: ObjectKey(5), in: table)
        try write.commit()
        return (try database.snapshot(label: "library"), table)
    }

    @Test(arguments: [
        ("about TEXT 'swift'", [0, 1] as [Int64]), ("about TEXT 'SWIFT -java'", [0]),
        ("about TEXT 'data*'", [2, 3, 6, 7]),
        ("about TEXT 'data'", [2, 6]), ("about TEXT 'cafe'", [6]), ("about TEXT 'java data'", [2]),
        ("NOT about TEXT 'swift'", [2, 3, 4, 5, 6, 7]), ("sequel.about TEXT 'swift'", [5]),
        ("about TEXT '-swift'", [2, 3, 4, 5, 6, 7]), ("about TEXT '日本'", []),
        ("about TEXT 'swift 日本'", [0, 1]), ("about TEXT 'swift' OR about TEXT 'design'", [0, 1, 3]),
    ])
    func fullText(_ text: String, _ keys: [Int64]) throws {
        let (snapshot, table) = try library()
        let query = try Query.compile(Predicate(parsing: text, dialect: .query), on: table, in: snapshot)
        let expected = keys.map { ObjectKey($0) }
        #expect(try query.filter((0..<8).map { ObjectKey($0) }, in: snapshot) == expected)
        #expect(try query.objects(in: snapshot) == expected)
    }

    @Test func fullTextUsesItsIndex() throws {
        let (snapshot, table) = try library()
        let query = try Query.compile(
            Predicate(parsing: "about TEXT 'swift'", dialect: .query), on: table, in: snapshot)
        #expect(try query.explain(in: snapshot) == "index on Book.about: about TEXT 'swift' (estimated 2, actual 2)")
        let error = #expect(throws: PredicateError.self) {
            try Query.compile(Predicate(parsing: "about TEXT 'a-b'", dialect: .query), on: table, in: snapshot)
        }
        #expect(error?.message == "Operator 'TEXT': 'a-b' is not one word of a full-text search")
    }

    // MARK: Accents

    @Test(arguments: [
        ("Café", "cafe", false), ("cafe\u{301}", "cafe", true), ("Ångström", "Angstrom", true), ("ΆΛΦΑ", "ΑΛΦΑ", true),
        ("Ждё", "Жде", true), ("が", "か", true), ("ø", "o", false), ("naïve", "naive", true),
    ])
    func accents(_ text: String, _ other: String, _ isEqual: Bool) {
        #expect(TextMatcher(.equal, other, .diacriticInsensitive).matches(text) == isEqual)
        #expect(TextMatcher(.equal, text, .diacriticInsensitive).matches(other) == isEqual)
        let both: TextOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(TextMatcher(.equal, other.uppercased(), both).matches(text) == (isEqual || text == "Café"))
    }

    @Test func accentsAreThoseOfCanonicalDecomposition() {
        for value in UInt32(0xC0)...0x30FF {
            guard let scalar = Unicode.Scalar(value), let base = Accents.base(of: scalar), base != scalar else {
                continue
            }
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            #expect(decomposed.first == base, "\(scalar)")
            #expect(decomposed.dropFirst().allSatisfy { $0.properties.generalCategory == .nonspacingMark })
        }
    }
}
