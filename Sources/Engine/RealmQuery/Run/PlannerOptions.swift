// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The options of the planner. Only tests change them, to select plans that small tables would not use.
package struct PlannerOptions: Sendable {
    /// The number of objects below which tables are scanned without considering links and samples.
    package var samplingThreshold = 2_000
    /// Whether an index or links are used whenever possible, regardless of their cost.
    package var alwaysUsesAccess = false
    /// The number of threads of a scan, and the minimum number of objects for several. Nil for the number of
    /// processors.
    package var threads: Int?
    package var minRowsForThreads = 65_536
    /// The minimum cost of a scan, in nanoseconds, that justifies threads.
    package var minCostForThreads = 200_000.0
    package var leavesPerPiece = 32

    package init() {}
}
