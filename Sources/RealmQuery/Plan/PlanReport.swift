// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// How a query and what follows it find their objects, step by step, with the numbers of objects that the planner
/// expected and that there were. Making it runs the query.
package struct PlanReport: Sendable, CustomStringConvertible {
    package private(set) var steps: [PlanStep] = []
    /// What was found.
    package private(set) var keys: [ObjectKey] = []

    /// What a query does with its objects.
    package enum Step {
        case filter(Query)
        case sort(SortOrder)
        case distinct(Distinct)
        case limit(Int)

        fileprivate var limit: Int? { if case .limit(let count) = self { count } else { nil } }
    }

    /// Of all objects of a table.
    package init(table key: TableKey, _ steps: [Step], in source: any TableSource) throws {
        guard let table = try source.table(key) else {
            self.steps = [PlanStep("nothing: the table is gone")]
            return
        }
        var rest = steps[...]
        var (condition, tuning) = (Condition.constant(true), QueryTuning())
        if case .filter(let query)? = rest.first {
            (condition, tuning) = (query.condition, query.tuning)
            rest.removeFirst()
        }
        (self.steps, keys) = try QueryPlan(condition, table, in: source, tuning).explain()
        try run(rest, in: source)
    }

    /// Of given objects, which `name` names.
    package init(
        of given: [ObjectKey], named name: String, _ steps: [Step], in source: any TableSource
    ) throws {
        self.steps = [PlanStep(name, actual: given.count)]
        keys = given
        try run(steps[...], in: source)
    }

    private mutating func run(_ steps: ArraySlice<Step>, in source: any TableSource) throws {
        var rest = steps
        while let step = rest.popFirst() {
            switch (step, rest.first?.limit) {
            case (.filter(let query), _):
                keys = try query.filter(keys, in: source)
                add("then \(query.predicate)")
            case (.sort(let order), let limit?):
                rest.removeFirst()
                keys = try order.first(limit, of: keys, in: source)
                add("then the first \(limit) by \(order.text), without ordering the others")
            case (.sort(let order), nil):
                keys = try order.sort(keys, in: source)
                add("then sort by \(order.text)")
            case (.distinct(let distinct), _):
                keys = try distinct.firsts(of: keys, in: source)
                add("then distinct by \(distinct.text)")
            case (.limit(let count), _):
                keys = Array(keys.prefix(count))
                add("then stop after \(count)")
            }
        }
    }

    private mutating func add(_ text: String) { steps.append(PlanStep(text, actual: keys.count)) }

    package var description: String { steps.map(\.description).joined(separator: "\n") }
}
