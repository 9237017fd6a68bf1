// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Binds a path to columns. The texts of its errors are part of the SDK's contract.
struct PathResolver {
    let source: any TableSource
    let names: PropertyNames
    private let dialect: Predicate.Dialect
    private let path: PropertyPath
    private var rest: ArraySlice<PathStep>
    private var table: Table
    private var result: ResolvedPath

    static func resolve(
        _ path: PropertyPath, from table: Table, in source: any TableSource, names: PropertyNames,
        dialect: Predicate.Dialect = .query
    ) throws -> ResolvedPath {
        // Most paths are the name of a property with one value.
        if path.steps.count == 1, case .property(let name) = path.steps[0],
            case .column(let stored) = names.lookUp(table.displayName, name), let column = table.column(named: stored),
            !column.key.isCollection, column.type != .link
        {
            return ResolvedPath(
                origin: table.key, hops: [], end: .column(column.key), written: path, property: name, type: column.type,
                target: nil)
        }
        var resolver = PathResolver(path, table, source, names, dialect)
        guard path.steps.count <= QueryLimits.steps else {
            throw resolver.invalid("at most \(QueryLimits.steps) steps per keypath are supported.")
        }
        try resolver.run()
        guard resolver.result.hops.count(where: { !$0.kind.isToOne }) <= QueryLimits.collections else {
            throw resolver.invalid("at most \(QueryLimits.collections) collections per keypath are supported.")
        }
        return resolver.result
    }

    private init(
        _ path: PropertyPath, _ table: Table, _ source: any TableSource, _ names: PropertyNames,
        _ dialect: Predicate.Dialect
    ) {
        self.source = source
        self.dialect = dialect
        self.names = names
        self.path = path
        self.table = table
        rest = path.steps[...]
        result = ResolvedPath(
            origin: table.key, hops: [], end: .object, written: path, property: "SELF", type: .link,
            target: table.key)
    }

    private mutating func run() throws {
        while let step = rest.popFirst() {
            switch step {
            case .property(let name): try property(name)
            case .backlinks(let className, let property):
                try backlinks(className, property, name: step.description)
            case .incomingLinks:
                guard rest.isEmpty else { throw invalid("@count must appear at the end of a keypath.") }
                (result.end, result.type, result.target) = (.incomingLinks, .int, nil)
            case .subscript: throw unsupportedSubscript()
            case .operation(let operation):
                throw invalid("collection operation '\(operation.rawValue)' must be applied to a collection")
            }
        }
    }

    // MARK: Properties

    private mutating func property(_ name: String) throws {
        guard !name.isEmpty else { throw invalid("no key name before '.'") }
        let found = names.lookUp(table.displayName, name)
        if case .backlinks(let className, let column) = found {
            return try backlinks(className, column, name: name)
        }
        guard case .column(let stored) = found, let column = table.column(named: stored) else {
            throw invalid("Property '\(name)' not found in object of type '\(table.displayName)'")
        }
        result.property = name
        if column.key.isCollection {
            try collection(column)
        } else if column.type == .link {
            try link(column)
        } else {
            try value(column)
        }
    }

    private mutating func value(_ column: Column) throws {
        (result.end, result.type, result.target) = (.column(column.key), column.type, nil)
        let subscripts = takeSubscripts(inMixed: column.type == .mixed)
        if !subscripts.isEmpty {
            guard column.type == .mixed else { throw unsupportedSubscript() }
            result.end = .subscripted(column.key, subscripts)
        }
        takeAspect(column)
        let asksSize = rest.first == .operation(.size) || dialect == .query && rest.first == .operation(.count)
        if asksSize, column.type == .string || column.type == .binary {
            rest.removeFirst()
            (result.end, result.type) = (.byteCount(column.key), .int)
        }
        guard rest.isEmpty else {
            throw invalid(
                "Property '\(table.displayName).\(result.property)' is not a link or collection and can only appear at "
                    + "the end of a keypath.")
        }
    }

    private mutating func link(_ column: Column) throws {
        let target = table.target(of: column)
        if rest.isEmpty {
            (result.end, result.type, result.target) = (.column(column.key), .link, target)
        } else {
            try hop(ResolvedPath.Hop(kind: .link, column: column.key, target: target))
        }
    }

    private mutating func hop(_ hop: ResolvedPath.Hop) throws {
        guard let next = try source.table(hop.target) else {
            throw StorageError(.invalidDatabase, "a link column without a table; the file is damaged")
        }
        result.hops.append(hop)
        (result.end, result.type, result.target) = (.object, .link, hop.target)
        table = next
    }

