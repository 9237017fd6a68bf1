// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Condition {
    /// The condition at work on the present state of `source`.
    func runner(in source: any TableSource) throws -> Runner {
        switch self {
        case .constant(let value): ConstantRunner(value)
        case .all(let parts): AllRunner(try parts.map { try $0.runner(in: source) })
        case .any(let parts): AnyRunner(try parts.map { try $0.runner(in: source) })
        case .not(let part): NotRunner(try part.runner(in: source))
        case .test(let path, let test, let text): try Condition.runner(path, test, text, source)
        case .pair(let left, let test, let right, let text):
            try PairRunner(left, test, right, text: text, in: source)
        case .subquery(let path, let condition, let test, let text):
            try SubqueryRunner(path, try condition.runner(in: source), test, text: text, in: source)
        case .geo(let path, let columns, let region, let text):
            try GeoRunner(path, columns, region, text: text, in: source)
        case .computed(let left, let test, let right, let text):
            try ComputedRunner(left, test, right, text: text, in: source)
        }
    }

    private static func runner(
        _ path: ResolvedPath, _ test: ValueTest, _ text: String, _ source: any TableSource
    ) throws -> Runner {
        if path.hops.isEmpty, case .column(let key) = path.end, !path.asksType {
            return ColumnRunner(try source.require(path.origin).require(key), test, text: text)
        }
        return try PathRunner(path, test, text: text, in: source)
    }
}
