// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// The steps by which a query was run, with the numbers of objects; see `Results.explain()`. An addition to Realm's
/// API.
public struct QueryPlanDescription: Sendable, Hashable, CustomStringConvertible {
    /// A step of a query: a scan of all objects, a look-up in an index, a traversal of backlinks, a condition that is
    /// tested on the results of the previous steps, or an order.
    public struct Step: Sendable, Hashable, CustomStringConvertible {
        /// The step as text, such as `index on Owner.name: name == 'Ann'`. Its form may change in any version.
        public let text: String
        /// The number of objects that the planner expected; nil if it made no estimate.
        public let estimatedCount: Int?
        /// The number of objects after the step; nil if it wasn't counted.
        public let actualCount: Int?
        /// The steps of which this one consists.
        public let parts: [Step]

        /// The step and its parts as text, with the numbers of objects, each on a line.
        public let description: String

        init(_ step: PlanStep) {
            (text, estimatedCount, actualCount) = (step.text, step.estimated, step.actual)
            parts = step.parts.map(Step.init)
            description = step.description
        }
    }

    /// The steps, in the order in which they were run.
    public let steps: [Step]

    init(_ steps: [PlanStep]) { self.steps = steps.map(Step.init) }

    /// The steps as text, each on a line, like SQLite's `EXPLAIN QUERY PLAN`. Its form may change in any version.
    public var description: String { steps.map(\.description).joined(separator: "\n") }
}