    /// `.@type`, `.@size` or `.@keys` after a mixed value.
    private mutating func takeAspect(_ column: Column) {
        guard column.type == .mixed, case .operation(let operation) = rest.first else { return }
        switch operation {
        case .type: (result.aspect, result.type) = (.type, .string)
        case .count, .size: result.aspect = .size
        case .allKeys where dialect == .query: (result.aspect, result.type) = (.keys, .string)
        default: return
        }
        rest.removeFirst()
    }

    // MARK: Subscripts

    /// Realm Query Language also has keys after dots and, in mixed values, `.@values` for `[*]`.
    private mutating func takeSubscripts(inMixed: Bool) -> [PathSubscript] {
        var subscripts: [PathSubscript] = []
        while let step = rest.first {
            switch step {
            case .subscript(let step): subscripts.append(step)
            case .property(let key) where inMixed && dialect == .query: subscripts.append(.key(key))
            case .operation(.allValues) where inMixed && dialect == .query: subscripts.append(.any)
            default: return subscripts
            }
            rest.removeFirst()
        }
        return subscripts
    }

    private mutating func dictionaryValue(_ column: Column) throws {
        let subscripts = takeSubscripts(inMixed: column.type == .mixed)
        if column.key.isList, dialect == .query { return try listValue(column, subscripts) }
        guard column.key.isDictionary else { throw unsupportedSubscript() }
        guard case .key = subscripts[0] else {
            throw PredicateError(
                .invalidSubscriptType,
                "Invalid subscript type '\(path)'; only string keys are allowed as subscripts in dictionary queries.")
        }
        guard subscripts.count == 1 || column.type == .mixed else {
            throw PredicateError(
                .invalidSubscriptSize,
                "Invalid subscript size '\(path)': nested dictionaries queries are only allowed in mixed properties.")
        }
        let target = column.type == .link ? table.target(of: column) : nil
        if let target, dialect == .query, !rest.isEmpty {
            return try hop(ResolvedPath.Hop(kind: .element(subscripts[0]), column: column.key, target: target))
        }
        try subscripted(column, subscripts, target)
    }

    private mutating func subscripted(_ column: Column, _ subscripts: [PathSubscript], _ target: TableKey?) throws {
        (result.end, result.type, result.target) = (.subscripted(column.key, subscripts), column.type, target)
        takeAspect(column)
        guard rest.isEmpty else {
            throw invalid(
                "Property '\(table.displayName).\(result.property)' with a subscript can only appear at the end of a "
                    + "keypath.")
        }
    }

    private mutating func listValue(_ column: Column, _ subscripts: [PathSubscript]) throws {
        if case .key = subscripts[0] { throw unsupportedSubscript() }
        guard subscripts.count == 1 || column.type == .mixed else { throw unsupportedSubscript() }
        guard column.type == .link else { return try subscripted(column, subscripts, nil) }
        try hop(
            ResolvedPath.Hop(kind: .element(subscripts[0]), column: column.key, target: table.target(of: column)))
    }

    private func unsupportedSubscript() -> PredicateError {
        invalid("only dictionaries and realm `Any` support subscript predicates.")
    }

    // MARK: Collections

    private mutating func collection(_ column: Column) throws {
        if dialect == .query, rest.first == .subscript(.any), rest.dropFirst().first?.isSubscript != true {
            // The collection itself represents each of its elements.
            rest.removeFirst()
        }
        if column.key.isDictionary, column.type != .link, dialect == .query, case .property(let key) = rest.first {
            rest[rest.startIndex] = .subscript(.key(key))
        }
        if case .subscript = rest.first { return try dictionaryValue(column) }
        if column.key.isDictionary, rest.first == .operation(.allValues) { rest.removeFirst() }
        if case .operation(let operation) = rest.first, operation != .type || column.type != .mixed {
            rest.removeFirst()
            return try collectionOperation(operation, column)
        }
        guard column.type != .link else {
            return try hop(
                ResolvedPath.Hop(kind: .elements, column: column.key, target: table.target(of: column)))
        }
        takeAspect(column)
        guard rest.isEmpty else {
            throw invalid(
                "\(TypeNames.name(column)) property \(result.property) can only be followed by a collection operation.")
        }
        (result.end, result.target) = (.elements(column.key), nil)
        if result.aspect == .value { result.type = column.type }
    }

