// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Ordering and equality of values (content 8).
extension Audit {
    /// Compares two elements of a column or collection of `type` in the order of 8.3; returns -1, 0 or 1.
    func compare(_ type: ColumnType, _ a: Datum, _ b: Datum) -> Int {
        switch type {
        case .mixed: return compareMixed(a, b)
        case .decimal: return DecimalNumber.compare(rawDecimal(a), rawDecimal(b))
        default: break
        }
        if a.isNull || b.isNull { return order(a.isNull ? 0 : 1, b.isNull ? 0 : 1) }
        return compareAlike(a, b)
    }

    /// In a set of decimals null is compared as the NaN that encodes it (content 8.3).
    private func rawDecimal(_ datum: Datum) -> DecimalNumber {
        if case .decimal(let bits) = datum { return DecimalNumber(bits) }
        return DecimalNumber(NullPattern.decimal)
    }

    /// - Precondition: Both values have one type, and neither is null.
    private func compareAlike(_ a: Datum, _ b: Datum) -> Int {
        switch (a, b) {
        case (.int(let x), .int(let y)), (.link(let x), .link(let y)): order(x, y)
        case (.bool(let x), .bool(let y)): order(x ? 1 : 0, y ? 1 : 0)
        case (.string(let x), .string(let y)), (.binary(let x), .binary(let y)),
            (.objectId(let x), .objectId(let y)), (.uuid(let x), .uuid(let y)):
            compare(x, y)
        case (.timestamp(let s, let ns), .timestamp(let t, let nt)): s == t ? order(ns, nt) : order(s, t)
        case (.float(let x), .float(let y)): order(Float(bitPattern: x), Float(bitPattern: y))
        case (.double(let x), .double(let y)): order(Double(bitPattern: x), Double(bitPattern: y))
        case (.typedLink(let t, let k), .typedLink(let u, let l)): t == u ? order(k, l) : order(t, u)
        default: 0
        }
    }

    /// Content 8.4. Two lists, or two dictionaries, always compare equal.
    func compareMixed(_ a: Datum, _ b: Datum) -> Int {
        let (x, y) = (rank(a), rank(b))
        if x != y { return order(x, y) }
        return a.isNumber ? compareNumbers(a, b) : compareAlike(a, b)
    }

    private func rank(_ datum: Datum) -> Int {
        switch datum {
        case .null: -1
        case .bool: 0
        case .int, .float, .double, .decimal: 1
        case .string: 2
        case .binary: 3
        case .timestamp: 4
        case .objectId: 5
        case .uuid: 6
        case .typedLink: 7
        case .link: 8
        case .list: 9
        case .dictionary: 11
        }
    }

    private func compareNumbers(_ a: Datum, _ b: Datum) -> Int {
        switch (a, b) {
        case (.decimal, _), (_, .decimal): return DecimalNumber.compare(decimal(a), decimal(b))
        case (.int(let x), .int(let y)): return order(x, y)
        case (.int(let x), _): return compareInt(x, widened(b))
        case (_, .int(let y)): return -compareInt(y, widened(a))
        default: return compareDoubles(widened(a), widened(b))
        }
    }

    /// NaNs are lowest, by bit pattern.
    private func compareDoubles(_ a: UInt64, _ b: UInt64) -> Int {
        let (x, y) = (Double(bitPattern: a), Double(bitPattern: b))
        if x.isNaN, y.isNaN { return order(a, b) }
        if x.isNaN || y.isNaN { return x.isNaN ? -1 : 1 }
        return order(x, y)
    }

    /// Exact, without rounding the integer.
    private func compareInt(_ a: Int64, _ bits: UInt64) -> Int {
        let b = Double(bitPattern: bits)
        if b.isNaN || b < -0x1p63 { return 1 }
        if b >= 0x1p63 { return -1 }
        let truncated = Int64(b)
        return a == truncated ? order(0, b - Double(truncated)) : order(a, truncated)
    }

