// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A scan of one frozen version by several threads: the calling one and, if they come in time, helpers.
///
/// Each thread has runners of its own; they share nothing but the sets of linked objects. The results are those of one
/// thread, in the same order.
struct ParallelScan: Sendable {
    let snapshot: Snapshot
    let table: Table
    /// What has to hold, in the order in which it is tried.
    let parts: [Condition]
    let pieces: [ClusterPiece]
    let threads: Int

    func objects() throws -> [ObjectKey] {
        let found = try run { runner, piece in
            var keys: [ObjectKey] = []
            try table.clusters.forEachBlock(in: piece, reading: runner.columnAhead) { block in
                try runner.filter(block, block.allRows).forEach { row in
                    keys.append(block.key(at: row))
                    return true
                }
                return true
            }
            return keys
        }
        return Array(found.joined())
    }

    func count() throws -> Int {
        try run { runner, piece in
            var count = 0
            try table.clusters.forEachBlock(in: piece, reading: runner.columnAhead) { block in
                count += try runner.count(block)
                return true
            }
            return count
        }.reduce(0, +)
    }

    private func run<Piece: Sendable>(
        _ body: @escaping @Sendable (Runner, ClusterPiece) throws -> Piece
    ) throws -> [Piece] {
        let work = SharedWork<Piece>(count: pieces.count)
        let sets = SharedKeySets()
        let join: @Sendable () -> Void = {
            work.work {
                var maker = RunnerMaker(source: snapshot, sets: sets)
                let runners = try parts.map { try maker.runner($0) }
                let runner = runners.count == 1 ? runners[0] : AllRunner(inOrder: runners)
                return { try body(runner, pieces[$0]) }
            }
        }
        for _ in 1..<max(2, min(threads, pieces.count)) { Task.detached(operation: { join() }) }
        join()
        return try work.finish()
    }
}
