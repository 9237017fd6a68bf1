// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Creates the test for a comparison of values of a type with constants. Converts the constants to that type.
struct ValueTestMaker {
    /// The type of the values; `.link` for objects.
    let type: ColumnType
    let target: TableKey?
    /// The property and the class of objects, for messages.
    let property: String
    var className: String?
    let operation: ComparisonOperator
    let options: TextOptions
    var dialect = Predicate.Dialect.query

    // MARK: Operators

    func test(_ constant: StoredValue) throws(PredicateError) -> ValueTest {
        let constant = unquoted(constant)
        try checkOperator()
        if operation == .in { throw PredicateError(.exception, "IN clause requires an array of items") }
        if operation == .between {
            throw PredicateError(.invalidValue, "object must be of type NSArray for BETWEEN operations")
        }
        if !operation.isTextual || type != .mixed { try checkType(constant) }
        if operation.isTextual { return try textual(constant) }
        if constant.isNull { return null }
        if operation.isOrdering, options.contains(.caseInsensitive), type == .string {
            throw PredicateError(.invalidPredicate, "Lexicographical comparisons must be case-sensitive")
        }
        let isNegated = operation == .notEqual
        return ValueTest(kind: try comparison(constant), isNegated: isNegated, matchesNull: isNegated)
    }

    func test(_ constants: [StoredValue]) throws(PredicateError) -> ValueTest {
        let constants = constants.map(unquoted)
        try checkOperator()
        switch operation {
        case .in: return try membership(constants)
        case .between: return ValueTest(kind: try between(constants))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .beginsWith, .endsWith,
            .like, .matches, .geoWithin, .text:
            throw PredicateError(
                .invalidPredicate, "Only IN and BETWEEN compare with several values, not '\(operation.rawValue)'")
        }
    }

    /// The test for a comparison with null, which equals only null and has no order.
    private var null: ValueTest {
        switch operation {
        case .equal, .lessOrEqual, .greaterOrEqual: ValueTest(kind: .never, matchesNull: true)
        case .notEqual: ValueTest(kind: .never, isNegated: true)
        case .less, .greater, .in, .between, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin, .text:
            .never
        }
    }

    private func checkOperator() throws(PredicateError) {
        let isText = type == .string || type == .binary || type == .mixed
        let isIdentifier = type == .objectId || type == .uuid
        let hasOrder = type != .bool && type != .link && (!isIdentifier || dialect == .query)
        let isSupported =
            switch operation {
            case .equal, .notEqual, .in: true
            case .less, .lessOrEqual, .greater, .greaterOrEqual: hasOrder
            case .between: hasOrder && (type == .mixed || !isText || dialect == .query)
            case .contains, .beginsWith, .endsWith, .like: isText
            case .matches, .geoWithin, .text: false
            }
        guard isSupported else {
            throw PredicateError(
                .invalidOperator, "Operator '\(operation.rawValue)' not supported for type '\(TypeNames.name(type))'")
        }
        let comparesText = operation == .equal || operation == .notEqual || operation == .in || operation.isTextual
        guard isText, options.contains(.diacriticInsensitive), operation == .like || !comparesText else { return }
        throw PredicateError(
            .invalidOperator,
            "Operator '\(operation.rawValue)' not supported with diacritic-insensitive modifier.")
    }

    // MARK: Constants

    /// Realm Query Language accepts quoted numbers for numeric values.
    private func unquoted(_ constant: StoredValue) -> StoredValue {
        guard dialect == .query, case .string(let text) = constant else { return constant }
        let number: StoredValue? =
            switch type {
            case .int, .float, .double: PredicateLiteral.number(text)
            case .decimal: DecimalBits(text).map { .decimal($0) }
            default: nil
            }
        return number ?? constant
    }

    private func checkType(_ constant: StoredValue) throws(PredicateError) {
        guard !accepts(constant) else { return }
        throw PredicateError(
            .invalidValue,
            "Cannot compare value '\(TypeNames.text(constant))' of type '\(TypeNames.name(constant))' to property "
                + "'\(property)' of type '\(className ?? TypeNames.name(type))'")
    }

