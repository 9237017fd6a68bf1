// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition on linked objects, evaluated against the direction of the links: first the linked objects, by an index
/// or a scan of their table, then the objects that link to them.
struct LinkReversal: AccessPath {
    private let stages: [Stage]
    private let inner: QueryPlan
    private let text: Comparison?
    let estimate: Double
    let cost: Double
    let isExact: Bool

    private struct Stage {
        let kind: ResolvedPath.Hop.Kind
        let origin: Table
        let target: Table
        let column: Column
        /// The counterpart of `column` in `target`.
        let back: Column
        /// The average number of objects of `origin` for each object of `target`.
        let fanOut: Double
    }

    /// Returns nil if a link has no counterpart to follow backwards.
    init?(
        _ hops: [ResolvedPath.Hop], _ condition: Condition, _ whole: Condition, in selector: AccessPathSelector,
        isExact: Bool
    ) throws {
        var stages: [Stage] = []
        var table = selector.table
        for hop in hops {
            let target = try selector.source.require(hop.target)
            guard let stage = try LinkReversal.stage(hop, table, target) else { return nil }
            stages.append(stage)
            table = target
        }
        // The counterpart of an element at one index of a list finds elements at any index.
        self.isExact = isExact && hops.allSatisfy { if case .element = $0.kind { false } else { true } }
        self.stages = stages
        text = whole.comparison
        inner = try QueryPlan(condition, table, in: selector.source, selector.plannerOptions)
        var estimate = try inner.estimate()
        var cost = inner.cost
        for stage in stages.reversed() {
            cost += estimate * 150
            estimate *= stage.fanOut
            cost += estimate * 30
        }
        self.estimate = min(estimate, Double(selector.total))
        self.cost = cost
    }

    private static func stage(_ hop: ResolvedPath.Hop, _ origin: Table, _ target: Table) throws -> Stage? {
        let column = try origin.require(hop.column)
        let back: Column?
        if hop.kind == .backlinks {
            back = target.column(origin.oppositeColumns[column.leafIndex])
        } else {
            back = target.backlinkColumn(origin: origin.key, hop.column)
        }
        guard let back else { return nil }
        let (from, to) = (try origin.count(), try target.count())
        let fanOut = hop.kind == .link ? Double(from) / Double(max(to, 1)) : 2
        return Stage(kind: hop.kind, origin: origin, target: target, column: column, back: back, fanOut: fanOut)
    }

    func keys() throws -> [ObjectKey] { try followed(try inner.objects()) }

    private func followed(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        try stages.reversed().reduce(keys) { try LinkReversal.origins(of: $0, $1) }
    }

    private static func origins(of keys: [ObjectKey], _ stage: Stage) throws -> [ObjectKey] {
        var cursor = ObjectCursor(stage.target)
        var leaves = ColumnLeaves(stage.back)
        var result: [ObjectKey] = []
        func collect(_ key: ObjectKey) -> Bool {
            result.append(key)
            return true
        }
        for key in keys {
            guard let position = try cursor.find(key) else { continue }
            if stage.kind != .backlinks {
                try stage.target.forEachBacklink(stage.back, at: position, collect)
            } else if stage.back.key.isCollection {
                try stage.target.forEachLinked(stage.back, at: position, collect)
            } else if let origin = try leaves.leaf(of: position.leaf).linkedObject(at: position.row) {
                result.append(origin)
            }
        }
        return KeyOrder.ascending(result)
    }

    func explain() throws -> (step: PlanStep, keys: [ObjectKey]) {
        let (steps, found) = try inner.explain()
        let keys = try followed(found)
        let way = stages.map { "\($0.origin.displayName).\(LinkReversal.name($0))" }.reversed().joined(separator: ", ")
        let name = "back along \(way): \(text?.planText ?? "")"
        return (PlanStep(name, estimated: estimate, actual: keys.count, steps), keys)
    }

    private static func name(_ stage: Stage) -> String {
        stage.kind == .backlinks ? "@links.\(stage.target.displayName).\(stage.back.name)" : stage.column.name
    }
}
