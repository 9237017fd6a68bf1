// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import Testing

@testable import RealmQuery

@Suite struct ParserTests {
    private func parse(_ text: String, _ arguments: [PredicateArgument] = []) throws -> String {
        try Predicate(parsing: text, arguments: arguments, dialect: .query).description
    }

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
        ("x == 'it\\'s'", "x == \"it's\""), ("x == 'a\\n'", "x == B64\"YVxu\""),
        ("x == 'a\\\\'", "x == B64\"YVxc\""), ("x == '\\'\"'", "x == B64\"JyI=\""),
        ("3 == ANY l", "ANY 3 == l"), ("n == any", "n == \\any"), ("n == any AND a == 1", "n == \\any AND a == 1"),
        ("(n == all)", "n == \\all"), ("NULL IN l", "NULL IN l"), ("x == {1, 2}", "x == {1, 2}"),
        ("ANY {1, 2} < x", "x > 1 OR x > 2"),
        ("o IN {obj('A', 1), NULL}", "o == obj('A', 1) OR o == NULL"),
        ("NONE l IN {obj('A', 1)}", "NOT ANY l == obj('A', 1)"), ("x == 2020-01-31@13:05:09", "x == T1580475909:0"),
        ("x == 2020-01-31@13:05:09:7", "x == T1580475909:7"), ("x == 1969-12-31@23:59:59:5", "x == T0:-999999995"),
        ("x == T-5:-7", "x == T-5:-7"), ("x == binary( b64'AAEC' )", "x == binary(B64\"AAEC\")"),
        ("x == binary('a)\"b')", "x == binary(B64\"YSkiYg==\")"), ("x == binary(ab)", "x == binary(B64\"YWI=\")"),
        ("x == B64\"TcO8bGxlcg==\"", "x == 'Müller'"), ("x == string64('YQo=')", "x == B64\"YQo=\""),
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
        ("a + b * 2 > 3", "(a + (b * 2)) > 3"), ("(a + b) * 2 > 3", "((a + b) * 2) > 3"),
        ("price * (1 - discount) < 10", "(price * (1 - discount)) < 10"), ("a -3 == b-1", "(a - 3) == (b - 1)"),
        ("a - -3 == 1", "(a - -3) == 1"), ("((a)) == 1", "a == 1"), ("(text + 1) == (\\like)", "(text + 1) == \\like"),
        ("(a / 2 == 1)", "(a / 2) == 1"), ("(any CONTAINS 'x')", "\\any CONTAINS 'x'"),
        ("(SUBQUERY(a, $x, $x.b == 1).@count) > 0", "SUBQUERY(a, $x, $x.b == 1).@count > 0"),
        ("text TEXT 'swift -java data*'", "text TEXT 'swift -java data*'"),
        ("x == 5-3", "x == (5 - 3)"),
        ("(\\name CONTAINS[c] 'x')", "name CONTAINS[c] 'x'"), ("(a IN[c] {'x'})", "a IN[c] {'x'}"),
        ("list[0] == 1", "list[0] == 1"), ("list[FIRST].a == 1", "list[FIRST].a == 1"),
        ("list[last] == 1", "list[LAST] == 1"), ("list[SIZE] == 1", "list.@size == 1"),
        ("ANY list[*] == 1", "ANY list[#any] == 1"), ("d['k'] == 1", "d['k'] == 1"),
        ("d.@keys == 'k'", "d.@allKeys == 'k'"), ("ANY d.@values == 1", "ANY d.@allValues == 1"),
        ("m.@type == 'string'", "m.@type == 'string'"), ("@links.@count > 2", "@links.@count > 2"),
        ("a.@links.@size > 2", "a.@links.@count > 2"), ("o == obj('Dog', 3)", "o == obj('Dog', 3)"),
        ("a == ANY {1, 2}", "a == 1 OR a == 2"), ("a IN ALL {1, 2}", "a == 1 AND a == 2"),
        ("a > NONE {1, 2}", "NOT (a > 1 OR a > 2)"),
        ("l GEOWITHIN geoBox([1, 2], [3.5, -4])", "l GEOWITHIN GeoBox([1, 2], [3.5, -4])"),
        ("l geowithin geoCircle([1, 2], 0.25)", "l GEOWITHIN GeoCircle([1, 2, 0], 0.25)"),
        ("l IN geoCircle([1, 2, 5], 1)", "l GEOWITHIN GeoCircle([1, 2, 5], 1)"),
        (
            "l GEOWITHIN geoPolygon({[0, 0], [1, 0], [0, 1], [0, 0]}, {[0.1, 0.1], [0.2, 0.1], [0.1, 0.2], [0.1, 0.1]})",
            "l GEOWITHIN GeoPolygon({[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]}, "
                + "{[0.1, 0.1, 0], [0.2, 0.1, 0], [0.1, 0.2, 0], [0.1, 0.1, 0]})"
        ),
        ("d == CAST(0.5, \"NSDate\")", "d == T978307200:500000000"),
    ])
    func texts(_ text: String, _ expected: String) throws {
        #expect(try parse(text).replacingSelf == expected.replacingSelf)
        #expect(try parse(expected) == (try parse(text)))
    }

    @Test(arguments: [
        ("age > 3 SORT(age DESC, name) LIMIT(5)", "age > 3 SORT(age DESC, name ASC) LIMIT(5)"),
        ("limit(2)", "TRUEPREDICATE LIMIT(2)"), ("", "TRUEPREDICATE"),
        (
            "a == 1 sort(b.c ascending) distinct(a, b) SORT(a descending)",
            "a == 1 SORT(b.c ASC) DISTINCT(a, b) SORT(a DESC)"
        ),
        ("sort == 1 AND limit == 2 SORT(sort)", "sort == 1 AND limit == 2 SORT(sort ASC)"),
        ("SORT(any, all DESC) DISTINCT(in.not)", "TRUEPREDICATE SORT(\\any ASC, \\all DESC) DISTINCT(\\in.\\not)"),
    ])
    func statements(_ text: String, _ expected: String) throws {
        let statement = try QueryStatement(parsing: text)
        #expect(statement.description == expected)
        #expect(try QueryStatement(parsing: expected) == statement)
    }

    @Test(arguments: [
        ("x == 'it\\'s \\u00e9'", "x == \"it's é\""), ("x == 'a\\n'", "x == B64\"YQo=\""),
        ("x == 'a\\\\'", "x == B64\"YVw=\""),
    ])
    func escapesOfThePredicateLanguage(_ text: String, _ expected: String) throws {
        let predicate = try Predicate(parsing: text)
        #expect(predicate.description == expected)
        #expect(try Predicate(parsing: expected) == predicate)
        #expect(try Predicate(parsing: expected, dialect: .query) == predicate)
    }

    @Test func arguments() throws {
        #expect(try parse("$K0 == $1", [.value(.string("a.b")), .value(.int(1))]) == "a.b == 1")
        let circle = GeoShape.circle(center: GeoPosition(longitude: 1, latitude: 2), radius: 1)
        #expect(try parse("l IN %@", [.shape(circle)]) == "l GEOWITHIN GeoCircle([1, 2, 0], 1)")
        let list = PredicateArgument.list([.value(.int(1)), .value(.int(2))])
        #expect(try parse("%K == %@", [.value(.string("toy.name")), .value(.string("x"))]) == "toy.name == 'x'")
        #expect(try parse("age IN %@", [list]) == "age IN {1, 2}")
        #expect(try parse("age BETWEEN {%d, %ld}", [.value(.int(1)), .value(.int(3))]) == "age BETWEEN {1, 3}")
        #expect(try parse("age IN {0, %@}", [list]) == "age IN {0, 1, 2}")
        #expect(try parse("a == $1 AND b == $0", [.value(.int(0)), .value(.int(1))]) == "a == 1 AND b == 0")
        #expect(try parse("x == %@", [.value(.null)]) == "x == NULL")
        #expect(try parse("%@ IN numbers", [.value(.int(4))]) == "4 IN numbers")
    }

    enum Form { case statement, query, predicate }

    static let errors: [(form: Form, text: String, position: Int?, message: String)] = [
        (.statement, "a == 1 SORT(b", 13, "expected ',' or ')'"),
        (.statement, "a == 1 LIMIT(x)", 13, "expected a number of objects"),
        (.statement, "a == 1 ORDER(b)", 7, "expected AND, OR, SORT, DISTINCT, LIMIT or the end"),
        (.query, "", 0, "expected a property or a value, found the end"), (.query, "age", 3, "expected an operator"),
        (.query, "age >", 5, "expected a property or a value, found the end"),
        (.query, "age > 3 4", 8, "expected AND, OR or the end, found 4"),
        (.query, "(age > 3", 8, "expected AND, OR or ')'"), (.query, "age > 'x", 6, "expected ' to end this string"),
        (.query, "age IN {1, 2", 12, "expected ',' or '}'"),
        (.query, "age # 3", 4, "expected a property, a value or an operator"),
        (.query, "age == %@", 7, "an argument for each placeholder, but the number of arguments is 0"),
        (.query, "age == $0", 7, "expected an argument"), (.query, "age ==[q] 3", 7, "expected c, d or cd"),
        (.query, "a == 12ab", 5, "expected a number"),
        (.query, "a == oid(12)", 5, "expected a value of the form oid(…)"),
        (.query, "a. == 1", 3, "expected a property or a value"), (.query, "a == %q", 5, "expected '%@' or '%K'"),
        (.query, "a == 1 AND OR b == 1", 11, "expected a property or a value"),
        (.predicate, "SUBQUERY(a, $x, $y.b == 1).@count > 0", 16, "expected a property or a value"),
        (.predicate, "a == '\\u12'", 8, "expected four hexadecimal digits"),
        (.predicate, "a + 1 > 3", nil, "The 'add:to:' function is not supported."),
        (.predicate, "ALL dogs.age > 3", nil, "ALL modifier not supported"),
        (
            .query, "SUBQUERY(dogs, $d, $d.age > 3) > 1", nil,
            "SUBQUERY is only supported when immediately followed by .@count."
        ),
    ]

    @Test(arguments: errors)
    func errorsHaveAPositionAndAMessage(_ form: Form, _ text: String, _ position: Int?, _ message: String) throws {
        let error = #expect(throws: PredicateError.self) {
            switch form {
            case .statement: _ = try QueryStatement(parsing: text)
            case .query: _ = try parse(text)
            case .predicate: _ = try Predicate(parsing: text)
            }
        }
        if let position { #expect(error?.position == position) }
        #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
    }

    @Test func deepTextIsRefused() {
        let text = String(repeating: "(", count: 100_000) + "a == 1"
        #expect(throws: PredicateError.self) { try parse(text) }
        #expect(throws: PredicateError.self) { try parse(String(repeating: "!", count: 100_000) + "a == 1") }
    }
}

extension String {
    fileprivate var replacingSelf: String {
        hasPrefix("SELF.") ? String(dropFirst(5)) : self
    }
}
