// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct IndexLookup: AccessPath {
    private let table: Table
    private let column: Column
    private let text: Comparison
    private let search: Search
    let estimate: Double
    /// The number of objects, if the estimate has determined it.
    private var known: Int?
    let isExact: Bool

    private enum Search {
        case value(StoredValue)
        /// Each value once, unless the column is Mixed: then several values may equal one stored value.
        case values([StoredValue])
        /// The strings with a prefix, and possibly others.
        case places(PrefixPlaces)
        /// The objects, if counting takes as long as finding them.
        case found([ObjectKey])
    }

    init?(_ condition: Condition, in table: Table, total: Int) throws {
        if let lookup = try IndexLookup(ofOneValue: condition, in: table) {
            self = lookup
            return
        }
        guard case .test(let part) = condition, let column = part.indexedColumn(of: table) else { return nil }
        let test = part.test
        self.table = table
        self.column = column
        text = part.text
        if let found = try IndexLookup.objects(withWordsOf: test, column, in: table) {
            (search, estimate, isExact) = (.found(found), Double(found.count), true)
            return
        }
        guard !column.isFullTextIndexed else { return nil }
        if let prefix = test.prefix, column.type == .string {
            let places = try table.places(column, ofPrefix: prefix)
            guard let count = try places.count(limit: max(16, total / 8)) else { return nil }
            (search, estimate, isExact) = (.places(places), Double(count), places.isExact)
            known = isExact ? count : nil
            return
        }
        guard var values = test.equalValues(type: column.type) else { return nil }
        if test.matchesNull { values.append(.null) }
        search = values.count == 1 ? .value(values[0]) : .values(values)
        isExact = true
        estimate = try IndexLookup.estimate(values, column, in: table)
    }

    init?(ofOneValue condition: Condition, in table: Table) throws {
        guard case .test(let part) = condition, let column = part.indexedColumn(of: table),
            !column.isFullTextIndexed, let value = part.onlyValue
        else { return nil }
        self.table = table
        self.column = column
        text = part.text
        search = .value(value)
        isExact = true
        known = table.primaryKey == column.key ? nil : try table.count(column, equalTo: value)
        estimate = Double(known ?? 1)
    }

    /// Returns the number of objects that satisfy the condition, if an index has it without finding them. Excludes
    /// equality with one value.
    static func count(_ part: PathTest, in table: Table) throws -> Int? {
        guard let column = part.indexedColumn(of: table) else { return nil }
        if let found = try objects(withWordsOf: part.test, column, in: table) { return found.count }
        guard let prefix = part.test.prefix, !column.isFullTextIndexed, column.type == .string else { return nil }
        let places = try table.places(column, ofPrefix: prefix)
        return places.isExact ? try places.count(limit: table.count()) : nil
    }

    private static func objects(
        withWordsOf test: ValueTest, _ column: Column, in table: Table
    ) throws -> [ObjectKey]? {
        guard case .words(let query) = test.kind, !test.isNegated, column.isFullTextIndexed else { return nil }
        // Null has no words and doesn't match, but the index can't distinguish it from a text without words.
        return query.included.isEmpty ? nil : try table.objects(column.key, matching: query)
    }

    /// Counts the objects of a few values, and assumes the same average for the others.
    private static func estimate(_ values: [StoredValue], _ column: Column, in table: Table) throws -> Double {
        if table.primaryKey == column.key { return Double(values.count) }
        let most = 8
        let step = (values.count + most - 1) / most
        guard step > 0 else { return 0 }
        let sample = stride(from: 0, to: values.count, by: step).map { values[$0] }
        let count = try sample.reduce(0) { try $0 + table.count(column, equalTo: $1) }
        return Double(count) * Double(values.count) / Double(sample.count)
    }

    var cost: Double {
        switch search {
        case .value: 1_000 + estimate * 4
        case .values(let values): Double(values.count) * 1_000 + estimate * 20
        case .places: 1_000 + estimate * 20
        case .found: 0
        }
    }

    func keys() throws -> [ObjectKey] {
        switch search {
        case .found(let found): return found
        case .places(let places): return try places.keys()
        case .value(let value): return try table.objects(column.key, equalTo: value)
        case .values(let values):
            var keys: [ObjectKey] = []
            for value in values { keys += try table.objects(column.key, equalTo: value) }
            return KeyOrder.ascending(keys)
        }
    }

    func count() throws -> Int {
        if let known { return known }
        switch search {
        case .value(let value): return try table.count(column, equalTo: value)
        case .values(let values) where column.type != .mixed:
            return try values.reduce(0) { try $0 + table.count(column, equalTo: $1) }
        case .values, .places, .found: return try keys().count
        }
    }

    func explain() throws -> (step: PlanStep, keys: [ObjectKey]) {
        let keys = try keys()
        let name = "index on \(table.displayName).\(column.name): \(text.planText)"
        return (PlanStep(name, estimated: estimate, actual: keys.count), keys)
    }
}

extension ValueTest {
    /// Returns the only matching value, if there is exactly one and an index of this type can look it up.
    func onlyValue(type: ColumnType) -> StoredValue? {
        guard !isNegated else { return nil }
        switch (kind, matchesNull) {
        case (.never, true): return .null
        case (.int(let range), false) where range.lowerBound == range.upperBound:
            return type == .bool ? .bool(range.lowerBound != 0) : .int(range.lowerBound)
        case (.date(let range), false) where range.lowerBound == range.upperBound:
            return .timestamp(range.lowerBound)
        case (.string(let text), false): return .string(text)
        case (.order(.equal, let value), false): return value
        default: return nil
        }
    }

    /// Returns the matching values other than null, each once, if they are few or listed and an index of this type can
    /// look them up.
    fileprivate func equalValues(type: ColumnType) -> [StoredValue]? {
        guard !isNegated else { return nil }
        switch kind {
        case .never: return []
        // Integers aren't ordered in an index, so a short range is looked up as a list of values.
        case .int(let range) where type == .int && UInt64(bitPattern: range.upperBound &- range.lowerBound) < 32:
            return range.map { .int($0) }
        case .ints(let set): return set.values.map { type == .bool ? .bool($0 != 0) : .int($0) }
        case .byteSet(let set): return set.values.map { .string(String(decoding: $0, as: UTF8.self)) }
        case .values(let list):
            return list.enumerated().filter { $0 == 0 || StoredValue.compare(list[$0 - 1], $1) != 0 }.map(\.element)
        case .mixed(let set, let patterns): return patterns.isEmpty ? set.values : nil
        default: return nil
        }
    }
}

extension PathTest {
    func count(in table: Table, _ known: ClusterLeafCache?) throws -> Int? {
        if let onlyValue, let key = bound.ownColumn, let count = try table.countByIndex(key, equalTo: onlyValue, known)
        {
            return count
        }
        return try IndexLookup.count(self, in: table)
    }
}
