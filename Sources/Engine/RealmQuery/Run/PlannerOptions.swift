// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The options of the planner. Only tests use other values than these, to choose plans that small tables would not get.
package struct PlannerOptions: Sendable {
    /// Tables with fewer objects are scanned without thinking of links and samples.
    package var samplingThreshold = 2_000
    /// Whether to take an index or links where there are any, whatever they cost.
    package var alwaysUsesAccess = false
    /// The number of threads of a scan, and the minimum number of objects for several; `nil` for the number of
    /// processors.
    package var threads: Int?
    package var minRowsForThreads = 65_536
    /// The minimum cost of a scan, in nanoseconds, that justifies threads.
    package var minCostForThreads = 200_000.0
    /// The number of leaves in a piece.
    package var leavesPerPiece = 32

    package init() {}
}
