// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the planner goes by. Only tests use other values than these: to take ways that small tables would not take.
package struct PlannerOptions: Sendable {
    /// Tables with fewer objects are scanned without thinking of links and samples.
    package var samplingThreshold = 2_000
    /// Whether to take an index or links where there are any, whatever they cost.
    package var alwaysUsesAccess = false
    /// How many threads work on a scan, and from how many objects on; nil for as many as there are processors.
    package var threads: Int?
    package var leastRowsForThreads = 65_536
    /// What a scan has to take, in nanoseconds, for threads to be worth starting.
    package var leastCostForThreads = 200_000.0
    /// How many leaves a thread takes at a time.
    package var leavesPerPiece = 32

    package init() {}
}
