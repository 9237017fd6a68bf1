// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

extension LiveQuery {
    // MARK: Derived queries

    package func filtered(_ predicate: Predicate, dialect: Predicate.Dialect = .predicate) -> LiveQuery {
        if let awaited { return later(awaited) { $0.filtered(predicate, dialect: dialect) } }
        guard let query = compile(predicate, on: ownClass?.tableKey, dialect) else { return none }
        return filtered(query)
    }

    /// False if the file has no table of the elements' class.
    package var isStored: Bool { elementClass?.isStored ?? true }

    /// Returns this query with a step that is added when the class gets a table. Called only for an awaited query,
    /// because creating the closure allocates memory (row `index_eq`).
    private func later(_ awaited: AwaitedQuery, _ step: @escaping (LiveQuery) -> LiveQuery) -> LiveQuery {
        LiveQuery(realm, awaited.adding(step))
    }

    /// An empty query, after a world error.
    private var none: LiveQuery { adding(.limit(0)) }

    private func filtered(_ query: consuming Query) -> LiveQuery {
        if !hasSteps { return LiveQuery(realm, base, elementClass: ownClass, filter: consume query) }
        var steps = steps
        // A filter can be moved before an order, which then has fewer elements to sort, but not before a step that
        // selects elements.
        let place = steps.lastIndex { $0.isDistinct || $0.isLimit }.map { $0 + 1 } ?? 0
        if place < steps.count, case .filter(let earlier) = steps[place] {
            steps[place] = .filter(earlier.and(query))
        } else {
            steps.insert(.filter(query), at: place)
        }
        return LiveQuery(realm, base, elementClass: ownClass, steps: steps)
    }

    /// Throws `PredicateError` if the statement isn't valid for the elements.
    package func applying(_ statement: QueryStatement) throws -> LiveQuery {
        if let awaited {
            return later(awaited) { core in
                do {
                    return try core.applying(statement)
                } catch {
                    let problem = (error as? PredicateError)?.message ?? "\(error)"
                    core.realm.reader.host.log.write(.error, "Invalid query '\(statement)': \(problem)")
                    return core.none
                }
            }
        }
        let query = try validated(statement)
        let all = statement.predicate == .constant(true)
        return statement.steps.reduce(query.map { filtered($0) } ?? (all ? self : none)) { core, step in
            switch step {
            case .sort(let keys): core.sorted(by: keys)
            case .distinct(let paths): core.distinct(by: paths)
            case .limit(let count): core.limited(to: count)
            }
        }
    }

    /// Returns the condition of a valid statement, if it has one.
    private func validated(_ statement: QueryStatement) throws -> Query? {
        let all = statement.predicate == .constant(true)
        guard let elementClass else {
            if !all { throw PredicateError(.exception, noPredicate) }
            for step in statement.steps {
                if let problem = problem(of: step) { throw PredicateError(.exception, problem) }
            }
            return nil
        }
        // A class without a table has no elements, so every statement selects nothing.
        guard isStored else { return nil }
        let compiled = try realm.withSource { source in
            try CompiledStatement(statement, on: elementClass.tableKey, in: source, names: realm.propertyNames)
        }
        return all ? nil : compiled.query
    }

    private func problem(of step: QueryStatement.Step) -> String? {
        switch step {
        case .sort(let keys): problem(of: keys.map(\.path.keyPath), verb: "sort")
        case .distinct(let paths): problem(of: paths.map(\.keyPath), verb: "distinct")
        case .limit: nil
        }
    }

    /// `keyPaths` are the keys as the caller wrote them, for messages.
    package func sorted(by keys: [SortKey], _ keyPaths: [String]? = nil) -> LiveQuery {
        guard !keys.isEmpty else { return self }
        if let elementClass { return sorted(elementClass, by: keys) }
        verifySelf(keyPaths ?? keys.map(\.path.keyPath), verb: "sort")
        return adding(.sortValues(ascending: keys[0].ascending, collation(of: keys[0])))
    }

    private func sorted(_ elementClass: ManagedClass, by keys: [SortKey]) -> LiveQuery {
        if let awaited { return later(awaited) { $0.sorted(by: keys) } }
        var steps = steps
        var keys = keys
        // The earlier order decides between elements that are equal in the new one.
        if case .sort(let earlier)? = steps.last {
            keys += earlier.keys
            steps.removeLast()
        }
        guard isStored else { return self }
        let order = realm.trappingOnError {
            try SortOrder(
                keys, on: elementClass.tableKey, in: try realm.requireSource(), names: realm.propertyNames)
        }
        guard let order else { return none }
        return LiveQuery(realm, base, elementClass: elementClass, steps: steps + [.sort(order)])
    }

    private func collation(of key: SortKey) -> TextCollation? {
        guard let collation = key.collation else { return nil }
        guard baseCollection?.column.type == .string else {
            throwRealmException(
                """
                Cannot sort on key path 'self' in \(collation.name) order: the elements are of type \
                '\(elementName)', not 'string'.
                """)
        }
        return collation
    }

    package func limited(to count: Int) -> LiveQuery {
        if count < 0 { throwRealmException("Cannot pass a negative value for 'limit'.") }
        return adding(.limit(count))
    }

