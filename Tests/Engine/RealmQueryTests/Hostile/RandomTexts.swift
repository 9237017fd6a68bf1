// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

@testable import RealmQuery

/// Texts of queries on the objects of a `RichDatabase`: valid, mutated, and long or deep ones.
struct RandomTexts {
    var random: SeededGenerator
    let dialect: Predicate.Dialect

    mutating func text(depth: Int = 2) -> String {
        let text = statement(depth)
        return random.chance(35) ? mutated(text) : text
    }

    // MARK: Valid texts

    private mutating func statement(_ depth: Int) -> String {
        let text = condition("", depth)
        guard dialect == .query, random.chance(25) else { return text }
        let steps = [
            " SORT(i ASC)", " SORT(s DESC, any ASC)", " DISTINCT(i)", " LIMIT(3)", " SORT(link.link.i DESC) LIMIT(2)",
            " DISTINCT(i, s) SORT(d DESC)", " SORT(any ASC)", " LIMIT(0)", " SORT(link.s ASC, dec DESC) DISTINCT(b)",
        ]
        return text + random.pick(steps)
    }

    private mutating func condition(_ start: String, _ depth: Int) -> String {
        guard depth > 0, random.chance(50) else { return leaf(start, depth) }
        switch random.below(6) {
        case 0, 1:
            return "(" + condition(start, depth - 1) + random.pick([" AND ", " && ", " and ", "&&"])
                + condition(start, depth - 1) + ")"
        case 2, 3:
            return condition(start, depth - 1) + random.pick([" OR ", " || ", " or "])
                + condition(start, depth - 1)
        case 4: return random.pick(["NOT ", "!", "not "]) + "(" + condition(start, depth - 1) + ")"
        default: return "(" + condition(start, depth - 1) + ")"
        }
    }

    private mutating func leaf(_ start: String, _ depth: Int) -> String {
        switch random.below(20) {
        case 0: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
        case 1 where depth > 0: return subquery(start, depth)
        case 2:
            let path = start + links(2) + random.pick(RichDatabase.collections).name
            return "\(path).\(random.pick(["@count", "@size"])) \(comparison) \(number)"
        case 3:
            return start + links(1) + random.pick(["li", "ld", "si", "mi"]) + random.pick([".@sum", ".@avg"])
                + " \(comparison) \(number)"
        case 4: return start + links(1) + "llink." + random.pick(["@max", "@min"]) + ".i \(comparison) \(number)"
        case 5: return pair(start)
        case 6 where dialect == .query:
            return "\(start)i \(arithmetic) \(start)\(links(1))d \(arithmetic) \(number) \(comparison) \(number)"
        case 7: return "\(start)\(links(1))place GEOWITHIN geoCircle([\(number), 1], 0.5)"
        case 8: return "\(start)ft TEXT 'words \(random.pick(["-no", "so*", "text", ""]))'"
        case 9: return "\(start)\(links(1))any\(nested) == \(constant(.mixed))"
        case 10: return start + "mi['k0'] \(comparison) \(number)"
        case 11, 12, 13:
            let (name, type) = random.pick(RichDatabase.collections)
            return any + start + links(2) + name + " " + test(type)
        case 14, 15:
            let (name, type) = random.pick(RichDatabase.singles)
            return any + start + many(1 + random.below(2)) + name + " " + test(type)
        default:
            let (name, type) = random.pick(RichDatabase.singles)
            return start + links(2) + name + " " + test(type)
        }
    }

    private mutating func pair(_ start: String) -> String {
        let name = random.pick(["i", "d", "s", "date", "dec", "any"])
        if random.chance(50) { return "\(start)\(links(1))\(name) \(comparison) \(start)\(links(1))\(name)" }
        return "ANY \(start)\(many(1))\(name) \(comparison) \(start)\(name)"
    }

    private mutating func subquery(_ start: String, _ depth: Int) -> String {
        let variable = "$x\(depth)"
        let path = start + random.pick(["llink", "slink", "mlink", "@links.Rich.link"])
        return "SUBQUERY(\(path), \(variable), \(condition(variable + ".", depth - 1))).@count \(comparison) "
            + "\(random.below(4))"
    }

