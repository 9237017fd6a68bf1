// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A comparison with constants that is prepared for many values of one type.
struct ValueTest: Sendable {
    var kind: Kind
    /// Whether the values that `kind` rejects match, instead of those that it accepts. Null isn't affected.
    var isNegated = false
    var matchesNull = false
    /// The common prefix of all matching strings.
    var prefix: [UInt8]?

    enum Kind: Sendable {
        case never
        /// Int, or Bool as 0 and 1.
        case int(ClosedRange<Int64>)
        case ints(IntegerSet)
        case float(ClosedRange<Float>)
        case floats(NumberSet<Float>)
        case double(ClosedRange<Double>)
        case doubles(NumberSet<Double>)
        case date(ClosedRange<Timestamp>)
        case objects(KeySet)
        case string(String)
        case bytes([UInt8])
        case byteSet(ByteSet)
        /// The order of a string or data and the bytes.
        case byteOrder(ComparisonOperator, [UInt8])
        /// A string; for Mixed and data, also data.
        case text([TextMatcher], includingData: Bool)
        case words(FullTextQuery)
        /// Data (for Mixed also text) that contains the bytes, begins or ends with them, or matches a pattern.
        case data(TextPattern, includingText: Bool)
        /// Decimal, ObjectId, UUID and Mixed, by the order of all values (content 8.4).
        case order(ComparisonOperator, StoredValue)
        case between(StoredValue, StoredValue)
        /// In ascending order.
        case values([StoredValue])
        /// For a Mixed column. Strings can match a pattern instead.
        case mixed(MixedSet, [TextMatcher])
    }

    static let never = ValueTest(kind: .never)

    var negated: ValueTest { ValueTest(kind: kind, isNegated: !isNegated, matchesNull: !matchesNull) }
}

/// Tests of single values. Scans of whole columns are in `ColumnFilter`.
extension ValueTest {
    func matches(_ value: StoredValue) -> Bool {
        switch value {
        case .null: matchesNull
        case .link(let key) where key.isUnresolved: matchesNull
        case .typedLink(let link) where link.object.isUnresolved: matchesNull
        default: accepts(value) != isNegated
        }
    }

    private func accepts(_ value: StoredValue) -> Bool {
        switch (kind, value) {
        case (.never, _): false
        case (.int(let range), .int(let value)): range.contains(value)
        case (.int(let range), .bool(let value)): range.contains(value ? 1 : 0)
        case (.ints(let list), .int(let value)): list.contains(value)
        case (.ints(let list), .bool(let value)): list.contains(value ? 1 : 0)
        case (.float(let range), .float(let value)): range.contains(value)
        case (.floats(let set), .float(let value)): set.contains(value)
        case (.double(let range), .double(let value)): range.contains(value)
        case (.doubles(let set), .double(let value)): set.contains(value)
        case (.date(let range), .timestamp(let value)): range.contains(value)
        case (.objects(let keys), .link(let key)): keys.contains(key)
        case (_, .string(let text)): acceptsText(text, value)
        case (_, .binary(let bytes)): unsafe bytes.withUnsafeBytes { unsafe acceptsData($0, value) }
        default: acceptsByOrder(value)
        }
    }

    private func acceptsText(_ text: String, _ value: StoredValue) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            switch kind {
            case .string, .byteSet, .byteOrder, .text, .words, .data(_, includingText: true):
                return unsafe acceptsBytes(raw)
            default: return acceptsByOrder(value)
            }
        }
    }

    private func acceptsData(_ bytes: UnsafeRawBufferPointer, _ value: StoredValue) -> Bool {
        switch kind {
        case .bytes, .byteSet, .byteOrder, .data: unsafe acceptsBytes(bytes)
        case .text(_, let includingData): includingData && (unsafe acceptsBytes(bytes))
        default: acceptsByOrder(value)
        }
    }

    /// Returns whether a string or data matches, from its bytes in place.
    func acceptsBytes(_ value: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .string(var wanted): wanted.withUTF8 { unsafe ByteOrder.isEqual(value, UnsafeRawBufferPointer($0)) }
        case .bytes(let wanted): unsafe ByteOrder.compare(value, wanted) == 0
        case .byteSet(let set): unsafe set.contains(value)
        case .byteOrder(let operation, let bound): operation.holds(unsafe ByteOrder.compare(value, bound))
        case .text(let patterns, _): patterns.contains { unsafe $0.matches(utf8: value) }
        case .words(let query): unsafe query.matches(String(decoding: value, as: UTF8.self))
        case .data(let pattern, _): unsafe pattern.matches(utf8: value)
        default: false
        }
    }

    private func acceptsByOrder(_ value: StoredValue) -> Bool {
        switch kind {
        case .order(let operation, let constant):
            value.isComparable(to: constant) && operation.holds(StoredValue.compare(value, constant))
        case .between(let low, let high):
            value.isComparable(to: low) && value.isComparable(to: high) && StoredValue.compare(value, low) >= 0
                && StoredValue.compare(value, high) <= 0
        case .values(let list):
            list.hasSorted { StoredValue.compare(value, $0) }
        case .mixed(let set, let patterns): set.contains(value) || patterns.contains { value.matches($0) }
        default: false
        }
    }
}

extension ComparisonOperator {
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: false
        }
    }
}

extension StoredValue {
    fileprivate func matches(_ pattern: TextMatcher) -> Bool {
        if case .string(let text) = self { pattern.matches(text) } else { false }
    }
}

extension ByteOrder {
    static func compare(_ a: UnsafeRawBufferPointer, _ b: [UInt8]) -> Int {
        unsafe b.withUnsafeBytes { unsafe compare(a, $0) }
    }
}

extension Array {
    /// Searches an ascending array. `order` compares the searched value with an element.
    func hasSorted(_ order: (Element) -> Int) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) >> 1
            let order = order(self[middle])
            if order == 0 { return true }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
