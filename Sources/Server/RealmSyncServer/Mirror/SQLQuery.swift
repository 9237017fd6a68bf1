// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmQuery
    import RealmStorage

    /// A query on the table of documents, as an SQL condition over the JSONB column `document`.
    ///
    /// The condition is NULL only if it doesn't hold, so it can be used in WHERE, and as an operand of AND and OR. Only
    /// tests are negated.
    struct SQLQuery: Sendable, Equatable {
        /// The condition, with the parameters `$1`, `$2`, …
        let condition: String
        /// The values of the parameters, as texts.
        let parameters: [String]
        /// Whether the condition selects exactly the documents that match. Otherwise it selects these and others, and
        /// the engine evaluates the query on them.
        let isExact: Bool

        init(_ outline: QueryOutline) {
            var writer = SQLConditionWriter()
            condition = writer.condition(outline, isNegated: false)
            (parameters, isExact) = (writer.parameters, writer.isExact)
        }
    }

    /// The path of a value in a document.
    struct JSONBPath: Sendable {
        /// The column, or the element of an array.
        var base = "document"
        var names: [String] = []

        func appending(_ name: String) -> JSONBPath { JSONBPath(base: base, names: names + [name]) }

        var json: String { names.isEmpty ? base : "(\(base) #> \(literal))" }
        var text: String { "(\(base) #>> \(literal))" }

        private var literal: String { SQLText.quoted(SQLText.array(names.map(JSONBText.written))) }

        /// An SQL value in the order of the engine; nil if the type has none. It is NULL for a null.
        ///
        /// It is also NULL for a value of another form. A cast that fails would stop writers through an index, and SQL
        /// can evaluate a condition for each row of the table.
        func comparable(_ type: ColumnType) -> String? {
            switch type {
            case .int: SQLCast.integer(appending("$numberLong").text)
            case .bool: "(CASE WHEN jsonb_typeof(\(json)) = 'boolean' THEN \(text)::boolean END)"
            case .float, .double: SQLCast.double(appending("$numberDouble").text)
            case .string: "(\(text) COLLATE \"C\")"
            case .binary: SQLCast.bytes(appending("$binary").appending("base64").text)
            case .uuid: SQLCast.uuid(appending("$binary").appending("base64").text)
            case .timestamp: SQLCast.integer(appending("$date").appending("$numberLong").text)
            case .decimal: SQLCast.decimal(appending("$numberDecimal").text)
            case .objectId: SQLCast.objectId(appending("$oid").text)
            default: nil
            }
        }
    }

    /// The texts of literals in statements.
    enum SQLText {
        static func quoted(_ text: String) -> String { "'" + escaped(text, ["'": "'"]) + "'" }

        /// The textual form of an array.
        static func array(_ texts: [String]) -> String {
            let elements = texts.map { "\"" + escaped($0, ["\"": "\\", "\\": "\\"]) + "\"" }
            return "{" + elements.joined(separator: ",") + "}"
        }

        /// Writes the prefixes of the scalars that have one. PostgreSQL sees scalars; as a character, a quote with a
        /// combining mark is another one.
        private static func escaped(_ text: String, _ prefixes: [Unicode.Scalar: Unicode.Scalar]) -> String {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                if let prefix = prefixes[scalar] { scalars.append(prefix) }
                scalars.append(scalar)
            }
            return String(scalars)
        }
    }

    /// Translates outlines. A part that SQL can't express is true, also when it's negated.
    private struct SQLConditionWriter {
        private(set) var parameters: [String] = []
        private(set) var isExact = true
        private var elementCount = 0

        mutating func condition(_ outline: QueryOutline, isNegated: Bool) -> String {
            switch outline {
            case .constant(let value): return value != isNegated ? "TRUE" : "FALSE"
            case .all(let parts): return joined(parts, isNegated, isAll: !isNegated)
            case .any(let parts): return joined(parts, isNegated, isAll: isNegated)
            case .not(let part): return condition(part, isNegated: !isNegated)
            case .other: return unknown()
            case .test(let path, let test): return self.test(path, test, isNegated: isNegated)
            }
        }

        private mutating func joined(_ parts: [QueryOutline], _ isNegated: Bool, isAll: Bool) -> String {
            if parts.isEmpty { return isAll ? "TRUE" : "FALSE" }
            let conditions = parts.map { condition($0, isNegated: isNegated) }
            return "(" + conditions.joined(separator: isAll ? " AND " : " OR ") + ")"
        }

        private mutating func unknown() -> String {
            isExact = false
            return "TRUE"
        }

        private mutating func parameter(_ text: String, _ type: String) -> String {
            parameters.append(text)
            return "$\(parameters.count)::\(type)"
        }

        // MARK: Paths

        private mutating func test(_ path: OutlinePath, _ test: OutlineTest, isNegated: Bool) -> String {
            let before = (parameters, isExact)
            isExact = true
            // A path with one value lets the whole condition be negated instead of the test.
            let negatesResult = isNegated && path.skipsNull
            let found = exists(path, path.hops[...], JSONBPath(), isNegated && !negatesResult ? test.negated : test)
            // The negation of a condition that selects too much would select too little.
            guard let found, isExact || !negatesResult else {
                (parameters, isExact) = before
                return unknown()
            }
            isExact = isExact && before.1
            return negatesResult ? "(\(found)) IS NOT TRUE" : found
        }

        /// Returns `nil` if the condition can't be expressed.
        private mutating func exists(
            _ path: OutlinePath, _ hops: ArraySlice<OutlinePath.Hop>, _ base: JSONBPath, _ test: OutlineTest
        ) -> String? {
            switch hops.first {
            case .object(let name)?:
                let next = base.appending(name)
                guard let inner = exists(path, hops.dropFirst(), next, test) else { return nil }
                return path.skipsNull ? "(jsonb_typeof(\(next.json)) = 'object' AND \(inner))" : inner
            case .objects(let name, let isDictionary)?:
                let (from, element) = elements(base.appending(name), isDictionary)
                guard let inner = exists(path, hops.dropFirst(), element, test) else { return nil }
                return "EXISTS (SELECT 1 FROM \(from) WHERE jsonb_typeof(\(element.json)) = 'object' AND \(inner))"
            case nil: return end(path, base.appending(path.property), test)
            }
        }

        private mutating func elements(_ collection: JSONBPath, _ isDictionary: Bool) -> (from: String, JSONBPath) {
            elementCount += 1
            let name = "e\(elementCount)"
            let (type, empty) = isDictionary ? ("object", "{}") : ("array", "[]")
            let json = "CASE jsonb_typeof(\(collection.json)) WHEN '\(type)' THEN \(collection.json)"
            let whole = json + " ELSE '\(empty)'::jsonb END"
            let source =
                isDictionary
                ? "jsonb_each(\(whole)) AS \(name)(key, value)" : "jsonb_array_elements(\(whole)) AS \(name)(value)"
            return (source, JSONBPath(base: name + ".value"))
        }

        private mutating func end(_ path: OutlinePath, _ property: JSONBPath, _ test: OutlineTest) -> String? {
            switch path.end {
            case .value: return matches(property, path.type, test)
            case .key(let key): return matches(property.appending(key), path.type, test)
            case .elements(let isDictionary):
                let (from, element) = elements(property, isDictionary)
                guard let inner = matches(element, path.type, test) else { return nil }
                return "EXISTS (SELECT 1 FROM \(from) WHERE \(inner))"
            case .keys:
                let (from, _) = elements(property, true)
                guard path.type == .string, let inner = accepts(text: "e\(elementCount).key COLLATE \"C\"", test.kind)
                else { return nil }
                // The negation of a condition that selects too much would select too little.
                if test.isNegated, !isExact { return nil }
                return "EXISTS (SELECT 1 FROM \(from) WHERE \(test.isNegated ? "(\(inner)) IS NOT TRUE" : inner))"
            case .count(let isDictionary):
                guard path.hops.isEmpty || path.skipsNull else { return nil }
                let (from, _) = elements(property, isDictionary)
                guard let inner = accepts("(SELECT count(*) FROM \(from))", .int, test.kind) else { return nil }
                return test.isNegated ? "(\(inner)) IS NOT TRUE" : inner
            }
        }

        // MARK: Values

        private mutating func matches(_ value: JSONBPath, _ type: ColumnType, _ test: OutlineTest) -> String? {
            // An element without a path is the value of a row.
            let isNull = "(\(value.json) IS NULL OR jsonb_typeof(\(value.json)) = 'null')"
            if case .never = test.kind {
                switch (test.isNegated, test.matchesNull) {
                case (false, false): return "FALSE"
                case (false, true): return isNull
                case (true, false): return "NOT \(isNull)"
                case (true, true): return "TRUE"
                }
            }
            let found =
                if case .dates(let range) = test.kind {
                    dates(value, range)
                } else {
                    value.comparable(type).flatMap { comparable in
                        type == .string ? accepts(text: comparable, test.kind) : accepts(comparable, type, test.kind)
                    }
                }
            guard let found else { return nil }
            if test.isNegated, !isExact { return nil }
            switch (test.isNegated, test.matchesNull) {
            case (false, false): return found
            case (false, true): return "(\(found) OR \(isNull))"
            case (true, false): return "(NOT \(isNull) AND (\(found)) IS NOT TRUE)"
            case (true, true): return "(\(found)) IS NOT TRUE"
            }
        }

        private mutating func accepts(_ value: String, _ type: ColumnType, _ kind: OutlineTest.Kind) -> String? {
            switch kind {
            case .never: return "FALSE"
            case .ints(let range):
                if type == .bool { return bools([false, true].filter { range.contains($0 ? 1 : 0) }, value) }
                let low = parameter("\(range.lowerBound)", "bigint")
                if range.lowerBound == range.upperBound { return "\(value) = \(low)" }
                return "(\(value) >= \(low) AND \(value) <= \(parameter("\(range.upperBound)", "bigint")))"
            case .anyInt(let values):
                if type == .bool { return bools([false, true].filter { values.contains($0 ? 1 : 0) }, value) }
                return "\(value) = ANY (\(parameter(SQLText.array(values.map(\.description)), "bigint[]")))"
            case .doubles(let range):
                let low = parameter(SQLConditionWriter.text(range.lowerBound), "float8")
                return "(\(value) >= \(low) AND \(value) <= "
                    + "\(parameter(SQLConditionWriter.text(range.upperBound), "float8")))"
            case .equal(let constants):
                var texts: [String] = []
                var sqlType = "text"
                for constant in constants {
                    guard let (text, type) = literal(constant, type) else { return nil }
                    (texts, sqlType) = (texts + [text], type)
                }
                if texts.isEmpty { return "FALSE" }
                if texts.count == 1 { return "\(value) = \(parameter(texts[0], sqlType))" }
                return "\(value) = ANY (\(parameter(SQLText.array(texts), sqlType + "[]")))"
            case .order(let operation, let constant): return order(value, type, operation, constant)
            case .dates, .text: return nil
            }
        }

        private func bools(_ accepted: [Bool], _ value: String) -> String {
            let names = accepted.map { $0 ? "TRUE" : "FALSE" }
            return names.isEmpty ? "FALSE" : "\(value) IN (\(names.joined(separator: ", ")))"
        }

        /// The engine orders NaN before all other decimals, and SQL after them.
        private mutating func order(
            _ value: String, _ type: ColumnType, _ operation: ComparisonOperator, _ constant: StoredValue
        ) -> String? {
            guard let (text, sqlType) = literal(constant, type), let symbol = SQLConditionWriter.symbol(operation)
            else { return nil }
            let found = "\(value) \(symbol) \(parameter(text, sqlType))"
            guard type == .decimal else { return found }
            switch operation {
            case .less, .lessOrEqual: return "(\(found) OR \(value) = 'NaN')"
            case .greater, .greaterOrEqual: return "(\(found) AND \(value) <> 'NaN')"
            default: return found
            }
        }

        private static func symbol(_ operation: ComparisonOperator) -> String? {
            switch operation {
            case .equal: "="
            case .less: "<"
            case .lessOrEqual: "<="
            case .greater: ">"
            case .greaterOrEqual: ">="
            default: nil
            }
        }

        /// Returns the text and the type of a constant for a property of a type.
        private func literal(_ constant: StoredValue, _ type: ColumnType) -> (String, String)? {
            switch (type, constant) {
            case (.binary, .binary(let bytes)): (SQLConditionWriter.hexadecimal(bytes), "bytea")
            case (.uuid, .uuid(let value)): (SQLConditionWriter.hexadecimal(value.bytes), "bytea")
            case (.objectId, .objectId(let value)): (Hexadecimal.text(value.bytes), "text")
            case (.decimal, .decimal(let value)) where !value.isNaN:
                (SQLCast.text(value), "numeric")
            default: nil
            }
        }

        private static func hexadecimal(_ bytes: [UInt8]) -> String { "\\x" + Hexadecimal.text(bytes) }

        private static func text(_ value: Double) -> String {
            value.isInfinite ? value < 0 ? "-Infinity" : "Infinity" : value.description
        }

        // MARK: Strings

        private mutating func accepts(text value: String, _ kind: OutlineTest.Kind) -> String? {
            switch kind {
            case .never: return "FALSE"
            case .equal(let constants):
                let texts = constants.compactMap { constant in
                    if case .string(let text) = constant { JSONBText.written(text) } else { nil }
                }
                guard texts.count == constants.count else { return nil }
                if texts.isEmpty { return "FALSE" }
                if texts.count == 1 { return "\(value) = \(parameter(texts[0], "text"))" }
                return "\(value) = ANY (\(parameter(SQLText.array(texts), "text[]")))"
            case .order(let operation, .string(let text)):
                guard let symbol = SQLConditionWriter.symbol(operation) else { return nil }
                // U+0000 precedes all characters, and its written form doesn't.
                if operation != .equal, text.unicodeScalars.contains("\0") { return unknown() }
                let found = "\(value) \(symbol) \(parameter(JSONBText.written(text), "text"))"
                if operation == .equal { return found }
                // An escaped character has another position in the order.
                isExact = false
                return "(\(found) OR strpos(\(value), U&'\\E000') > 0)"
            case .text(let operation, let text): return self.text(value, operation, text)
            case .ints, .anyInt, .doubles, .dates, .order: return nil
            }
        }

        private mutating func text(_ value: String, _ operation: ComparisonOperator, _ text: String) -> String? {
            if operation != .beginsWith, JSONBText.isAmbiguous(text) { isExact = false }
            let pattern = parameter(JSONBText.written(text), "text")
            return switch operation {
            case .beginsWith: "starts_with(\(value), \(pattern))"
            case .contains: "strpos(\(value), \(pattern)) > 0"
            case .endsWith: "right(\(value), length(\(pattern))) = \(pattern)"
            default: nil
            }
        }

        // MARK: Dates

        /// A date is its milliseconds, rounded to zero, and the rest in nanoseconds.
        private mutating func dates(_ value: JSONBPath, _ range: ClosedRange<Timestamp>) -> String? {
            guard let milliseconds = value.comparable(.timestamp) else { return nil }
            let rest = "coalesce(\(SQLCast.integer(value.appending("$nanoseconds").text)), 0)"
            var parts = ["\(milliseconds) IS NOT NULL"]
            if range.lowerBound > Timestamp(seconds: .min, nanoseconds: .max) {
                parts.append(bound(range.lowerBound, milliseconds, rest, ">"))
            }
            if range.upperBound < Timestamp(seconds: .max, nanoseconds: .min) {
                parts.append(bound(range.upperBound, milliseconds, rest, "<"))
            }
            return "(" + parts.joined(separator: " AND ") + ")"
        }

        private mutating func bound(
            _ date: Timestamp, _ milliseconds: String, _ rest: String, _ symbol: String
        ) -> String {
            let (limit, isRounded) = date.wholeMilliseconds
            let place = parameter("\(limit)", "bigint")
            let coarse = "\(milliseconds) \(symbol)= \(place)"
            if isRounded {
                isExact = false
                return coarse
            }
            let nanoseconds = date.nanoseconds % 1_000_000
            return "\(coarse) AND (\(milliseconds) \(symbol) \(place) OR \(rest) \(symbol)= \(nanoseconds))"
        }
    }

    extension Timestamp {
        /// The milliseconds, and whether they are the nearest that an integer holds.
        var wholeMilliseconds: (Int64, isRounded: Bool) {
            let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
            if overflows { return (seconds < 0 ? .min : .max, true) }
            let (sum, exceeds) = whole.addingReportingOverflow(Int64(nanoseconds / 1_000_000))
            if exceeds { return (whole < 0 ? .min : .max, true) }
            return (sum, sum == .min || sum == .max)
        }
    }
#endif