    private var any: String {
        mutating get { random.pick(dialect == .query ? ["ANY ", "ALL ", "NONE "] : ["ANY ", "NONE "]) }
    }
    private var comparison: String { mutating get { random.pick(["==", "!=", "<", ">", "<=", ">=", "=", "<>"]) } }
    private var arithmetic: String { mutating get { random.pick(["+", "-", "*", "/"]) } }
    private var number: String { mutating get { random.pick(["1", "0", "-3", "2.5", "100", "127"]) } }
    private var nested: String { mutating get { random.pick(["", "[0]", "['k']", "[#any]", "[0]['k']"]) } }

    private mutating func links(_ most: Int) -> String { String(repeating: "link.", count: random.below(most + 1)) }

    private mutating func many(_ count: Int) -> String {
        (0..<count).map { _ in links(1) + random.pick(["llink", "slink", "mlink", "@links.Rich.link"]) + "." }.joined()
    }

    private mutating func test(_ type: ColumnType) -> String {
        let equality = ["==", "!="]
        switch type {
        case .bool, .objectId, .uuid: return "\(random.pick(equality)) \(constant(type))"
        case .string:
            let options = random.pick(["", "", "[c]"])
            switch random.below(4) {
            case 0: return "\(random.pick(["BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE"]))\(options) \(constant(type))"
            case 1: return "IN\(options) {\(constant(type)), \(constant(type)), 'abc'}"
            case 2: return "\(random.pick(equality))\(options) \(constant(type))"
            default: return "\(comparison) \(constant(type))"
            }
        case .int, .float, .double, .decimal:
            switch random.below(4) {
            case 0: return "IN {\(number), \(constant(type)), \(number)}"
            case 1: return "BETWEEN {\(number), \(number)}"
            default: return "\(comparison) \(constant(type))"
            }
        case .timestamp where random.chance(20): return "BETWEEN {\(constant(type)), \(constant(type))}"
        default: return "\(comparison) \(constant(type))"
        }
    }

    private mutating func constant(_ type: ColumnType) -> String {
        if random.chance(4) { return random.pick(["NULL", "nil"]) }
        if random.chance(4) { return dialect == .query ? "$\(random.below(2))" : "%@" }
        switch type {
        case .int: return number
        case .bool: return random.pick(["true", "false", "YES"])
        case .float, .double: return random.pick(["1.5", "-0.0", "1e300", "inf", "NaN", "3"])
        case .string:
            return random.pick(["'a'", "\"b\"", "''", "'é'", "'a*c?'", "'\\u0041'", "'it\\'s'", "B64\"YScK\""])
        case .binary: return random.pick(["binary('a)b')", "binary(B64\"AP8=\")", "binary(B64\"\")"])
        case .timestamp: return random.pick(["T0:0", "T-1:-1", "2020-01-31@13:05:09:0", "T5:500"])
        case .objectId: return "oid(507f1f77bcf86cd799439011)"
        case .uuid: return "uuid(00000000-0000-0000-0000-000000000001)"
        case .decimal: return random.pick(["decimal(1.5)", "3", "decimal(NaN)", "2.5"])
        default: return random.pick(["1", "'a'", "true", "T0:0", "2.5", "decimal(1)"])
        }
    }

    private static let tokens = [
        "(", ")", "{", "}", "[", "]", "'", "\"", "$", "%@", "%K", "%", ".", ",", "@", "\\", "!", "NOT ", "ANY ",
        " AND ",
        " OR ", "SUBQUERY(", "link.", "llink.", "@links.", "@count", "@sum", "NULL", "-", "+", "*", "/", "0", "1e9999",
        "99999999999999999999", "$99999999999999999999", "i", "unknown", "[FIRST]", "[-1]", "TEXT", "IN", "BETWEEN",
        "LIKE", "[cd]", "obj('Rich', 1)", "geoPolygon({[0,0],[1,0],[1,1],[0,0]})", "SORT(", "LIMIT(", "\u{0}", "日",
        "T9223372036854775807:999999999", "-9223372036854775808", "O5", "L1:1", ".@type", "self", "e\u{301}",
    ]

