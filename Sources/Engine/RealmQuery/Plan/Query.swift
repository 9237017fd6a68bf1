// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A predicate compiled for the objects of a table.
///
/// It holds no data, so it's usable on any thread, with every version of the database in which its columns exist. A
/// deleted table has no objects. Results are in the order of the table, ascending by key.
package struct Query: Sendable {
    package let table: TableKey
    let condition: Condition
    /// nil for most queries.
    private var details: Details?

    package var plannerOptions: PlannerOptions {
        get { details?.plannerOptions ?? PlannerOptions() }
        set { details = Details(written: details?.written, plannerOptions: newValue) }
    }

    /// A separate object, so that copying a query copies little.
    private final class Details: Sendable {
        /// The predicate as written; nil if the condition contains it.
        let written: Predicate?
        /// nil unless a test has set it.
        let plannerOptions: PlannerOptions?

        init(written: Predicate?, plannerOptions: PlannerOptions? = nil) {
            self.written = written
            self.plannerOptions = plannerOptions
        }
    }

    /// Compiles a predicate. An initializer would own its arguments, and count references to them.
    ///
    /// - Parameters:
    ///   - dialect: Determines the permitted paths. In Realm Query Language, lists have indexes.
    ///   - known: A cache of the paths of earlier predicates.
    /// - Throws: `PredicateError` if the predicate is invalid.
    package static func compile(
        _ predicate: Predicate, on table: TableKey, in source: any TableSource,
        names: @autoclosure () -> PropertyNames = .stored, dialect: Predicate.Dialect = .query,
        known: PathBindingCache? = nil
    ) throws -> Query {
        if case .comparison(let comparison) = predicate, known != nil, comparison.hasPathAndValue,
            let query = try bind(comparison, on: table, in: source, dialect, known)
        {
            return query
        }
        return try Query(resolving: predicate, on: table, in: source, names(), dialect, known)
    }

    private init(
        resolving predicate: Predicate, on table: TableKey, in source: any TableSource, _ names: PropertyNames,
        _ dialect: Predicate.Dialect, _ known: PathBindingCache?
    ) throws {
        guard let found = try source.table(table) else {
            throw StorageError.absent("\(table) is not in the file (any more)")
        }
        details = Details(written: predicate)
        self.table = table
        condition = try ConditionResolver(source: source, names: names, table: found, dialect: dialect, known: known)
            .resolve(predicate)
    }

    init(on table: TableKey, _ condition: Condition) {
        self.table = table
        self.condition = condition
    }

    /// A shortcut for one comparison with a value whose path is cached: it looks up no names. Returns nil if the
    /// predicate has to be resolved.
    static func bind(
        _ comparison: Comparison, on table: TableKey, in source: any TableSource, _ dialect: Predicate.Dialect,
        _ known: PathBindingCache?
    ) throws -> Query? {
        guard let found = unsafe try source.unretainedTable(table) else { return nil }
        return unsafe try found._withUnsafeGuaranteedRef { try bind(comparison, in: $0, dialect, known) }
    }

    private static func bind(
        _ comparison: Comparison, in table: Table, _ dialect: Predicate.Dialect, _ known: PathBindingCache?
    ) throws -> Query? {
        guard let path = known?.find(comparison.path, in: table) else { return nil }
        guard let condition = try ConditionResolver.condition(comparison, path, in: table, dialect) else { return nil }
        return Query(on: table.key, condition)
    }

    var chain: QueryChain? { if case .chain(let chain) = condition { chain } else { nil } }

    package var predicate: Predicate {
        if let chain { return .all(chain.predicates) }
        return details?.written ?? condition.comparison.map { .comparison($0) } ?? .constant(true)
    }

    var isEverything: Bool { if case .constant(true) = condition { true } else { false } }

    // MARK: All objects of the table

    package func objects(in source: any TableSource, first limit: Int = .max) throws -> [ObjectKey] {
        try QueryPlan(self, in: source)?.objects(first: limit) ?? []
    }

    /// `known` contains the leaves of the table in which objects were recently found.
    package func count(in source: any TableSource, _ known: ClusterLeafCache? = nil) throws -> Int {
        guard let found = unsafe try source.unretainedTable(table) else { return 0 }
        return unsafe try found._withUnsafeGuaranteedRef { try count(in: source, $0, known) }
    }

    private func count(in source: any TableSource, _ table: Table, _ known: ClusterLeafCache?) throws -> Int {
        if case .test(let part) = condition, let count = try part.count(in: table, known) { return count }
        return try QueryPlan(condition, table, in: source, plannerOptions).count()
    }

    package func first(in source: any TableSource) throws -> ObjectKey? {
        try objects(in: source, first: 1).first
    }

    // MARK: Given objects

    /// Returns false for a deleted object.
    package func contains(_ key: ObjectKey, in source: any TableSource) throws -> Bool {
        try firstIndex(in: CollectionOfOne(key), in: source) != nil
    }

    /// Returns those of `keys` that satisfy the predicate, in their order and as often as they occur, without deleted
    /// objects. Stops after `limit` of them.
    package func filter(
        _ keys: some Sequence<ObjectKey>, in source: any TableSource, first limit: Int = .max
    ) throws -> [ObjectKey] {
        var result: [ObjectKey] = []
        guard limit > 0 else { return result }
        try forEach(keys, in: source) { _, key in
            result.append(key)
            return result.count < limit
        }
        return result
    }

    package func firstIndex(in keys: some Sequence<ObjectKey>, in source: any TableSource) throws -> Int? {
        var first: Int?
        try forEach(keys, in: source) { index, _ in
            first = index
            return false
        }
        return first
    }

    private func forEach(
        _ keys: some Sequence<ObjectKey>, in source: any TableSource, _ body: (Int, ObjectKey) throws -> Bool
    ) throws {
        guard let table = try source.table(table) else { return }
        let rowFilter = try condition.rowFilter(in: source)
        let keys = Array(keys)
        try table.visitRuns(of: keys) { run, places in
            try rowFilter.forEachMatch(in: run) { place in
                let index = places.lowerBound + place
                return try body(index, keys[index])
            }
        }
    }

    /// Runs the query. Returns a description of its execution, step by step, with the estimated and the actual numbers
    /// of objects.
    package func explain(in source: any TableSource) throws -> String {
        guard let plan = try QueryPlan(self, in: source) else { return "nothing: the table no longer exists" }
        return try plan.explain().steps.map(\.description).joined(separator: "\n")
    }
}
