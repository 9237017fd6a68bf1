// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

extension Results {
    /// Returns a description of the query plan, like SQLite's `EXPLAIN QUERY PLAN`. An addition to Realm's API.
    ///
    /// ```swift
    /// print(dogs.where { $0.age > 3 && $0.owner.name == "Ann" }.sorted(by: \.name).limit(10).explain())
    /// // back along Dog.owner: owner.name == 'Ann' (estimated 4, actual 3)
    /// //   index on Owner.name: name == 'Ann' (estimated 1, actual 1)
    /// // then age > 3 (estimated 1, actual 2)
    /// // then the first 10 by name ASC, without ordering the others (actual 2)
    /// ```
    ///
    /// Each call runs the query. The result depends only on the query and its data. Call this only from the Realm's
    /// actor, queue, or thread.
    public func explain() -> QueryPlanDescription { QueryPlanDescription(core.explain()) }
}

extension LiveQuery {
    fileprivate func explain() -> [PlanStep] {
        realm.verifyThread()
        guard !isInvalidated else { return [PlanStep("nothing: the base of the query was deleted")] }
        guard elementClass != nil else { return [PlanStep("the elements, one by one", actual: count)] }
        return realm.reading([]) {
            let source = try realm.requireSource()
            let planned = steps.compactMap(\.planned)
            if let managed = wholeClass {
                return try PlanReport(table: managed.tableKey, planned, in: source).steps
            }
            let given = LiveQuery(realm, base, elementClass: elementClass).keys()
            return try PlanReport(of: given, named: baseName, planned, in: source).steps
        }
    }

    private var baseName: String {
        switch base {
        case .table: elementName
        case .collection: "elements of a collection"
        case .backlinks: "objects that link to one"
        }
    }
}

extension ResultsStep {
    fileprivate var planned: QueryStep? {
        switch self {
        case .filter(let query): .filter(query)
        case .sort(let order): .sort(order)
        case .distinct(let distinct): .distinct(distinct)
        case .limit(let count): .limit(count)
        case .sortValues, .distinctValues: nil
        }
    }
}
