// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The values of one path for many objects, prepared for frequent comparison.
///
/// Most comparisons are decided by 64 bits in the order of the values; `values` contains the rest of longer values.
struct SortColumn {
    private var ranks: [Rank] = []
    private var prefixes: [UInt64] = []
    /// The values; empty if prefixes decide.
    private var values: [StoredValue] = []
    private let ascending: Bool
    private let prefixDecides: Bool
    /// Whether values of the type have prefixes. Those of Mixed would have different types.
    private let hasPrefix: Bool
    private let collation: TextCollation.Method?

    /// The ascending order of kinds of values. Objects after a null link are last (content 8.5).
    private enum Rank: UInt8, Comparable {
        case null, notANumber, value, unreachable
        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    init(_ type: ColumnType, ascending: Bool, collation: TextCollation? = nil) {
        self.ascending = ascending
        self.collation = collation?.method
        prefixDecides = [.int, .bool, .float, .double].contains(type)
        if case .comparison? = collation?.method { hasPrefix = false } else { hasPrefix = type != .mixed }
    }

    init(_ path: SortPath) {
        self.init(path.path.column.type ?? .mixed, ascending: path.ascending, collation: path.collation)
    }

    init(_ values: [StoredValue], ascending: Bool = true, collation: TextCollation? = nil) {
        self.init(.mixed, ascending: ascending, collation: collation)
        for value in values { append(value) }
    }

    /// Appends a value; nil for an object that the path doesn't reach.
    mutating func append(_ value: StoredValue?) {
        let rank: Rank =
            switch value {
            case nil: .unreachable
            case .null?: .null
            // Mixed and Decimal already order NaNs among the other values.
            case let value? where prefixDecides && value.isNaN: .notANumber
            default: .value
            }
        let value = value.map(collated)
        ranks.append(rank)
        prefixes.append(hasPrefix ? value?.sortPrefix ?? 0 : 0)
        if !prefixDecides { values.append(value ?? .null) }
    }

    private func collated(_ value: StoredValue) -> StoredValue {
        guard case .keys(let key)? = collation, case .string(let text) = value else { return value }
        return .binary(key(text))
    }

    mutating func removeLast() {
        ranks.removeLast()
        prefixes.removeLast()
        if !prefixDecides { values.removeLast() }
    }

    mutating func keep(_ indexes: some Sequence<Int>) {
        let old = self
        ranks = indexes.map { old.ranks[$0] }
        prefixes = indexes.map { old.prefixes[$0] }
        if !prefixDecides { values = indexes.map { old.values[$0] } }
    }

    func columns() -> [SortKeyColumn] {
        let outer = [ranks.map { UInt64($0.rawValue) }, prefixes]
        let words = prefixDecides ? outer : [numbers(outer)]
        return words.map { SortKeyColumn($0, ascending: ascending) }
    }

    /// Returns numbers for values that ranks and prefixes don't distinguish sufficiently.
    private func numbers(_ outer: [[UInt64]]) -> [UInt64] {
        var order = RadixSort.sorted(outer.map { SortKeyColumn($0) }, count: ranks.count)
        var numbers = [UInt64](repeating: 0, count: ranks.count)
        var (start, number) = (0, UInt64(0))
        while start < order.count {
            let first = Int(order[start])
            var end = start + 1
            while end < order.count, ranks[Int(order[end])] == ranks[first],
                prefixes[Int(order[end])] == prefixes[first]
            {
                end += 1
            }
            if end - start > 1, ranks[first] == .value {
                order[start..<end].sort { a, b in
                    let order = ascendingOrder(Int(a), Int(b))
                    return order == 0 ? a < b : order < 0
                }
            }
            for index in start..<end {
                let isNew = index == start || ascendingOrder(Int(order[index - 1]), Int(order[index])) != 0
                number += isNew && index > 0 ? 1 : 0
                numbers[Int(order[index])] = number
            }
            start = end
        }
        return numbers
    }

    /// Returns −1, 0 or 1 if object `a` precedes, equals or follows `b`.
    func order(_ a: Int, _ b: Int) -> Int {
        ascending ? ascendingOrder(a, b) : -ascendingOrder(a, b)
    }

    private func ascendingOrder(_ a: Int, _ b: Int) -> Int {
        if ranks[a] != ranks[b] { return ranks[a] < ranks[b] ? -1 : 1 }
        if prefixes[a] != prefixes[b] { return prefixes[a] < prefixes[b] ? -1 : 1 }
        if prefixDecides { return 0 }
        if case .comparison(let compare)? = collation, case .string(let a) = values[a], case .string(let b) = values[b]
        {
            return compare(a, b)
        }
        return StoredValue.compare(values[a], values[b])
    }
}

extension StoredValue {
    /// A number in the order of the values of one type: values with different numbers compare like them. All Decimals
    /// have the same number.
    fileprivate var sortPrefix: UInt64 {
        switch self {
        case .int(let value): UInt64(bitPattern: value) ^ 1 << 63
        case .bool(let value): value ? 1 : 0
        case .float(let value): value.isNaN ? UInt64(value.bitPattern) : Double(value).sortPrefix
        case .double(let value): value.isNaN ? value.bitPattern : value.sortPrefix
        case .string(let text): StoredValue.prefix(text.utf8)
        case .binary(let bytes): StoredValue.prefix(bytes)
        case .timestamp(let value): UInt64(bitPattern: value.seconds) ^ 1 << 63
        case .objectId(let value): value.high
        case .uuid(let value): value.high
        default: 0
        }
    }

    /// The first eight bytes, the first one most significant; missing bytes are zero.
    private static func prefix(_ bytes: some Collection<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 56
        for byte in bytes.prefix(8) {
            result |= UInt64(byte) << shift
            shift &-= 8
        }
        return result
    }
}

extension Double {
    fileprivate var sortPrefix: UInt64 {
        let bits = (self == 0 ? 0 : self).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}
