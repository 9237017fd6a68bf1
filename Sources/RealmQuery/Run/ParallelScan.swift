// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A scan of one frozen version by several threads.
///
/// Each thread has runners of its own; they share nothing but the sets of linked objects. The results are those of one
/// thread, in the same order.
struct ParallelScan: Sendable {
    let pass: ParallelPass
    let table: Table
    /// What has to hold, in the order in which it is tried.
    let parts: [Condition]

    func objects() throws -> [ObjectKey] {
        let found = try run { runner, piece in
            var keys: [ObjectKey] = []
            try table.clusters.forEachBlock(in: piece, reading: runner.columnAhead) { block in
                block.append(try runner.filter(block, block.allRows), to: &keys)
                return true
            }
            return keys
        }
        // Each by one copy, which `joined` would not be.
        var keys: [ObjectKey] = []
        keys.reserveCapacity(found.reduce(0) { $0 + $1.count })
        for part in found { keys += part }
        return keys
    }

    func count() throws -> Int {
        try run { try $0.count($1, of: table.clusters) }.reduce(0, +)
    }

    private func run<Found: Sendable>(
        _ body: @escaping @Sendable (Runner, ClusterPiece) throws -> Found
    ) throws -> [Found] {
        let sets = SharedKeySets()
        return try pass.run {
            var maker = RunnerMaker(source: pass.snapshot, sets: sets)
            let runners = try parts.map { try maker.runner($0) }
            let runner = runners.count == 1 ? runners[0] : AllRunner(inOrder: runners)
            return { try body(runner, $0) }
        }
    }
}
