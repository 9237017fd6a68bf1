// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

final class RowLinks {
    let origin: RowTable
    let column: Int
    let target: RowTable
    /// The index in the target's `backlinks`.
    let number: Int
    /// The target row and the origin row of each link, in the order of origins.
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
            return try ColumnLeafBuilder(store).integers(
                try origins.map { try cell($0, in: store) }, flags: NodeHeader.Flags.hasRefs)
        }
    }

    /// The links in the order of the leaves of their targets. Within a leaf, the order is that of reading.
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
            try ColumnLeafBuilder(store).integers(
                Array(origins[start..<min(start + store.treeCapacity, origins.count)]))
        }
        return try BPlusTreeEditor(store, .key).join(leaves, count: origins.count).element
    }
}
