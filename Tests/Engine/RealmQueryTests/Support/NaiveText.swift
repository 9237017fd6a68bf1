// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

@testable import RealmQuery

enum NaiveText {
    static func fold(_ text: String, _ options: TextOptions) -> String {
        if options.contains(.diacriticInsensitive) {
            let isCaseless = options.contains(.caseInsensitive)
            return text.folding(
                options: isCaseless ? [.diacriticInsensitive, .caseInsensitive] : .diacriticInsensitive, locale: nil)
        }
        return options.isEmpty ? text : options.contains(.queryLanguage) ? fold(text) : foldAll(text)
    }

    /// The tests have no letters whose lower case differs from that of their upper case.
    private static func foldAll(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let lower = scalar.properties.lowercaseMapping.unicodeScalars
                    return lower.count == 1 ? lower.first! : scalar
                }))
    }

    static func fold(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let code = scalar.value
                    let isUpper = 65...90 ~= code || 0xC0...0xDE ~= code && code != 0xD7
                    return isUpper ? Unicode.Scalar(code + 32)! : scalar
                }))
    }

    static func holds(_ a: StoredValue, _ operation: ComparisonOperator, _ b: StoredValue, _ options: TextOptions)
        -> Bool
    {
        let isQuery = options.contains(.queryLanguage)
        let options = options.folding.isEmpty ? [] : options
        var (text, part): ([UInt8], [UInt8])
        switch (a, b) {
        case (.string(let a), .string(let b)):
            (text, part) = (Array(fold(a, options).utf8), Array(fold(b, options).utf8))
        case (.binary, .string) where isQuery, (.string, .binary) where isQuery: return false
        case (.binary(let a), .string(let b)):
            // Data have no case, but the pattern may ignore it.
            let folded = String(validating: a, as: UTF8.self).map { Array(fold($0, options).utf8) }
            (text, part) = (folded ?? a, Array(fold(b, options).utf8))
        case (.string(let a), .binary(let b)): (text, part) = (Array(a.utf8), b)
        case (.binary(let a), .binary(let b)): (text, part) = (a, b)
        default: return false
        }
        if operation == .like { return like(units(text)[...], units(part)[...]) }
        if part.isEmpty { return isQuery }
        switch operation {
        case .beginsWith: return text.starts(with: part)
        case .endsWith: return text.suffix(part.count) == part[...]
        case .contains:
            return text.indices.contains { text[$0...].starts(with: part) }
        default: fatalError("no text operator: \(operation)")
        }
    }

    private static func like(_ text: ArraySlice<[UInt8]>, _ pattern: ArraySlice<[UInt8]>) -> Bool {
        guard let symbol = pattern.first else { return text.isEmpty }
        if symbol == [UInt8(ascii: "*")] {
            return like(text, pattern.dropFirst()) || !text.isEmpty && like(text.dropFirst(), pattern)
        }
        guard let unit = text.first else { return false }
        return (symbol == [UInt8(ascii: "?")] || symbol == unit) && like(text.dropFirst(), pattern.dropFirst())
    }

    /// Returns UTF-8 characters, or bytes if the text isn't UTF-8.
    private static func units(_ bytes: [UInt8]) -> [[UInt8]] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes.map { [$0] } }
        return text.unicodeScalars.map { Array(String($0).utf8) }
    }
}

enum NaiveAggregate {
    static func value(_ operation: CollectionOperation, _ all: [StoredValue], _ type: ColumnType) -> StoredValue {
        let values = all.filter { !$0.isNull && !$0.isNaN }
        switch operation {
        case .min, .max:
            return values.reduce(.null) { best, value in
                let order = best.isNull ? 0 : StoredValue.compare(value, best)
                return best.isNull || order == (operation == .min ? -1 : 1) ? value : best
            }
        default: return total(operation == .average, values, type)
        }
    }

    private static func total(_ isAverage: Bool, _ values: [StoredValue], _ type: ColumnType) -> StoredValue {
        let numbers = values.filter(\.isNumber)
        if isAverage, numbers.isEmpty { return .null }
        if type == .int {
            let ints = numbers.map { value in if case .int(let value) = value { value } else { Int64(0) } }
            // Exact: 128 bits hold any sum of the tests.
            let sum = ints.reduce(Int128(0)) { $0 + Int128($1) }
            return isAverage ? .double(Double(sum) / Double(ints.count)) : .int(Int64(truncatingIfNeeded: sum))
        }
        if type == .float || type == .double {
            let sum = numbers.reduce(0.0) { sum, value in
                switch value {
                case .float(let value): sum + Double(value)
                case .double(let value): sum + value
                default: sum
                }
            }
            return .double(isAverage ? sum / Double(numbers.count) : sum)
        }
        let sum = numbers.reduce(DecimalBits.zero) { $0 + $1.asDecimal! }
        return .decimal(isAverage ? sum / DecimalBits(Int64(numbers.count)) : sum)
    }
}
