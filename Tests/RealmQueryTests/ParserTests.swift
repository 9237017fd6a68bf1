// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import Testing

@testable import RealmQuery

@Suite struct ParserTests {
    private func parse(_ text: String, _ arguments: [PredicateArgument] = []) throws -> String {
        try Predicate(parsing: text, arguments: arguments, dialect: .query).description
    }

    /// Text and the canonical text of what it means.
    @Test(arguments: [
        ("age = 3", "age == 3"), ("age == 3", "age == 3"), ("3 == age", "3 == age"), ("age<>-3", "age != -3"),
        ("age =< 3", "age <= 3"), ("age => 3", "age >= 3"), ("a == 1 and b == 2", "a == 1 AND b == 2"),
        ("a == 1 || b == 2 && c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("NOT (a == 1 OR b == 2) AND c == 3", "NOT (a == 1 OR b == 2) AND c == 3"),
        ("!a == 1", "NOT a == 1"), ("(a == 1)", "a == 1"),
        ("((a == 1 or b == 1) or c == 1)", "(a == 1 OR b == 1) OR c == 1"),
        ("name contains[cd] \"x\"", "name CONTAINS[cd] 'x'"), ("name ==[n] 'x'", "name == 'x'"),
        ("SOME dogs.age > 3", "ANY dogs.age > 3"), ("none dogs.age > 3", "NONE dogs.age > 3"),
        ("ALL dogs.age > 3", "ALL dogs.age > 3"), ("SELF.age == 1", "SELF.age == 1"), ("self == O3", "SELF == O3"),
        ("age IN {1, 2,3}", "age IN {1, 2, 3}"), ("age IN {}", "age IN {}"),
        ("age BETWEEN {1, 3}", "age BETWEEN {1, 3}"),
        ("x == YES", "x == true"), ("x == false", "x == false"), ("x == nil", "x == NULL"), ("x == 0x1F", "x == 31"),
        ("x == -0x10", "x == -16"), ("x == 1.5", "x == 1.5"), ("x == .5", "x == 0.5"), ("x == 1e3", "x == 1000.0"),
        ("x == 1e-3", "x == 0.001"), ("x == 1.5f", "x == 1.5f"), ("x == inf", "x == inf"), ("x == -inf", "x == -inf"),
        ("x == NaN", "x == NaN"), ("x == 9223372036854775808", "x == 9.223372036854776e+18"),
        ("x == 'it\\'s \\u00e9\\n'", "x == 'it\\'s é\\n'"), ("x == 2020-01-31@13:05:09", "x == T1580475909:0"),
        ("x == 2020-01-31@13:05:09:7", "x == T1580475909:7"), ("x == 1969-12-31@23:59:59:5", "x == T0:-999999995"),
        ("x == T-5:-7", "x == T-5:-7"), ("x == B64\"AAEC\"", "x == B64\"AAEC\""),
        ("x == binary('ab')", "x == B64\"YWI=\""),
        ("x == oid(507f1f77bcf86cd799439011)", "x == oid(507f1f77bcf86cd799439011)"),
        ("x == uuid(01234567-89ab-cdef-0123-456789abcdef)", "x == uuid(01234567-89ab-cdef-0123-456789abcdef)"),
        ("x == L2:17", "x == L2:17"), ("dogs.@count > 2", "dogs.@count > 2"),
        ("dogs.@avg.age > 2", "dogs.@avg.age > 2"),
        ("@links.Dog.owner.@count > 2", "@links.Dog.owner.@count > 2"), ("\\in == 1", "\\in == 1"),
        ("any == 1", "\\any == 1"), ("ANY any.all == 1", "ANY \\any.\\all == 1"),
        ("like LIKE 'x'", "\\like LIKE 'x'"), ("NOT none == 1", "NOT \\none == 1"),
        ("a\\ b == 1", "a\\ b == 1"), ("naïve == 1", "naïve == 1"), ("\\O5 == 1", "\\O5 == 1"),
        (
            "SUBQUERY(dogs, $d, $d.age > 2 AND $d.name BEGINSWITH 'R').@count >= 1",
            "SUBQUERY(dogs, $d, $d.age > 2 AND $d.name BEGINSWITH 'R').@count >= 1"
        ),
        (
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == 1).@count > 0).@count > 0",
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == 1).@count > 0).@count > 0"
        ),
        ("TRUEPREDICATE OR falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
    ])
    func texts(_ text: String, _ expected: String) throws {
        #expect(try parse(text).replacingSelf == expected.replacingSelf)
        #expect(try parse(expected) == (try parse(text)))
    }

    @Test func arguments() throws {
        let list = PredicateArgument.list([.value(.int(1)), .value(.int(2))])
        #expect(try parse("%K == %@", [.value(.string("toy.name")), .value(.string("x"))]) == "toy.name == 'x'")
        #expect(try parse("age IN %@", [list]) == "age IN {1, 2}")
        #expect(try parse("age BETWEEN {%d, %ld}", [.value(.int(1)), .value(.int(3))]) == "age BETWEEN {1, 3}")
        #expect(try parse("age IN {0, %@}", [list]) == "age IN {0, 1, 2}")
        #expect(try parse("a == $1 AND b == $0", [.value(.int(0)), .value(.int(1))]) == "a == 1 AND b == 0")
        #expect(try parse("x == %@", [.value(.null)]) == "x == NULL")
        #expect(try parse("%@ IN numbers", [.value(.int(4))]) == "4 IN numbers")
    }

    @Test(arguments: [
        ("", 0, "expected a property or a value, found the end"), ("age", 3, "expected an operator"),
        ("age >", 5, "expected a property or a value, found the end"),
        ("age > 3 4", 8, "expected AND, OR or the end, found 4"),
        ("(age > 3", 8, "expected AND, OR or ')'"), ("age > 'x", 6, "expected ' to end this string"),
        ("age IN {1, 2", 12, "expected ',' or '}'"), ("age # 3", 4, "expected a property, a value or an operator"),
        ("age == %@", 7, "expected no more than 0 placeholders"), ("age == $0", 7, "expected an argument"),
        ("age ==[q] 3", 7, "expected c, d or cd"), ("a == 12ab", 5, "expected a number"),
        ("a == oid(12)", 5, "expected a value of the form oid(…)"), ("a. == 1", 3, "expected a property or a value"),
        ("a == %q", 5, "expected '%@' or '%K'"),
        ("SUBQUERY(a, $x, b == 1).@count > 0", 16, "expected a path that starts with $x"),
        ("a == 1 AND OR b == 1", 11, "expected a property or a value"),
        ("a == '\\u12'", 8, "expected four hexadecimal digits"),
    ])
    func syntaxErrors(_ text: String, _ position: Int, _ message: String) throws {
        let error = #expect(throws: PredicateError.self) { try parse(text) }
        #expect(error?.position == position)
        #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
    }

    @Test func deepTextIsRefused() {
        let text = String(repeating: "(", count: 100_000) + "a == 1"
        #expect(throws: PredicateError.self) { try parse(text) }
        #expect(throws: PredicateError.self) { try parse(String(repeating: "!", count: 100_000) + "a == 1") }
    }

    @Test func allIsOnlyRealmQueryLanguage() {
        let error = #expect(throws: PredicateError.self) { try Predicate(parsing: "ALL dogs.age > 3") }
        #expect(error?.message == "ALL modifier not supported")
    }

    @Test func subqueryNeedsCount() {
        let error = #expect(throws: PredicateError.self) { try parse("SUBQUERY(dogs, $d, $d.age > 3) > 1") }
        #expect(error?.message == "SUBQUERY is only supported when immediately followed by .@count.")
    }

    @Test func base64() {
        for count in 0..<10 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 200) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.decode("A") == nil)
        #expect(Base64.decode("A===") == nil)
        #expect(Base64.decode("AB!=") == nil)
    }
}

extension String {
    /// A leading SELF is no step.
    fileprivate var replacingSelf: String {
        hasPrefix("SELF.") ? String(dropFirst(5)) : self
    }
}
