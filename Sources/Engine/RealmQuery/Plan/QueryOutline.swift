// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A compiled query with names instead of columns, for a translation to another language, such as SQL.
///
/// Constants are already converted to the types of the properties, so the translation has the semantics of the engine.
package indirect enum QueryOutline: Sendable {
    case constant(Bool)
    case all([QueryOutline])
    case any([QueryOutline])
    case not(QueryOutline)
    /// A value at the end of the path passes the test.
    case test(OutlinePath, OutlineTest)
    /// A condition without an outline.
    case other
}

package struct OutlinePath: Sendable {
    /// A step to embedded objects.
    package enum Hop: Sendable {
        case object(String)
        /// Each object of a list or dictionary.
        case objects(String, isDictionary: Bool)
    }

    package enum End: Sendable {
        case value
        /// Each element of a list or set, or each value of a dictionary.
        case elements(isDictionary: Bool)
        case keys
        case count(isDictionary: Bool)
        /// The value of a key in a dictionary.
        case key(String)
    }

    package var hops: [Hop]
    /// The name of the property.
    package var property: String
    package var end: End
    package var type: ColumnType
    /// Whether an object after a null link has no values at all, rather than the value null.
    package var skipsNull: Bool
}

package struct OutlineTest: Sendable {
    package enum Kind: Sendable {
        case never
        /// Int, or Bool as 0 and 1.
        case ints(ClosedRange<Int64>)
        case anyInt([Int64])
        /// Float or Double. NaN isn't in a range.
        case doubles(ClosedRange<Double>)
        case dates(ClosedRange<Timestamp>)
        /// Strings, binary data, decimals, object ids, and UUIDs.
        case equal([StoredValue])
        case order(ComparisonOperator, StoredValue)
        /// CONTAINS, BEGINSWITH, or ENDSWITH of a string, by bytes.
        case text(ComparisonOperator, String)
    }

    package var kind: Kind
    /// Whether the values that `kind` rejects match, instead of those that it accepts. Null isn't affected.
    package var isNegated: Bool
    package var matchesNull: Bool

    package var negated: OutlineTest { OutlineTest(kind: kind, isNegated: !isNegated, matchesNull: !matchesNull) }
}

extension Query {
    /// - Parameter source: The tables with which the query was compiled.
    package func outline(in source: any TableSource) throws -> QueryOutline {
        try QueryOutliner(source: source).outline(condition)
    }
}

private struct QueryOutliner {
    let source: any TableSource

    func outline(_ condition: Condition) throws -> QueryOutline {
        switch condition {
        case .constant(let value): return .constant(value)
        case .all(let parts): return .all(try parts.map(outline))
        case .any(let parts): return .any(try parts.map(outline))
        case .chain(let chain): return .all(try chain.conditions.map(outline))
        case .not(let part): return .not(try outline(part))
        case .test(let part):
            guard let path = try path(part.path), let kind = kind(part, path.type) else { return .other }
            let test = OutlineTest(
                kind: kind, isNegated: part.test.isNegated, matchesNull: part.test.matchesNull)
            return .test(path, test)
        case .pair, .subquery, .geo, .computed: return .other
        }
    }

    // MARK: Paths

    private func path(_ path: ResolvedPath) throws -> OutlinePath? {
        guard path.aspect == .value else { return nil }
        var table = try source.require(path.origin)
        var hops: [OutlinePath.Hop] = []
        for hop in path.hops {
            guard let column = table.column(hop.column), let next = try source.table(hop.target), next.isEmbedded else {
                return nil
            }
            switch hop.kind {
            case .link: hops.append(.object(column.name))
            case .elements: hops.append(.objects(column.name, isDictionary: column.key.isDictionary))
            case .backlinks, .element: return nil
            }
            table = next
        }
        guard let (key, end) = end(path.end), let column = table.column(key), path.type != .mixed else { return nil }
        return OutlinePath(
            hops: hops, property: column.name, end: end, type: path.type, skipsNull: path.skipsNull)
    }

    private func end(_ end: ResolvedPath.End) -> (ColumnKey, OutlinePath.End)? {
        switch end {
        case .column(let key): return (key, .value)
        case .elements(let key): return (key, .elements(isDictionary: key.isDictionary))
        case .keys(let key): return (key, .keys)
        case .count(let key): return (key, .count(isDictionary: key.isDictionary))
        case .subscripted(let key, let steps):
            guard key.isDictionary, steps.count == 1, case .key(let name) = steps[0] else { return nil }
            return (key, .key(name))
        case .object, .backlinkCount, .incomingLinks, .byteCount, .aggregate, .linkedAggregate: return nil
        }
    }

    // MARK: Tests

    private func kind(_ part: PathTest, _ type: ColumnType) -> OutlineTest.Kind? {
        switch part.test.kind {
        case .never: return .never
        case .int(let range): return .ints(range)
        case .ints(let set): return .anyInt(set.values)
        case .float(let range): return .doubles(Double(range.lowerBound)...Double(range.upperBound))
        case .double(let range): return .doubles(range)
        case .date(let range): return .dates(range)
        case .string(let text): return .equal([.string(text)])
        case .bytes(let bytes): return .equal([value(bytes, type)])
        case .byteSet(let set): return .equal(set.values.map { value($0, type) })
        case .byteOrder(let operation, let bytes): return .order(operation, value(bytes, type))
        case .order(let operation, let value): return .order(operation, value)
        case .values(let values): return .equal(values)
        case .text: return text(part, type)
        case .floats, .doubles, .objects, .words, .data, .between, .mixed: return nil
        }
    }

    private func value(_ bytes: [UInt8], _ type: ColumnType) -> StoredValue {
        type == .string ? .string(String(decoding: bytes, as: UTF8.self)) : .binary(bytes)
    }

    private func text(_ part: PathTest, _ type: ColumnType) -> OutlineTest.Kind? {
        guard type == .string, part.text.options.folding.isEmpty, case .value(.string(let text)) = part.text.right,
            case .path = part.text.left
        else { return nil }
        switch part.text.operation {
        case .contains, .beginsWith, .endsWith: return .text(part.text.operation, text)
        default: return nil
        }
    }
}