    private mutating func mutated(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<1 + random.below(4) {
            let place = random.below(scalars.count + 1)
            let end = min(scalars.count, place + 1 + random.below(8))
            switch random.below(5) {
            case 0: scalars.insert(contentsOf: random.pick(Self.tokens).unicodeScalars, at: place)
            case 1: scalars.removeSubrange(place..<end)
            case 2: scalars.insert(contentsOf: scalars[place..<end], at: random.below(scalars.count + 1))
            case 3: scalars.replaceSubrange(place..<end, with: random.pick(Self.tokens).unicodeScalars)
            default: scalars.insert(Unicode.Scalar(UInt8(random.below(128))), at: place)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    mutating func hostile() -> String {
        let size = random.pick([13, 31, 64, 150, 500, 5_000, 100_000])
        func times(_ text: String, _ count: Int = size) -> String { String(repeating: text, count: count) }
        let open = random.pick([
            "(", "{", "[", "!", "NOT ", "SUBQUERY(llink, $x, ", "-", "'", "i == (", "any[", "geoBox([",
        ])
        let few = min(size, 5_000)
        switch random.below(22) {
        case 0: return times(open)
        case 1: return times("(") + "i == 1" + times(")")
        case 2: return times(random.pick(["!", "NOT ", "NOT("])) + "i == 1"
        case 3: return "any == " + times("{") + "1" + times("}")
        case 4: return "i == 1" + times(random.pick([" + 1", " * d", " - i", "-1", " / 2", " + (1", "+-1"]))
        case 5: return times("link.", min(size, random.pick([size, 200]))) + "i == 1"
        case 6:
            return "ANY " + times(random.pick(["llink.", "@links.Rich.llink.", "link.slink.", "mlink."])) + "i == 77"
        case 7: return "ANY " + times("llink.", min(size, 14)) + "s == s"
        case 8: return "SUBQUERY(" + times("llink.", min(size, 30)) + "llink, $x, $x.i > 1).@count > 5"
        case 9:
            let depth = min(size, random.pick([13, 30, size]))
            let inner = (0..<depth).map { "SUBQUERY(\($0 == 0 ? "" : "$x\($0 - 1).")llink, $x\($0), " }.joined()
            return inner + "$x\(depth - 1).i == 77" + times(").@count > 0", depth)
        case 10: return (0..<few).map { "i == \($0)" }.joined(separator: " OR ")
        case 11: return (0..<few).map { "s != 'x\($0)'" }.joined(separator: " AND ")
        case 12: return "i IN {" + (0..<size).map { "\($0)" }.joined(separator: ",") + "}"
        case 13: return "s IN[c] {" + (0..<size).map { "'x\($0)'" }.joined(separator: ",") + "}"
        case 14: return "any" + times(random.pick(["[0]", "['k']", "[#any]", ".any"])) + " == 1"
        case 15:
            return "s \(random.pick(["LIKE", "LIKE[c]", "CONTAINS[cd]", "=="])) '"
                + times(random.pick(["*a", "?", "a", "é"])) + "'"
        case 16: return "i == 1 SORT(" + (0..<few).map { _ in "i ASC" }.joined(separator: ", ") + ")"
        case 17: return times("i == 1 AND (s == 'a' OR ", min(size, 300)) + "b == true" + times(")", min(size, 300))
        case 18: return "ft TEXT '" + times(random.pick(["word ", "-a ", "a* "])) + "'"
        case 19: return "ANY " + times("llink.", min(size, 20)) + "place GEOWITHIN geoCircle([0, 0], 0.5)"
        case 20: return times(random.pick(Self.tokens))
        default: return "i == " + times(random.pick(["9", "1.", "(", "--", "0x"]))
        }
    }
}
