// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A set of values of any types that is optimised for frequent tests. Equality is that of the order of all values
/// (content 8.4).
///
/// Numbers of different types may be equal, and with decimals this relation isn't transitive (content 13.20). So a
/// number is looked up in two ways, each of which compares it with all numbers that could be equal to it.
struct MixedSet: Sendable {
    let values: [StoredValue]
    /// Values that are equal only to themselves.
    private var plain: Set<StoredValue> = []
    /// Numbers other than decimals, by the nearest Double, which is identical for equal numbers.
    private var numbers: [UInt64: [StoredValue]] = [:]
    /// The numbers as decimals, and the decimals, each array in ascending order.
    private var numbersAsDecimals: [DecimalBits] = []
    private var decimals: [DecimalBits] = []
    /// Lists and dictionaries. All lists are equal, and so are all dictionaries.
    private var collections: [StoredValue] = []

    init(_ values: [StoredValue]) {
        self.values = values
        for value in values {
            switch value {
            case .decimal(let decimal): decimals.append(decimal)
            case .int, .float, .double:
                numbers[MixedSet.place(value), default: []].append(value)
                numbersAsDecimals += value.comparedAsDecimal.map { [$0] } ?? []
            case .list, .dictionary: collections.append(value)
            default: plain.insert(value)
            }
        }
        decimals.sort { DecimalBits.compare($0, $1) < 0 }
        numbersAsDecimals.sort { DecimalBits.compare($0, $1) < 0 }
    }

    func contains(_ value: StoredValue) -> Bool {
        switch value {
        case .decimal(let decimal):
            MixedSet.contains(decimals, decimal) || MixedSet.contains(numbersAsDecimals, decimal)
        case .int, .float, .double:
            numbers[MixedSet.place(value)]?.contains { StoredValue.compare(value, $0) == 0 } ?? false
                || !decimals.isEmpty && value.comparedAsDecimal.map { MixedSet.contains(decimals, $0) } ?? false
        case .list, .dictionary:
            collections.contains { value.isComparable(to: $0) && StoredValue.compare(value, $0) == 0 }
        default: plain.contains(value)
        }
    }

    private static func contains(_ decimals: [DecimalBits], _ decimal: DecimalBits) -> Bool {
        decimals.hasSorted { DecimalBits.compare(decimal, $0) }
    }

    /// All NaNs have the same slot, and so have the zeros.
    private static func place(_ value: StoredValue) -> UInt64 {
        let number: Double =
            switch value {
            case .int(let value): Double(value)
            case .float(let value): Double(value)
            case .double(let value): value
            default: 0
            }
        return number.isNaN ? Double.nan.bitPattern : number == 0 ? 0 : number.bitPattern
    }
}
