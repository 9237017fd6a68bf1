// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A table of formats 2 to 9 on its way into ours: one of the file, or that of the rows of a column of tables.
final class RowTable {
    let name: String
    let kind: TableKind
    /// Those that ours has too, as the file has them.
    let columns: [RowColumn]
    /// By column, the roots of its trees: one for a table of the file, one for each subtable of others.
    var roots: [[Ref]]
    var rowCount: Int
    /// By column, for columns of tables.
    var subtables: [Int: RowSubtables] = [:]
    /// By column, for columns of links and of tables.
    var links: [Int: RowLinks] = [:]
    /// Links from other tables and from this one, in the order of their columns.
    var backlinks: [RowLinks] = []
    /// The place of the column in `columns`.
    var primaryKey: Int?
    /// The key in our file.
    var key = TableKey.null
    /// Of the lists of distinct strings, by column.
    var enumKeys: [Int: RowConverter.EnumKeys] = [:]

    init(name: String, kind: TableKind, columns: [RowColumn], roots: [[Ref]], rowCount: Int) {
        self.name = name
        self.kind = kind
        self.columns = columns
        self.roots = roots
        self.rowCount = rowCount
    }

    /// The column's key in our file. Its place is its leaf index.
    func columnKey(_ index: Int) -> ColumnKey {
        let column = columns[index]
        var type = ColumnType.link
        var attributes: ColumnAttributes = []
        switch column.type {
        case .link: attributes = .nullable
        case .linkList: attributes = .list
        case .table:
            attributes = .list
            if let elements = column.elements {
                type = elements.type.valueType ?? .mixed
                if column.isNullable || elements.isNullable || type == .mixed { attributes.insert(.nullable) }
            }
        default:
            type = column.type.valueType ?? .mixed
            if column.isNullable || type == .mixed { attributes.insert(.nullable) }
        }
        return ColumnKey(leafIndex: index, type: type, attributes: attributes, tag: key.rawValue)
    }

    func backlinkKey(_ index: Int) -> ColumnKey {
        ColumnKey(leafIndex: columns.count + index, type: .backlink, attributes: [], tag: key.rawValue)
    }
}

/// The tables that the rows of one column hold, all of them as one table of embedded objects.
struct RowSubtables {
    let table: RowTable
    /// The rows that have any, and how many. They follow one another in `table`.
    var counts: [(row: Int, count: Int)] = []
    /// Rows of the column, with empty ones.
    var rowCount = 0
}

/// A column of links, and the links themselves once they were read.
final class RowLinks {
    let origin: RowTable
    let column: Int
    let target: RowTable
    /// The place among the backlinks of the target.
    let number: Int
    /// By link: the row that is linked to, and the one that links. By origins, as they were read.
    private(set) var links: [(target: Int, origin: Int)] = []

    init(from column: Int, of origin: RowTable, to target: RowTable) {
        self.origin = origin
        self.column = column
        self.target = target
        number = target.backlinks.count
    }

    func requireRow(_ row: Int64) throws -> Int {
        guard 0..<Int64(target.rowCount) ~= row else {
            throw StorageError(
                .invalidDatabase,
                "'\(origin.name)' links to row \(row) of '\(target.name)', which has \(target.rowCount); the file is "
                    + "damaged")
        }
        return Int(row)
    }

    func add(from origin: Int, to target: Int) { links.append((target, origin)) }

    /// Leaves of `capacity` rows with the origins of each row's links.
    func leaves(rowCount: Int, capacity: Int, in store: NodeStore) throws -> [Ref] {
        let byLeaf = ordered(rowCount: rowCount, capacity: capacity)
        links = []
        var start = 0
        return try stride(from: 0, to: rowCount, by: capacity).map { first in
            let count = min(capacity, rowCount - first)
            var origins = [[Int64]](repeating: [], count: count)
            while start < byLeaf.count, byLeaf[start].target < first + count {
                origins[byLeaf[start].target - first].append(Int64(byLeaf[start].origin))
                start += 1
            }
            return try store.createIntegers(
                try origins.map { try cell($0, in: store) }, flags: NodeHeader.Flags.hasRefs)
        }
    }

    /// The links by the leaf that has their target, within a leaf as they were read.
    private func ordered(rowCount: Int, capacity: Int) -> [(target: Int, origin: Int)] {
        var ends = [Int](repeating: 0, count: rowCount / capacity + 2)
        for link in links { ends[link.target / capacity + 1] += 1 }
        for index in ends.indices.dropFirst() { ends[index] += ends[index - 1] }
        var result = links
        for link in links {
            result[ends[link.target / capacity]] = link
            ends[link.target / capacity] += 1
        }
        return result
    }

    private func cell(_ origins: [Int64], in store: NodeStore) throws -> Int64 {
        guard let first = origins.first else { return 0 }
        guard origins.count > 1 else { return Tagged.encode(UInt64(first)) }
        let leaves = try stride(from: 0, to: origins.count, by: store.treeCapacity).map { start in
            try store.createIntegers(Array(origins[start..<min(start + store.treeCapacity, origins.count)]))
        }
        return try store.treeJoin(leaves, count: origins.count).element
    }
}