    /// The bits as a Double. A NaN retains its pattern when a Float is widened.
    private func widened(_ datum: Datum) -> UInt64 {
        switch datum {
        case .double(let bits): return bits
        case .float(let bits):
            let number = Float(bitPattern: bits)
            if !number.isNaN { return Double(number).bitPattern }
            return UInt64(bits >> 31) << 63 | 0x7FF << 52 | UInt64(bits & 0x7F_FFFF) << 29
        default: return 0
        }
    }

    private func decimal(_ datum: Datum) -> DecimalNumber {
        switch datum {
        case .decimal(let bits): return DecimalNumber(bits)
        case .int(let value): return DecimalNumber(value)
        default: break
        }
        let bits = widened(datum)
        let number = Double(bitPattern: bits)
        if number.isNaN { return DecimalNumber(nanWithDoubleBits: bits) }
        return DecimalNumber(number, precision: datum.type == .float ? 7 : 15)
    }
}

extension Audit.Datum {
    fileprivate var byteCount: Int? {
        switch self {
        case .string(let run), .binary(let run): run.count
        default: nil
        }
    }
}

/// Checks whether the elements of a set, added one by one, ascend (content 7.3, 8.3).
struct SetOrder {
    private let type: ColumnType
    private var last: Audit.Datum?
    private var isWrong = false
    /// Whether every wrong pair is a decimal and a float, whose comparison rounds (content 13.20).
    private var isRounded = true
    private var hasNaN = false
    private var hasCollection = false

    /// The elements of a set of an older format, whose strings and binaries have another order: only their distinctness
    /// can be checked. nil if the order is known.
    private var kept: [Audit.Datum]?

    init(type: ColumnType, isOld: Bool = false) {
        self.type = type
        if isOld, [.string, .binary, .mixed].contains(type) { kept = [] }
    }

    mutating func add(_ datum: Audit.Datum, _ audit: Audit) {
        switch datum {
        case .float(let bits) where type == .float: hasNaN = hasNaN || Float(bitPattern: bits).isNaN
        case .double(let bits) where type == .double: hasNaN = hasNaN || Double(bitPattern: bits).isNaN
        default: hasCollection = hasCollection || datum.isCollection
        }
        if kept != nil {
            if audit.canWork(1 + 8 * (datum.byteCount ?? 0)) { kept?.append(datum) }
        } else {
            compareWithLast(datum, audit)
        }
    }

    private mutating func compareWithLast(_ datum: Audit.Datum, _ audit: Audit) {
        if let last, audit.compare(type, last, datum) >= 0 {
            isWrong = true
            isRounded = isRounded && type == .mixed && roundsComparison(last, datum)
        }
        last = datum
    }

    private func roundsComparison(_ a: Audit.Datum, _ b: Audit.Datum) -> Bool {
        let types = [a.type, b.type]
        return types.contains(.decimal) && (types.contains(.float) || types.contains(.double))
    }

    /// Returns the elements of a set of an older format, with strings and binaries sorted in our order, at their
    /// positions.
    private func inOrder(_ audit: Audit) -> [Audit.Datum] {
        guard var data = kept else { return [] }
        let places = data.indices.filter { data[$0].byteCount != nil }
        let sorted = places.map { data[$0] }.ordered { audit.compare(type, $0, $1) < 0 }
        for (place, datum) in zip(places, sorted) { data[place] = datum }
        return data
    }

    mutating func finish(_ ref: Int64, _ audit: Audit) {
        for datum in inOrder(audit) { compareWithLast(datum, audit) }
        if hasNaN { return audit.remnant(ref, "2:13.11", "NaN in a set") }
        if isWrong, isRounded {
            audit.remnant(ref, "2:13.20 M39", "decimals and doubles out of order in a set")
        } else if isWrong {
            audit.violation(ref, "2:7.3 M39", "set is not strictly ascending")
        }
        if hasCollection { audit.violation(ref, "2:7.7", "collection inside a set") }
    }
}
