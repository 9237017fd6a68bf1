// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Random statements print as text that parses to the same statement. Their properties need not exist;
/// `DifferentialTests` checks valid ones.
@Suite struct RoundTripTests {
    @Test func randomStatements() throws {
        var random = RandomStatements(random: SeededGenerator(for: "RoundTripTests"))
        for _ in 0..<4000 {
            let statement = random.statement()
            let text = statement.description
            do {
                let parsed = try QueryStatement(parsing: text)
                #expect(parsed == statement, "\(text)\n\(parsed)")
            } catch {
                Issue.record("\(error)")
            }
        }
    }
}

private struct RandomStatements {
    var random: SeededGenerator

    mutating func statement() -> QueryStatement {
        QueryStatement(
            predicate(3),
            (0..<random.below(3)).map { _ in
                switch random.below(3) {
                case 0: .sort((0..<1 + random.below(2)).map { _ in SortKey(path(), ascending: random.chance(50)) })
                case 1: .distinct((0..<1 + random.below(2)).map { _ in path() })
                default: .limit(random.below(100))
                }
            })
    }

    private mutating func predicate(_ depth: Int) -> Predicate {
        switch depth == 0 ? 4 : random.below(10) {
        case 0: .and([predicate(depth - 1), predicate(depth - 1)])
        case 1: .or([predicate(depth - 1), predicate(depth - 1), predicate(depth - 1)])
        case 2: .not(predicate(depth - 1))
        case 3:
            .comparison(
                Comparison(
                    .subqueryCount(path(), variable: "v\(depth)", predicate(depth - 1)), .greater, .value(.int(1))))
        default: .comparison(comparison())
        }
    }

    private mutating func comparison() -> Comparison {
        let quantifier: Quantifier? = random.chance(20) ? [.any, .all, .no].randomElement(using: &random)! : nil
        let options = [
            TextOptions(), [.queryLanguage, .caseInsensitive], [.queryLanguage, .diacriticInsensitive],
            [.queryLanguage, .caseInsensitive, .diacriticInsensitive],
        ]
        .randomElement(using: &random)!
        switch random.below(6) {
        case 0: return Comparison(.path(path()), .geoWithin, .shape(shape()), quantifier: quantifier)
        case 1: return Comparison(.path(path()), .text, .value(.string(text())), quantifier: quantifier)
        case 2:
            let object = Operand.object(className: text(), primaryKey: value())
            return Comparison(.path(path()), .equal, object, quantifier: quantifier)
        case 3:
            let values = (0..<random.below(4)).map { _ in value() }
            return Comparison(.path(path()), .in, .values(values), options: options, quantifier: quantifier)
        default:
            let operations: [ComparisonOperator] = [.equal, .less, .notEqual, .contains, .like, .greaterOrEqual]
            let (left, right) = (operand(3), operand(2))
            let operation = operations.randomElement(using: &random)!
            let isPair = [left, right].allSatisfy { if case .value = $0 { false } else { true } }
            return Comparison(
                left, operation, right,
                options: operation.isTextual || isPair ? options.union(.queryLanguage) : options,
                quantifier: quantifier)
        }
    }

    private mutating func operand(_ depth: Int) -> Operand {
        if depth > 0, random.chance(50) {
            let operation = ArithmeticOperator.allCases.randomElement(using: &random)!
            return .arithmetic(operand(depth - 1), operation, operand(depth - 1))
        }
        return random.chance(40) ? .value(value()) : .path(path())
    }

    private mutating func path() -> PropertyPath {
        var steps: [PathStep] = []
        for _ in 0..<1 + random.below(3) {
            steps.append(random.chance(10) ? .backlinks(className: name(), property: name()) : .property(name()))
            if random.chance(15) {
                let places: [PathSubscript] = [.first, .last, .any, .index(3), .key(text())]
                steps.append(.subscript(places.randomElement(using: &random)!))
            }
        }
        if random.chance(15) { steps.append(.operation(CollectionOperation.allCases.randomElement(using: &random)!)) }
        if random.chance(5) { steps.append(.incomingLinks) }
        return PropertyPath(steps)
    }

    private mutating func name() -> String {
        [
            "a", "b1", "text", "sort", "limit", "distinct", "obj", "geoBox", "first", "last", "size", "any", "all",
            "in",
            "not", "and", "or", "like", "contains", "true", "nil", "inf", "self", "O5", "T7", "L3", "B64", "with space",
            "it's", "naïve", "1st", "a-b", "a+b", "x*y", "subquery", "TRUEPREDICATE", "none", "asc", "desc", "K0",
            "cast",
            "\u{1F415}", "matches", "uuid", "c",
        ].randomElement(using: &random)!
    }

    private mutating func text() -> String {
        [
            "", "a", "it's", "\"", "\\", "swift -java data*", "a\nb\u{7}", "é\u{301}", "%@ $0", "]", "}", "\u{301}a",
            "\u{200D}", "a\u{600}", "it's\u{600}", "\u{301} OR TRUEPREDICATE OR a == '",
        ]
        .randomElement(using: &random)!
    }

    private mutating func value() -> StoredValue {
        switch random.below(8) {
        case 0: .int(Int64(random.below(1000)) - 500)
        case 1: .double(number())
        case 2: .float([0.5, -1e-10, 3e20, .infinity, -.infinity].randomElement(using: &random)!)
        case 3: .string(text())
        case 4: .decimal(DecimalBits(["-1.5", "1E+40", "Inf", "0.00"].randomElement(using: &random)!)!)
        case 5: .timestamp(Timestamp(seconds: -5, nanoseconds: -Int32(random.below(1000))))
        case 6: .binary([UInt8(random.below(256)), 7])
        default: [.null, .bool(true), .bool(false)].randomElement(using: &random)!
        }
    }

    private mutating func number() -> Double {
        [0.1, -2.5, 1e-7, 1e300, -0.0, .infinity, -.infinity, 5, -90, 179.99999].randomElement(using: &random)!
    }

    private mutating func shape() -> GeoShape {
        switch random.below(3) {
        case 0: .box(bottomLeft: place(altitude: false), topRight: place(altitude: false))
        case 1: .circle(center: place(altitude: true), radius: number().magnitude)
        default:
            .polygon(
                (0..<1 + random.below(3)).map { _ in (0..<1 + random.below(4)).map { _ in place(altitude: true) } })
        }
    }

    /// The printed form of a box has no altitudes.
    private mutating func place(altitude: Bool) -> GeoPosition {
        GeoPosition(longitude: number(), latitude: number(), altitude: altitude && random.chance(30) ? 12.5 : 0)
    }
}
