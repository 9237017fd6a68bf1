// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// One thing that a query does to its elements, in turn.
enum ResultsStep {
    case filter(CompiledQuery)
    case sort(SortOrder)
    case distinct(Distinct)
    case sortValues(ascending: Bool)
    case distinctValues

    fileprivate var isDistinct: Bool {
        switch self {
        case .distinct, .distinctValues: true
        default: false
        }
    }
}

extension ResultsCore {
    // MARK: Making queries of queries

    /// The elements that satisfy a predicate too.
    func filtered(_ predicate: Predicate) -> ResultsCore {
        var steps = steps
        // A filter may change places with an order, where it has less to do, but not with a choice of distinct ones.
        let place = steps.lastIndex(where: \.isDistinct).map { $0 + 1 } ?? 0
        if place < steps.count, case .filter(let earlier) = steps[place] {
            steps[place] = .filter(compile(.all([earlier.predicate, predicate])))
        } else {
            steps.insert(.filter(compile(predicate)), at: place)
        }
        return ResultsCore(realm, base, elementClass: elementClass, steps: steps)
    }

    func sorted(by descriptors: [SortDescriptor]) -> ResultsCore {
        guard !descriptors.isEmpty else { return self }
        guard let elementClass else {
            verifySelf(descriptors.map(\.keyPath), verb: "sort")
            return adding(.sortValues(ascending: descriptors[0].ascending))
        }
        let keys = descriptors.map { SortKey(PropertyPath($0.keyPath), ascending: $0.ascending) }
        return adding(
            .sort(
                realm.raising {
                    try SortOrder(
                        keys, on: elementClass.tableKey, in: try realm.requireSource(), names: realm.propertyNames)
                }))
    }

    func distinct(by keyPaths: [String]) -> ResultsCore {
        guard !keyPaths.isEmpty else { return self }
        guard let elementClass else {
            verifySelf(keyPaths, verb: "distinct")
            return adding(.distinctValues)
        }
        return adding(
            .distinct(
                realm.raising {
                    try Distinct(
                        keyPaths.map { PropertyPath($0) }, on: elementClass.tableKey, in: try realm.requireSource(),
                        names: realm.propertyNames)
                }))
    }

    private func adding(_ step: ResultsStep) -> ResultsCore {
        ResultsCore(realm, base, elementClass: elementClass, steps: steps + [step])
    }

    private func compile(_ predicate: Predicate) -> CompiledQuery {
        guard let elementClass else {
            let kind = baseCollection?.words.element ?? CollectionWords.list.element
            let plural = kind == CollectionWords.dictionary.element ? "dictionaries" : kind + "s"
            throwRealmException("Querying is currently only implemented for \(plural) of Realm Objects")
        }
        return realm.compile(predicate, of: elementClass)
    }

    /// Values have no properties: they are ordered and told apart by themselves.
    private func verifySelf(_ keyPaths: [String], verb: String) {
        let type = elementName
        if keyPaths.count > 1 {
            throwRealmException("Cannot \(verb) array of '\(type)' on more than one key path")
        }
        if keyPaths[0] != "self" {
            throwRealmException(
                """
                Cannot \(verb) on key path '\(keyPaths[0])': arrays of '\(type)' can only be \(verb)ed on 'self'
                """)
        }
    }

    // MARK: Running

    /// The keys of the elements, after all steps.
    func run(_ steps: ArraySlice<ResultsStep>, on source: any TableSource, _ keys: [ObjectKey]) throws -> [ObjectKey] {
        try steps.reduce(keys) { keys, step in
            switch step {
            case .filter(let query): try query.filter(keys, in: source)
            case .sort(let order): try order.sort(keys, in: source)
            case .distinct(let distinct): try distinct.firsts(of: keys, in: source)
            case .sortValues, .distinctValues: keys
            }
        }
    }

    /// The values, after all steps.
    func run(_ values: [StoredValue]) -> [StoredValue] {
        steps.reduce(values) { values, step in
            switch step {
            case .sortValues(let ascending):
                SortOrder.permutation(of: values, ascending: ascending).map { values[$0] }
            case .distinctValues: Distinct.firsts(of: values).map { values[$0] }
            case .filter, .sort, .distinct: values
            }
        }
    }

    /// The one filter of all objects of a class, if that is all there is: it can be asked for less than all elements.
    var onlyFilter: CompiledQuery? {
        guard steps.count == 1, case .filter(let query) = steps[0], case .table = base else { return nil }
        return query
    }

    /// The position of the first element that satisfies a predicate.
    func index(matching predicate: Predicate) -> Int? {
        let query = compile(predicate)
        realm.verifyThread()
        if steps.isEmpty, case .table = base {
            let key = realm.reading(nil) { try query.first(in: try realm.requireSource()) }
            return key.flatMap { index(of: .link($0)) }
        }
        let keys = keys()
        return realm.reading(nil) { try query.firstIndex(in: keys, in: try realm.requireSource()) }
    }

    /// An aggregate of a property of the elements, or of the elements themselves where they are values.
    func aggregate(_ operation: AggregateOperation, _ property: String) -> StoredValue {
        guard let elementClass else {
            let kind = baseCollection?.words.name ?? CollectionWords.list.name
            throwRealmException("\(kind) of '\(elementName)' can only be aggregated on \"self\"")
        }
        let aggregate = realm.raising {
            try Aggregate(
                operation, of: property, on: elementClass.tableKey, in: try realm.requireSource(),
                names: realm.propertyNames)
        }
        return realm.reading(.null) {
            let source = try realm.requireSource()
            if steps.isEmpty, case .table = base { return try aggregate.value(in: source) }
            return try aggregate.value(over: keys(), in: source)
        }
    }
}
