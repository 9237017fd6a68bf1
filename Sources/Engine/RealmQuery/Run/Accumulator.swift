// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Folds values into an aggregate. Nulls and NaNs are ignored; only the numbers among Mixed values are summed.
struct Accumulator {
    let operation: AggregateOperation
    let type: ColumnType
    private(set) var extreme: StoredValue = .null
    private(set) var count = 0
    /// The sum of integers in 128 bits, so that an average is correct even if a sum has wrapped around.
    private var low: UInt64 = 0
    private var high: Int64 = 0
    private(set) var total = 0.0
    private var decimal = DecimalBits.zero

    init(_ operation: AggregateOperation, _ type: ColumnType) {
        self.operation = operation
        self.type = type
    }

    mutating func add(_ value: StoredValue) {
        guard !value.isNull, !value.isNaN else { return }
        switch operation {
        case .min: keep(value, if: -1)
        case .max: keep(value, if: 1)
        case .sum, .average: addNumber(value)
        }
    }

    private mutating func keep(_ value: StoredValue, if order: Int) {
        if extreme.isNull || StoredValue.compare(value, extreme) == order { extreme = value }
    }

    private mutating func addNumber(_ value: StoredValue) {
        switch (type, value) {
        case (.int, .int(let value)): add(sum: value, count: 1)
        case (.float, .float(let value)): add(Double(value))
        case (.double, .double(let value)): add(value)
        default:
            guard let value = value.asDecimal else { return }
            decimal = decimal + value
            count += 1
        }
    }

    mutating func add(_ value: Double) {
        total += value
        count += 1
    }

    /// Replaces the total by one that includes `count` further numbers.
    mutating func set(total: Double, adding count: Int) {
        self.total = total
        self.count += count
    }

    mutating func add(sum: Int64, count: Int) {
        add(low: UInt64(bitPattern: sum), high: sum >> 63)
        self.count += count
    }

    mutating func add(low: UInt64, high: Int64) {
        let (partial, carry) = self.low.addingReportingOverflow(low)
        self.low = partial
        self.high = self.high &+ high &+ (carry ? 1 : 0)
    }

    mutating func add(_ other: Accumulator) {
        if !other.extreme.isNull { keep(other.extreme, if: operation == .min ? -1 : 1) }
        add(low: other.low, high: other.high)
        total += other.total
        decimal = decimal + other.decimal
        count += other.count
    }

    var result: StoredValue {
        switch operation {
        case .min, .max: return extreme
        case .sum: return sum
        case .average: return count == 0 ? .null : average
        }
    }

    private var sum: StoredValue {
        switch type {
        case .int: .int(Int64(bitPattern: low))
        case .float, .double: .double(total)
        default: .decimal(decimal)
        }
    }

    /// Rounded once. The two halves as separate numbers would each be rounded, and cancel each other out below zero.
    private var integerSum: Double {
        let isNegative = high < 0
        var (upper, lower) = (UInt64(bitPattern: high), low)
        if isNegative {
            lower = 0 &- lower
            upper = ~upper &+ (lower == 0 ? 1 : 0)
        }
        let magnitude: Double
        if upper == 0 {
            magnitude = Double(lower)
        } else {
            let zeros = UInt64(upper.leadingZeroBitCount)
            // The 64 leading bits. The last one also records whether further bits follow, which suffices for rounding.
            let leading = upper << zeros | lower >> (64 - zeros)
            let rounded = Double(leading | (lower << zeros == 0 ? 0 : 1))
            magnitude = Double(sign: .plus, exponent: 64 - Int(zeros), significand: rounded)
        }
        return isNegative ? -magnitude : magnitude
    }

    private var average: StoredValue {
        switch type {
        case .int: .double(integerSum / Double(count))
        case .float, .double: .double(total / Double(count))
        default: .decimal(decimal / DecimalBits(Int64(count)))
        }
    }
}

extension StoredValue {
    var isNaN: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        default: false
        }
    }

    /// The number as a decimal, for sums; nil for other values.
    var asDecimal: DecimalBits? {
        switch self {
        case .int(let value): DecimalBits(value)
        case .float(let value): DecimalBits(comparing: value)
        case .double(let value): DecimalBits(comparing: value)
        case .decimal(let value): value
        default: nil
        }
    }
}
