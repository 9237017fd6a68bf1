// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A scan of one frozen version by several threads.
///
/// Each thread has its own row filters; they share only the sets of linked objects. The results and their order are
/// those of a single thread.
struct ParallelScan: Sendable {
    let pass: ParallelPass
    let table: Table
    let parts: [Condition]

    func objects() throws -> [ObjectKey] {
        let found = try run { rowFilter, piece in
            var keys: [ObjectKey] = []
            try table.clusters.forEachBlock(in: piece, reading: rowFilter.prefetchColumn) { block in
                block.append(try rowFilter.filter(block, block.allRows), to: &keys)
                return true
            }
            return keys
        }
        // Appends each part with a single copy, unlike `joined`.
        var keys: [ObjectKey] = []
        keys.reserveCapacity(found.reduce(0) { $0 + $1.count })
        for part in found { keys += part }
        return keys
    }

    func count() throws -> Int {
        try run { try $0.count($1, of: table.clusters) }.reduce(0, +)
    }

    private func run<Found: Sendable>(
        _ body: @escaping @Sendable (RowFilter, ClusterPiece) throws -> Found
    ) throws -> [Found] {
        let sets = SharedKeySets()
        return try pass.run {
            var builder = RowFilterBuilder(source: pass.snapshot, sets: sets)
            let rowFilters = try parts.map { try builder.rowFilter($0) }
            let rowFilter = rowFilters.count == 1 ? rowFilters[0] : ConjunctionFilter(inOrder: rowFilters)
            return { try body(rowFilter, $0) }
        }
    }
}
