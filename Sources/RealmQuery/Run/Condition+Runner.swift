// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Condition {
    /// The condition at work on the present state of `source`, for one thread.
    func runner(in source: any TableSource) throws -> Runner {
        var maker = RunnerMaker(source: source)
        return try maker.runner(self)
    }
}

/// Makes the runners of a condition.
///
/// Several threads that work on one scan each have runners of their own, made from the same condition and therefore in
/// the same order: the sets of objects that they share are known by their number in that order.
struct RunnerMaker {
    let source: any TableSource
    var sets: SharedKeySets?
    private var setCount = 0

    init(source: any TableSource, sets: SharedKeySets? = nil) {
        self.source = source
        self.sets = sets
    }

    mutating func runner(_ condition: Condition) throws -> Runner {
        switch condition {
        case .constant(let value): return ConstantRunner(value)
        case .all(let parts): return AllRunner(try runners(parts))
        case .any(let parts): return AnyRunner(try runners(parts))
        case .chain(let chain): return AllRunner(try runners(chain.conditions))
        case .not(let part):
            return NotRunner(try runner(part), isWrittenSo: part.comparison?.quantifier.map { $0 != .any } ?? false)
        case .test(let part): return try runner(part.path, part.test, part.text)
        case .pair(let left, let test, let right, let text):
            return try PairRunner(left, test, right, text: text, in: source)
        case .subquery(let path, let condition, let test, let text):
            return try SubqueryRunner(path, try runner(condition), test, text: text, in: source)
        case .geo(let path, let columns, let region, let text):
            return try GeoRunner(path, columns, region, text: text, in: source)
        case .computed(let left, let test, let right, let text):
            return try ComputedRunner(left, test, right, text: text, in: source)
        }
    }

    private mutating func runners(_ parts: [Condition]) throws -> [Runner] {
        var runners: [Runner] = []
        for part in parts { runners.append(try runner(part)) }
        return runners
    }

    private mutating func runner(_ path: ResolvedPath, _ test: ValueTest, _ text: Comparison) throws -> Runner {
        if path.hops.isEmpty, case .column(let key) = path.end, path.aspect == .value {
            return ColumnRunner(try source.require(path.origin).require(key), test, text: text)
        }
        let forward = try PathRunner(path, test, text: text, in: source)
        guard let link = try LinkedSet(path, test, text, in: source) else { return forward }
        setCount += 1
        return LinkRunner(forward, link, sets, number: setCount - 1)
    }
}
