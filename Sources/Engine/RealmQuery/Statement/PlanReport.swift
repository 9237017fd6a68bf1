// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The execution of a query and its steps, with the estimated and the actual numbers of objects. Creating a report runs
/// the query.
package struct PlanReport: Sendable, CustomStringConvertible {
    package private(set) var steps: [PlanStep] = []
    package private(set) var keys: [ObjectKey] = []

    package init(table key: TableKey, _ steps: [QueryStep], in source: any TableSource) throws {
        guard let table = try source.table(key) else {
            self.steps = [PlanStep("nothing: the table no longer exists")]
            return
        }
        var rest = steps[...]
        var (condition, plannerOptions) = (Condition.constant(true), PlannerOptions())
        if case .filter(let query)? = rest.first {
            (condition, plannerOptions) = (query.condition, query.plannerOptions)
            rest.removeFirst()
        }
        (self.steps, keys) = try QueryPlan(condition, table, in: source, plannerOptions).explain()
        try run(rest, in: source)
    }

    package init(
        of given: [ObjectKey], named name: String, _ steps: [QueryStep], in source: any TableSource
    ) throws {
        self.steps = [PlanStep(name, actual: given.count)]
        keys = given
        try run(steps[...], in: source)
    }

    private mutating func run(_ steps: ArraySlice<QueryStep>, in source: any TableSource) throws {
        var rest = steps
        while let step = rest.popFirst() {
            if case .sort(let order) = step, let limit = rest.first?.limit {
                rest.removeFirst()
                keys = try order.first(limit, of: keys, in: source)
                add("then the first \(limit) by \(order.text), without ordering the others")
            } else {
                keys = try step.objects(of: keys, in: source)
                add(step.text)
            }
        }
    }

    private mutating func add(_ text: String) { steps.append(PlanStep(text, actual: keys.count)) }

    package var description: String { steps.map(\.description).joined(separator: "\n") }
}
