// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition that an index answers: the column equals one of some values.
struct IndexLookup {
    let column: Column
    private var values: [StoredValue] = []
    /// For a full-text index: the objects, which it takes as long to count as to find.
    private var found: [ObjectKey]?
    let text: String

    /// nil if no index can answer the condition.
    init?(_ condition: Condition, in table: Table) throws {
        guard case .test(let path, let test, let text) = condition, path.hops.isEmpty, case .column(let key) = path.end,
            table.hasIndex(key), let column = table.column(key), !key.isCollection, !path.asksType
        else { return nil }
        self.column = column
        self.text = text
        if case .words(let query) = test.kind, !test.isNegated, column.isFullTextIndexed {
            // Null has no words and does not match, which the index cannot tell from text without words.
            guard !query.included.isEmpty else { return nil }
            found = try table.objects(key, matching: query)
            return
        }
        guard !column.isFullTextIndexed, let values = test.equalValues(type: column.type) else { return nil }
        self.values = test.matchesNull ? values + [.null] : values
    }

    /// The number of objects it finds, or nil if that is more than `limit`. Of many values it counts none, but takes
    /// one object for each.
    func estimate(in table: Table, limit: Int) throws -> Int? {
        if let found { return found.count }
        guard values.count <= limit else { return nil }
        if values.count > 100 || table.primaryKey == column.key { return values.count }
        var count = 0
        for value in values {
            count += try table.count(column, equalTo: value)
            if count > limit { return nil }
        }
        return count
    }

    /// The objects, ascending.
    func keys(in table: Table) throws -> [ObjectKey] {
        if let found { return found }
        if values.count == 1 { return try table.objects(column.key, equalTo: values[0]) }
        var keys: [ObjectKey] = []
        for value in values { keys += try table.objects(column.key, equalTo: value) }
        // Values may be given twice, and of Mixed several may equal one stored value.
        keys.sort()
        var result: [ObjectKey] = []
        result.reserveCapacity(keys.count)
        for key in keys where result.last != key { result.append(key) }
        return result
    }
}

extension ValueTest {
    /// The values besides null that match, if they are listed and an index of this type can look them up.
    fileprivate func equalValues(type: ColumnType) -> [StoredValue]? {
        guard !isNegated else { return nil }
        switch kind {
        case .never: return []
        case .int(let range) where range.lowerBound == range.upperBound:
            return [type == .bool ? .bool(range.lowerBound != 0) : .int(range.lowerBound)]
        case .ints(let list): return list.map { type == .bool ? .bool($0 != 0) : .int($0) }
        case .date(let range) where range.lowerBound == range.upperBound: return [.timestamp(range.lowerBound)]
        case .bytes(let bytes): return [.string(String(decoding: bytes, as: UTF8.self))]
        case .byteSet(let set): return set.map { .string(String(decoding: $0, as: UTF8.self)) }
        case .order(.equal, let value): return [value]
        case .values(let list): return list
        case .mixed(let list, let patterns): return patterns.isEmpty ? list : nil
        default: return nil
        }
    }
}