    private mutating func collectionOperation(_ operation: CollectionOperation, _ column: Column) throws {
        switch operation {
        case .count, .size: try count(.count(column.key), operation)
        case .type: throw invalid("@type must follow a mixed property.")
        case .allValues: throw invalid("@allValues must follow a dictionary property.")
        case .allKeys:
            guard column.key.isDictionary else { throw invalid("@allKeys must follow a dictionary property.") }
            guard rest.isEmpty else { throw invalid("@allKeys must appear at the end of a keypath.") }
            (result.end, result.type) = (.keys(column.key), column.dictionaryKeyType ?? .string)
        case .min, .max, .sum, .average:
            if column.type == .link {
                try linkedAggregate(
                    operation, ResolvedPath.Hop(kind: .elements, column: column.key, target: table.target(of: column)))
            } else {
                try aggregate(operation, column)
            }
        }
    }

    private mutating func count(_ end: ResolvedPath.End, _ operation: CollectionOperation) throws {
        try checkSingleOperation()
        guard rest.isEmpty else { throw invalid("\(operation.rawValue) must appear at the end of a keypath.") }
        (result.end, result.type, result.target) = (end, .int, nil)
    }

    private mutating func aggregate(_ operation: CollectionOperation, _ column: Column) throws {
        try checkSingleOperation()
        guard rest.isEmpty else {
            throw invalid("\(operation.rawValue) on a collection of values must appear at the end of a keypath.")
        }
        let aggregate = AggregateOperation(operation)
        guard aggregate.accepts(column.type) else {
            throw try dateError(operation, column)
                ?? invalid("\(operation.rawValue) can only be applied to a collection of numeric values.")
        }
        (result.end, result.type) = (.aggregate(aggregate, column.key), aggregate.resultType(column.type))
    }

    private mutating func linkedAggregate(_ operation: CollectionOperation, _ hop: ResolvedPath.Hop) throws {
        try checkSingleOperation()
        guard case .property(let name) = rest.popFirst() else {
            throw invalid("\(operation.rawValue) on a collection of objects cannot appear at the end of a keypath.")
        }
        guard let target = try source.table(hop.target),
            case .column(let stored) = names.lookUp(target.displayName, name),
            let column = target.column(named: stored)
        else { throw invalid("Property '\(name)' not found in object of type '\(try className(hop.target))'") }
        let aggregate = AggregateOperation(operation)
        guard rest.isEmpty, !column.key.isCollection, aggregate.accepts(column.type) else {
            throw try dateError(operation, column)
                ?? invalid("\(operation.rawValue) must be followed by a numeric property.")
        }
        result.property = name
        (result.end, result.type, result.target) = (
            .linkedAggregate(aggregate, hop, column.key), aggregate.resultType(column.type), nil
        )
    }

    private func checkSingleOperation() throws {
        if rest.contains(where: { if case .operation = $0 { true } else { false } }) {
            throw invalid("at most one collection operation per keypath is supported.")
        }
    }

    private func dateError(_ operation: CollectionOperation, _ column: Column) throws -> PredicateError? {
        guard column.type == .timestamp, operation == .sum || operation == .average, !column.key.isDictionary else {
            return nil
        }
        return PredicateError(.unsupportedValueType, "Cannot sum or average date properties")
    }

    private mutating func backlinks(_ className: String, _ property: String, name: String) throws {
        let origin = try source.table(named: FileFormat.classPrefix + className)
        guard let origin, let forward = origin.column(named: property),
            let column = table.backlinkColumn(origin: origin.key, forward.key)
        else { throw invalid("Property '\(name)' not found in object of type '\(table.displayName)'") }
        result.property = name
        let hop = ResolvedPath.Hop(kind: .backlinks, column: column.key, target: origin.key)
        guard case .operation(let operation) = rest.first else { return try self.hop(hop) }
        rest.removeFirst()
        switch operation {
        case .count, .size: try count(.backlinkCount(column.key), operation)
        case .type: throw invalid("@type must follow a mixed property.")
        case .allKeys: throw invalid("@allKeys must follow a dictionary property.")
        case .allValues: throw invalid("@allValues must follow a dictionary property.")
        case .min, .max, .sum, .average: try linkedAggregate(operation, hop)
        }
    }

    private func className(_ key: TableKey) throws -> String { try source.table(key)?.displayName ?? "" }

    private func invalid(_ message: String) -> PredicateError {
        PredicateError(.invalidPredicate, "Invalid keypath '\(path)': " + message)
    }
}
