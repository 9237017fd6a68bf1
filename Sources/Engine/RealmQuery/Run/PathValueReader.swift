// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct PathValueReader {
    let end: ResolvedPath.End
    let table: Table
    private let aspect: ResolvedPath.Aspect
    private let source: any TableSource
    private var leaves: ColumnLeaves?
    private var walker: PathWalker?
    private var linked: ColumnLeaves?

    init(_ path: ResolvedPath, _ table: Table, in source: any TableSource) throws {
        end = path.end
        aspect = path.aspect
        self.source = source
        self.table = table
        switch path.end {
        case .object, .incomingLinks: break
        case .column(let key), .elements(let key), .keys(let key), .count(let key), .backlinkCount(let key),
            .byteCount(let key), .subscripted(let key, _), .aggregate(_, let key):
            leaves = ColumnLeaves(try table.require(key))
        case .linkedAggregate(_, let hop, let key):
            var tail = path
            tail = ResolvedPath(
                origin: table.key, hops: [hop], end: .object, written: tail.written, property: tail.property,
                type: tail.type, target: hop.target)
            let walker = try PathWalker(tail, hops: [hop], in: source)
            linked = ColumnLeaves(try walker.table.require(key))
            self.walker = walker
        }
    }

    /// Calls `body` with each value at an object until it returns true. Returns whether it did.
    mutating func contains(_ position: ClusterTree.Position, where body: (StoredValue) throws -> Bool) throws -> Bool {
        switch aspect {
        case .value: return try containsValue(position, body)
        case .type: return try containsValue(position) { try body(.string(TypeOfValue($0).rawValue)) }
        case .size:
            let space = table.space
            return try containsValue(position) { try body($0.size(in: space)) }
        case .keys:
            let space = table.space
            return try containsValue(position) { value in
                let collection = try StoredCollection(value: value, in: space)
                return try collection?.dictionary?.keys?.values().contains(where: body) ?? false
            }
        }
    }

    private mutating func containsValue(
        _ position: ClusterTree.Position, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        switch end {
        case .object: return try body(.link(position.leaf.key(at: position.row)))
        case .column: return try body(try value(position))
        case .elements: return try containsElement(position, body)
        case .keys: return try containsKey(position, body)
        case .count: return try body(.int(Int64(try table.elementCount(column, at: position))))
        case .backlinkCount: return try body(.int(Int64(try table.backlinkCount(column, at: position))))
        case .incomingLinks:
            let count = try table.backlinkColumns.reduce(0) { try $0 + table.backlinkCount($1, at: position) }
            return try body(.int(Int64(count)))
        case .byteCount: return try body(try byteCount(position))
        case .subscripted(_, let subscripts):
            let nested = NestedReader(subscripts, in: source, table.space)
            guard column.key.isCollection else { return try nested.contains(try value(position), where: body) }
            let collection = try StoredCollection(of: column.key, column.dictionaryKeyType, at: position)
            return try nested.contains(collection, type: column.type, where: body)
        case .aggregate(let operation, _): return try body(try aggregate(operation, position))
        case .linkedAggregate(let operation, _, _): return try body(try linkedAggregate(operation, position))
        }
    }

    private var column: Column { leaves!.column }

    private mutating func value(_ position: ClusterTree.Position) throws -> StoredValue {
        try leaves!.leaf(of: position.leaf).value(at: position.row).withoutUnresolved
    }

    private mutating func byteCount(_ position: ClusterTree.Position) throws -> StoredValue {
        unsafe try leaves!.leaf(of: position.leaf).withStringBytes(at: position.row) { bytes in
            unsafe bytes.map { .int(Int64($0.count)) } ?? .null
        }
    }

    private func containsElement(
        _ position: ClusterTree.Position, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        var found = false
        try table.forEachElementLeaf(column, at: position) { leaf in
            for row in 0..<leaf.count where !found { found = try body(try leaf.value(at: row).withoutUnresolved) }
            return !found
        }
        return found
    }

    private func containsKey(_ position: ClusterTree.Position, _ body: (StoredValue) throws -> Bool) throws -> Bool {
        try dictionary(position).keys?.values().contains(where: body) ?? false
    }

    private func dictionary(_ position: ClusterTree.Position) throws -> DictionaryTree {
        let root = try table.collectionRoot(column, at: position)
        return try DictionaryTree(table.space, root, keyType: column.dictionaryKeyType ?? .string)
    }

    // MARK: Aggregates

    private func aggregate(_ operation: AggregateOperation, _ position: ClusterTree.Position) throws -> StoredValue {
        var accumulator = Accumulator(operation, column.type)
        _ = try containsElement(position) { value in
            accumulator.add(value)
            return false
        }
        return accumulator.result
    }

    private mutating func linkedAggregate(
        _ operation: AggregateOperation, _ position: ClusterTree.Position
    ) throws -> StoredValue {
        guard var linked else { return .null }
        var accumulator = Accumulator(operation, linked.column.type)
        _ = try walker?.contains(position) { object in
            guard let object else { return false }
            accumulator.add(try linked.leaf(of: object.leaf).value(at: object.row))
            return false
        }
        self.linked = linked
        return accumulator.result
    }
}

extension StoredValue {
    fileprivate func size(in space: NodeSpace) throws -> StoredValue {
        switch self {
        case .string(let text): .int(Int64(text.utf8.count))
        case .binary(let bytes): .int(Int64(bytes.count))
        default: try StoredCollection(value: self, in: space).map { .int(Int64($0.count)) } ?? .null
        }
    }

    /// Null for a link whose target doesn't exist.
    var withoutUnresolved: StoredValue {
        switch self {
        case .link(let key) where key.rawValue < 0: .null
        case .typedLink(let link) where link.object.rawValue < 0: .null
        default: self
        }
    }
}
