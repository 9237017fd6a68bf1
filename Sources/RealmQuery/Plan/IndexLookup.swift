// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition that an index answers: the column equals one of some values, begins with some text, or has some words.
struct IndexLookup: Access {
    private let table: Table
    private let column: Column
    private let text: Comparison
    private let search: Search
    let estimate: Double
    let isExact: Bool

    private enum Search {
        /// Each value once, unless the column is Mixed, where several may equal one stored value.
        case values([StoredValue])
        /// What takes as long to count as to find.
        case found([ObjectKey])
    }

    /// nil if no index can answer the condition.
    init?(_ condition: Condition, in table: Table, total: Int) throws {
        guard case .test(let path, let test, let text) = condition, path.hops.isEmpty, case .column(let key) = path.end,
            table.hasIndex(key), let column = table.column(key), !key.isCollection, !path.asksType
        else { return nil }
        self.table = table
        self.column = column
        self.text = text
        if case .words(let query) = test.kind, !test.isNegated, column.isFullTextIndexed {
            // Null has no words and does not match, which the index cannot tell from text without words.
            guard !query.included.isEmpty else { return nil }
            let found = try table.objects(key, matching: query)
            (search, estimate, isExact) = (.found(found), Double(found.count), true)
            return
        }
        guard !column.isFullTextIndexed else { return nil }
        if let prefix = test.prefix, column.type == .string {
            let limit = max(16, total / 16)
            guard let found = try table.candidates(column, withPrefix: prefix, limit: limit) else { return nil }
            (search, estimate, isExact) = (.found(found), Double(found.count), false)
            return
        }
        guard var values = test.equalValues(type: column.type) else { return nil }
        if test.matchesNull { values.append(.null) }
        search = .values(values)
        isExact = true
        estimate = try IndexLookup.estimate(values, column, in: table)
    }

    /// Counts the objects of a few values and takes the others to have as many each.
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
        case .values(let values): Double(values.count) * 1_000 + estimate * (values.count > 1 ? 20 : 4)
        case .found: 0
        }
    }

    func keys() throws -> [ObjectKey] {
        switch search {
        case .found(let found): return found
        case .values(let values):
            if values.count == 1 { return try table.objects(column.key, equalTo: values[0]) }
            var keys: [ObjectKey] = []
            for value in values { keys += try table.objects(column.key, equalTo: value) }
            return Union.unique(keys)
        }
    }

    func count() throws -> Int {
        guard case .values(let values) = search, column.type != .mixed || values.count == 1 else {
            return try keys().count
        }
        return try values.reduce(0) { try $0 + table.count(column, equalTo: $1) }
    }

    func explain() throws -> (step: PlanStep, keys: [ObjectKey]) {
        let keys = try keys()
        let name = "index on \(table.displayName).\(column.name): \(text.planText)"
        return (PlanStep(name, estimated: estimate, actual: keys.count), keys)
    }
}

extension ValueTest {
    /// The values besides null that match, each once, if they are few or listed and an index of this type can look
    /// them up.
    fileprivate func equalValues(type: ColumnType) -> [StoredValue]? {
        guard !isNegated else { return nil }
        switch kind {
        case .never: return []
        case .int(let range) where range.lowerBound == range.upperBound:
            return [type == .bool ? .bool(range.lowerBound != 0) : .int(range.lowerBound)]
        // Integers do not stand in their order in an index: a short range is so many values.
        case .int(let range) where type == .int && UInt64(bitPattern: range.upperBound &- range.lowerBound) < 32:
            return range.map { .int($0) }
        case .ints(let set): return set.values.map { type == .bool ? .bool($0 != 0) : .int($0) }
        case .date(let range) where range.lowerBound == range.upperBound: return [.timestamp(range.lowerBound)]
        case .bytes(let bytes): return [.string(String(decoding: bytes, as: UTF8.self))]
        case .byteSet(let set): return set.values.map { .string(String(decoding: $0, as: UTF8.self)) }
        case .order(.equal, let value): return [value]
        case .values(let list):
            return list.enumerated().filter { $0 == 0 || StoredValue.compare(list[$0 - 1], $1) != 0 }.map(\.element)
        case .mixed(let set, let patterns): return patterns.isEmpty ? set.values : nil
        default: return nil
        }
    }
}