    private func accepts(_ constant: StoredValue) -> Bool {
        switch (type, constant) {
        case (_, .null), (.mixed, _): true
        case (.int, _), (.float, _), (.double, _), (.decimal, _): constant.isNumber || isBool(constant)
        case (.bool, .bool), (.bool, .int(0)), (.bool, .int(1)): true
        case (.string, .string), (.binary, .binary), (.timestamp, .timestamp): true
        case (.objectId, .objectId), (.uuid, .uuid): true
        case (.link, .link): true
        case (.link, .typedLink(let link)): link.table == target || link.table == .null
        default: false
        }
    }

    private func isBool(_ constant: StoredValue) -> Bool {
        if case .bool = constant { true } else { false }
    }

    /// Requires an equality or ordering comparison with a constant of the right type that isn't null.
    private func comparison(_ constant: StoredValue) throws(PredicateError) -> ValueTest.Kind {
        switch type {
        case .int, .bool: Bounds<Int64>(constant)?.range(operation).map { .int($0) } ?? .never
        case .float: Bounds<Float>(constant)?.range(operation).map { .float($0) } ?? .never
        case .double: Bounds<Double>(constant)?.range(operation).map { .double($0) } ?? .never
        case .timestamp: date(constant)?.range(operation).map { .date($0) } ?? .never
        case .string, .binary: text(constant)
        case .link: key(constant).map { .objects(KeySet([$0])) } ?? .never
        case .mixed:
            if case .string(let text) = constant, !options.isEmpty, !operation.isOrdering {
                .text([TextMatcher(.equal, text, options)], includingData: false)
            } else {
                order(constant)
            }
        default: order(converted(constant))
        }
    }

    private func order(_ constant: StoredValue) -> ValueTest.Kind {
        .order(operation == .notEqual ? .equal : operation, constant)
    }

    private func text(_ constant: StoredValue) -> ValueTest.Kind {
        if operation.isOrdering { return .byteOrder(operation, bytes(constant)) }
        guard case .string(let text) = constant else { return .bytes(bytes(constant)) }
        return options.isEmpty ? .string(text) : .text([TextMatcher(.equal, text, options)], includingData: false)
    }

