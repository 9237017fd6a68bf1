// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// A pass over all objects of a frozen version by several threads: the calling one and, if they are available in time,
/// helpers.
struct ParallelPass: Sendable {
    let snapshot: Snapshot
    private let pieces: [ClusterPiece]
    private let threads: Int

    /// Returns nil if one thread suffices, or if the source isn't a snapshot, which never changes. `cost` is the time
    /// of one thread in nanoseconds.
    init?(over table: Table, in source: any TableSource, cost: Double, _ plannerOptions: PlannerOptions) throws {
        threads = plannerOptions.threads ?? Processors.count
        guard cost >= plannerOptions.minCostForThreads, threads > 1, let snapshot = source as? Snapshot,
            try table.count() >= plannerOptions.minRowsForThreads
        else { return nil }
        self.snapshot = snapshot
        pieces = try table.clusters.pieces(leafCount: plannerOptions.leavesPerPiece)
        guard pieces.count > 1 else { return nil }
    }

    /// Returns the result of each piece, in key order. `begin` creates the worker of one thread.
    func run<Result: Sendable>(
        _ begin: @escaping @Sendable () throws -> (ClusterPiece) throws -> Result
    ) throws -> [Result] {
        let work = SharedWork<Result>(count: pieces.count)
        let join: @Sendable () -> Void = {
            work.work {
                let body = try begin()
                return { try body(pieces[$0]) }
            }
        }
        for _ in 1..<max(2, min(threads, pieces.count)) { Task.detached(operation: { join() }) }
        join()
        return try work.finish()
    }
}
