// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Values of every type around the distinctions of the format, with repetitions.
package enum RandomValues {
    /// The types of properties and list elements, except links.
    package static let types: [ColumnType] = [
        .int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectId, .uuid,
    ]

    package static func value(
        _ type: ColumnType, isNullable: Bool, _ generator: inout SeededGenerator
    ) -> StoredValue {
        if isNullable || type == .mixed, generator.chance(15) { return .null }
        switch type {
        case .int: return .int(int(&generator))
        case .bool: return .bool(generator.chance(50))
        case .string: return .string(text(&generator))
        case .binary: return .binary(bytes(generator.pick([0, 1, 7, 8, 63, 64, 65, 200, 3000]), &generator))
        case .timestamp:
            let seconds = int(&generator)
            let nanoseconds = Int32(generator.pick([0, 1, 999_999_999]))
            return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
        case .float: return .float(generator.pick([0, -0.0, 1.5, .infinity, .nan, Float(generator.below(100))]))
        case .double: return .double(generator.pick([0, -0.0, 1.5, -.infinity, .nan, Double(generator.below(100))]))
        case .decimal: return .decimal(decimal(&generator))
        case .objectId: return .objectId(ObjectIdBytes(bytes: identifier(12, &generator)))
        case .uuid: return .uuid(UUIDBytes(bytes: identifier(16, &generator)))
        case .mixed:
            return value(generator.pick(types.filter { $0 != .mixed }), isNullable: false, &generator)
        default: preconditionFailure("no values of type \(type)")
        }
    }

    private static func int(_ generator: inout SeededGenerator) -> Int64 {
        if generator.chance(40) { return Int64(generator.below(20)) }
        let edges: [Int64] = [0, 1, 3, 4, 15, 16, 127, 128, -1, -128, -129, 32_767, 32_768, -32_769]
        if generator.chance(70) { return generator.pick(edges) }
        return Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        switch generator.below(10) {
        case 0...4: "name \(generator.below(12))"
        case 5: String(repeating: "x", count: generator.pick([0, 1, 3, 4, 7, 8, 15, 16, 31, 62]))
        case 6: String(repeating: "x", count: generator.pick([63, 64, 65, 199, 200, 201, 300, 2000]))
        case 7: "the same long beginning of a text \(generator.below(30))"
        case 8: generator.pick(["\0", "a\0b", "é", "e\u{301}", "中文", "🐕‍🦺", "", "A", "a"])
        default: "\(generator.next())"
        }
    }

    private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let first = UInt8(truncatingIfNeeded: generator.next())
        return (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
    }

    /// Often repeated ones, and ones with common prefixes.
    private static func identifier(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(generator.below(3)), count: count)
        bytes[count - 1] = UInt8(generator.below(20))
        if generator.chance(30) { bytes[generator.below(count)] = UInt8(truncatingIfNeeded: generator.next()) }
        return bytes
    }

    private static func decimal(_ generator: inout SeededGenerator) -> DecimalBits {
        let texts = [
            "0", "-0", "1", "1.50", "-2.5E-300", "9999999999999999999999999999999999E6111", "8388607", "1E-90",
        ]
        return generator.pick(texts.compactMap { DecimalBits($0) })
    }
}