    private func bytes(_ constant: StoredValue) -> [UInt8] {
        switch constant {
        case .string(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        default: []
        }
    }

    private func date(_ constant: StoredValue) -> Bounds<Timestamp>? {
        if case .timestamp(let value) = constant { Bounds(exactly: value) } else { nil }
    }

    /// A deleted object equals nothing, and null equals nothing here.
    private func key(_ constant: StoredValue) -> ObjectKey? {
        switch constant {
        case .link(let key) where key.rawValue >= 0: key
        case .typedLink(let link) where link.table == target && link.object.rawValue >= 0: link.object
        default: nil
        }
    }

    private func converted(_ constant: StoredValue) -> StoredValue {
        guard type == .decimal else { return constant }
        if case .bool(let value) = constant { return .decimal(value ? .one : .zero) }
        return constant.asDecimal.map { .decimal($0) } ?? constant
    }

    // MARK: IN and BETWEEN

    private func membership(_ constants: [StoredValue]) throws(PredicateError) -> ValueTest {
        for constant in constants { try checkType(constant) }
        let values = constants.filter { !$0.isNull }
        let test = ValueTest(kind: set(values), matchesNull: values.count < constants.count)
        return values.isEmpty ? ValueTest(kind: .never, matchesNull: test.matchesNull) : test
    }

    private func set(_ values: [StoredValue]) -> ValueTest.Kind {
        switch type {
        case .int, .bool: .ints(IntegerSet(exact(values) { Bounds<Int64>($0) }))
        case .float: .floats(NumberSet(exact(values) { Bounds<Float>($0) }))
        case .double: .doubles(NumberSet(exact(values) { Bounds<Double>($0) }))
        case .link: .objects(KeySet(values.compactMap(key)))
        case .string, .binary:
            if !options.isEmpty, type == .string {
                patterns(values)
            } else {
                .byteSet(ByteSet(values.map(bytes)))
            }
        case .mixed: mixedSet(values)
        default: .values(values.map(converted).sorted { StoredValue.compare($0, $1) < 0 })
        }
    }

    private func exact<Value>(_ constants: [StoredValue], _ bounds: (StoredValue) -> Bounds<Value>?) -> [Value] {
        constants.compactMap { constant in
            guard let bounds = bounds(constant), bounds.isExact else { return nil }
            return bounds.floor
        }
    }

    private func patterns(_ values: [StoredValue]) -> ValueTest.Kind {
        .text([TextMatcher(oneOf: values.compactMap(\.text), options)], includingData: false)
    }

    private func mixedSet(_ values: [StoredValue]) -> ValueTest.Kind {
        guard !options.isEmpty else { return .mixed(MixedSet(values), []) }
        let texts = values.compactMap(\.text)
        let patterns = texts.isEmpty ? [] : [TextMatcher(oneOf: texts, options)]
        return .mixed(MixedSet(values.filter { !$0.isText }), patterns)
    }

    private func between(_ constants: [StoredValue]) throws(PredicateError) -> ValueTest.Kind {
        guard constants.count == 2 else {
            throw PredicateError(
                .invalidValue, "NSArray object must contain exactly two objects for BETWEEN operations")
        }
        let (low, high) = (constants[0], constants[1])
        guard !low.isNull, !high.isNull, accepts(low), accepts(high) else {
            throw PredicateError(
                .invalidValue, "NSArray objects must be of type \(TypeNames.name(type)) for BETWEEN operations")
        }
        switch type {
        case .int: return range(low, high) { Bounds<Int64>($0) }.map { .int($0) } ?? .never
        case .float: return range(low, high) { Bounds<Float>($0) }.map { .float($0) } ?? .never
        case .double: return range(low, high) { Bounds<Double>($0) }.map { .double($0) } ?? .never
        case .timestamp: return range(low, high, date).map { .date($0) } ?? .never
        default: return .between(converted(low), converted(high))
        }
    }

    private func range<Value: Steppable>(
        _ low: StoredValue, _ high: StoredValue, _ bounds: (StoredValue) -> Bounds<Value>?
    ) -> ClosedRange<Value>? {
        guard let low = bounds(low), let high = bounds(high) else { return nil }
        return low.range(to: high)
    }

    // MARK: Text operators

    /// LIKE with null matches null. CONTAINS, BEGINSWITH and ENDSWITH match nothing for null and the empty text, unless
    /// `TextOptions.queryLanguage` is set.
    private func textual(_ constant: StoredValue) throws(PredicateError) -> ValueTest {
        let isQuery = options.contains(.queryLanguage)
        if constant.isNull {
            let matchesAll = isQuery && operation != .like
            return ValueTest(kind: .never, isNegated: matchesAll, matchesNull: matchesAll || operation == .like)
        }
        let bytes = bytes(constant)
        guard !bytes.isEmpty || operation == .like || isQuery else { return .never }
        if case .binary = constant {
            let pattern = TextPattern(textOperation, bytes: bytes)
            return ValueTest(kind: .data(pattern, includingText: !isQuery))
        }
        guard case .string = constant else { return .never }
        let pattern = TextMatcher(textOperation, String(decoding: bytes, as: UTF8.self), options)
        var test = ValueTest(kind: .text([pattern], includingData: !isQuery))
        if operation == .beginsWith, options.folding.isEmpty, !bytes.isEmpty { test.prefix = bytes }
        return test
    }

    /// - Precondition: The operation is a text operator.
    private var textOperation: TextPattern.Operation {
        switch operation {
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .like, .matches, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
            .geoWithin, .text:
            .like
        }
    }
}

extension StoredValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