    package func distinct(by keyPaths: [String]) -> LiveQuery {
        guard !keyPaths.isEmpty else { return self }
        return distinct(by: keyPaths.map { PropertyPath($0) }, keyPaths)
    }

    private func distinct(by paths: [PropertyPath], _ keyPaths: [String]? = nil) -> LiveQuery {
        guard let elementClass else {
            verifySelf(keyPaths ?? paths.map(\.keyPath), verb: "distinct")
            return adding(.distinctValues)
        }
        if let awaited { return later(awaited) { $0.distinct(by: paths) } }
        guard isStored else { return self }
        let distinct = realm.trappingOnError {
            try Distinct(paths, on: elementClass.tableKey, in: try realm.requireSource(), names: realm.propertyNames)
        }
        return distinct.map { adding(.distinct($0)) } ?? none
    }

    private func adding(_ step: ResultsStep) -> LiveQuery {
        if let awaited { return later(awaited) { $0.adding(step) } }
        return LiveQuery(realm, base, elementClass: elementClass, steps: steps + [step])
    }

    /// Returns nil if the class has no table, or after a world error.
    private func compile(
        _ predicate: Predicate, on table: TableKey?, _ dialect: Predicate.Dialect = .predicate
    ) -> Query? {
        guard let table else { throwRealmException(noPredicate) }
        guard table != .null else { return nil }
        return realm.trappingOnError {
            try realm.withSource { source in
                try .compile(
                    predicate, on: table, in: source, names: realm.propertyNames, dialect: dialect,
                    known: realm.knownPaths)
            }
        }
    }

    private var noPredicate: String {
        let kind = baseCollection?.words.element ?? CollectionVocabulary.list.element
        let plural = kind == CollectionVocabulary.dictionary.element ? "dictionaries" : kind + "s"
        return "Querying is currently only implemented for \(plural) of Realm Objects"
    }

    private func verifySelf(_ keyPaths: [String], verb: String) {
        if let problem = problem(of: keyPaths, verb: verb) { throwRealmException(problem) }
    }

    /// Values have no properties, so only `self` is a valid key path.
    private func problem(of keyPaths: [String], verb: String) -> String? {
        let type = elementName
        if keyPaths.count > 1 { return "Cannot \(verb) array of '\(type)' on more than one key path" }
        if keyPaths[0] == "self" { return nil }
        return "Cannot \(verb) on key path '\(keyPaths[0])': arrays of '\(type)' can only be \(verb)ed on 'self'"
    }

    // MARK: Running

    package func index(matching predicate: Predicate) -> Int? {
        realm.verifyThread()
        lookForTable()
        guard let query = compile(predicate, on: elementClass?.tableKey) else { return nil }
        if steps.isEmpty, case .table = base {
            let key = realm.reading(nil) { try query.first(in: try realm.requireSource()) }
            return key.flatMap { index(of: .link($0)) }
        }
        let keys = keys()
        return realm.reading(nil) { try query.firstIndex(in: keys, in: try realm.requireSource()) }
    }

    package func aggregate(_ operation: AggregateOperation, _ property: String) -> StoredValue {
        trackRead(deep: true)
        lookForTable()
        guard let elementClass else {
            let kind = baseCollection?.words.name ?? CollectionVocabulary.list.name
            throwRealmException("\(kind) of '\(elementName)' can only be aggregated on \"self\"")
        }
        let nothing: StoredValue = operation == .sum ? .int(0) : .null
        guard isStored else { return nothing }
        let aggregate = realm.trappingOnError {
            try Aggregate(
                operation, of: property, on: elementClass.tableKey, in: try realm.requireSource(),
                names: realm.propertyNames)
        }
        guard let aggregate else { return nothing }
        return realm.reading(nothing) {
            let source = try realm.requireSource()
            if steps.isEmpty, case .table = base { return try aggregate.value(in: source) }
            return try aggregate.value(over: keys(), in: source)
        }
    }

    /// Computes the number of elements, or an aggregate of a property, for each value at the end of `path`.
    package func groups(by path: String, _ operation: AggregateOperation?, of property: String) -> [GroupedAggregate
        .Group]
    {
        realm.verifyThread()
        lookForTable()
        guard let elementClass, isStored else { return [] }
        let grouped = realm.trappingOnError {
            let source = try realm.requireSource()
            let (table, names) = (elementClass.tableKey, realm.propertyNames)
            let aggregate = try operation.map { try Aggregate($0, of: property, on: table, in: source, names: names) }
            return try GroupedAggregate(by: PropertyPath(path), aggregate, on: table, in: source, names: names)
        }
        guard let grouped, !isInvalidated else { return [] }
        return realm.reading([]) {
            let source = try realm.requireSource()
            let filters = steps.filter(\.isFilter)
            // Orders have no effect on the groups.
            guard case .table = base, steps.allSatisfy({ $0.isFilter || $0.isOrder }), filters.count <= 1 else {
                return try grouped.groups(over: keys(), in: source)
            }
            return try grouped.groups(of: onlyQuery(of: filters), in: source)
        }
    }

    private func onlyQuery(of filters: [ResultsStep]) -> Query? {
        if case .filter(let query)? = filters.first { query } else { nil }
    }
}

extension PropertyPath {
    fileprivate var keyPath: String { steps.isEmpty ? "self" : description }
}
