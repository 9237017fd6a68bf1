// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

/// A few values of each type, so that random values and constants often match.
struct ValuePool {
    private let ints: [Int64]
    private let strings: [String]

    init(_ random: inout SeededGenerator) {
        // Leaves of every packed width.
        let numbers: [Int64] = [0, 1, 2, 3, 7, 8, 15, 100, -1, 127, -128, 128, 300, -32768, 70000, 1 << 40]
        let limit = [2, 4, 7, 10, 12, 16][random.below(6)]
        ints = numbers.prefix(limit) + (random.chance(30) ? [.min, .max, .max - 1, 1 << 53 + 1] : [])
        let texts = [
            "", "a", "A", "b", "ab", "aB", "é", "É", "Éa", "ÿ", "×", "÷", "abc", "ab c*", "a?c", "0123456789abcde",
            "0123456789abcdef", "ΑΩ", "αω", "\u{1F415} dog", String(repeating: "long ", count: 20) + "a",
        ]
        strings = Array(texts.prefix([6, 15, 20, 21][random.below(4)]))
    }

    func value(_ type: ColumnType, nullable: Bool, _ random: inout SeededGenerator) -> StoredValue {
        if nullable, random.chance(20) { return .null }
        switch type {
        case .int: return .int(ints.randomElement(using: &random)!)
        case .bool: return .bool(random.chance(50))
        case .float: return .float(Self.floats.randomElement(using: &random)!)
        case .double: return .double(Self.doubles.randomElement(using: &random)!)
        case .string: return .string(strings.randomElement(using: &random)!)
        case .binary:
            return .binary(random.chance(10) ? [0xFF, 0, 0xC3] : Array(strings.randomElement(using: &random)!.utf8))
        case .timestamp: return .timestamp(Self.dates.randomElement(using: &random)!)
        case .decimal: return .decimal(DecimalBits(Self.decimals.randomElement(using: &random)!)!)
        case .objectId:
            return .objectId(ObjectIdBytes(high: UInt64(random.below(3)) << 62, low: UInt32(random.below(3))))
        case .uuid: return .uuid(UUIDBytes(high: UInt64(random.below(2)) << 63, low: UInt64(random.below(3))))
        default:
            let types = ModelDatabase.types.filter { $0 != .mixed }
            return value(types.randomElement(using: &random)!, nullable: nullable, &random)
        }
    }

    static let floats: [Float] = [0, -0.0, 1, 2.5, -3, 0.1, 16_777_216, .infinity, -.infinity, .nan, 3, 127]
    static let doubles: [Double] = [
        0, -0.0, 1, 2.5, -3, 0.1, 0x1p53, 0x1p63, -0x1p63, 1e300, .infinity, -.infinity, .nan, 3, 127,
    ]
    static let decimals = ["0", "1", "1.0", "2.5", "-3", "0.1", "3", "NaN", "1E+40", "-Inf", "127", "9007199254740993"]
    static let dates = [
        Timestamp(seconds: 0, nanoseconds: 0), Timestamp(seconds: 0, nanoseconds: 1),
        Timestamp(seconds: 0, nanoseconds: -1), Timestamp(seconds: -1, nanoseconds: -999_999_999),
        Timestamp(seconds: -1, nanoseconds: 0), Timestamp(seconds: 5, nanoseconds: 500),
        Timestamp(seconds: 5, nanoseconds: 501), Timestamp(seconds: .max, nanoseconds: 999_999_999),
    ]
}
