// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// Translates filters of MongoDB's query language to predicates of the query engine.
    ///
    /// Comparisons have MongoDB's semantics: a value is only compared with values of its own kind (all numbers are one
    /// kind), and a collection satisfies a comparison if one of its elements does.
    struct FilterTranslator {
        private let source: any TableSource
        /// A field outside of these is missing from all documents.
        private let fields: FieldSelection

        init(_ source: any TableSource, fields: FieldSelection = .all) {
            (self.source, self.fields) = (source, fields)
        }

        /// The nesting of a compiled predicate is limited too.
        private static let maximumDepth = QueryLimits.depth / 2

        /// - Throws: `ServiceRefusal` that names the first unsupported operator or field.
        func predicate(_ filter: [ExtendedJSON.Member], of table: Table) throws -> Predicate {
            try predicate(filter, table, 0)
        }

        private func predicate(
            _ filter: [ExtendedJSON.Member], _ table: Table, _ depth: Int
        ) throws -> Predicate {
            guard depth < FilterTranslator.maximumDepth else { throw refusal("a filter has too many levels") }
            return .all(
                try filter.map { member in
                    guard member.name.hasPrefix("$") else {
                        let isElement = depth > 0 && table.isEmbedded
                        let field = try FilterField(
                            member.name, of: table, in: source, fields: isElement ? .all : fields)
                        return try conditions(field, member.value, depth)
                    }
                    let parts = try alternatives(member, table, depth)
                    switch member.name {
                    case "$and": return .all(parts)
                    case "$or": return .any(parts)
                    case "$nor": return .not(.any(parts))
                    default: throw unsupported(member.name)
                    }
                })
        }

        private func alternatives(
            _ member: ExtendedJSON.Member, _ table: Table, _ depth: Int
        ) throws -> [Predicate] {
            guard ["$and", "$or", "$nor"].contains(member.name) else { throw unsupported(member.name) }
            guard case .array(let elements) = member.value, !elements.isEmpty else {
                throw refusal("'\(member.name)' needs an array of filters")
            }
            return try elements.map { element in
                guard case .document(let members) = element else {
                    throw refusal("'\(member.name)' needs an array of filters")
                }
                return try predicate(members, table, depth + 1)
            }
        }

        private func conditions(_ field: FilterField, _ value: ExtendedJSON, _ depth: Int) throws -> Predicate {
            guard case .document(let members) = value, members.first?.name.hasPrefix("$") == true else {
                return try equal(field, value)
            }
            if members[0].name == "$ref" { throw refusal("'\(field.name)' can't be compared with a link") }
            return try operators(field, members, depth)
        }

        private func operators(
            _ field: FilterField, _ members: [ExtendedJSON.Member], _ depth: Int
        ) throws -> Predicate {
            guard depth < FilterTranslator.maximumDepth else { throw refusal("a filter has too many levels") }
            let options = members.first { $0.name == "$options" }?.value
            return .all(
                try members.compactMap { member in
                    switch member.name {
                    case "$eq": try equal(field, member.value)
                    case "$ne": .not(try equal(field, member.value))
                    case "$gt": try ordered(field, .greater, member.value)
                    case "$gte": try ordered(field, .greaterOrEqual, member.value)
                    case "$lt": try ordered(field, .less, member.value)
                    case "$lte": try ordered(field, .lessOrEqual, member.value)
                    case "$in": try oneOf(field, member)
                    case "$nin": .not(try oneOf(field, member))
                    case "$all": .all(try array(member).map { try equal(field, $0) })
                    case "$exists": try exists(field, member.value)
                    case "$size": try size(field, member.value)
                    case "$elemMatch": try elementMatch(field, member.value, depth + 1)
                    case "$regex": try pattern(field, member.value, options)
                    case "$options" where members.contains { $0.name == "$regex" }: nil
                    case "$not": try negated(field, member.value, depth + 1)
                    default: throw unsupported(member.name)
                    }
                })
        }

        private func negated(_ field: FilterField, _ value: ExtendedJSON, _ depth: Int) throws -> Predicate {
            switch value {
            case .document(let members) where !members.isEmpty: .not(try operators(field, members, depth))
            case .regularExpression: .not(try equal(field, value))
            default: throw refusal("'$not' needs operators or a regular expression")
            }
        }

        private func array(_ member: ExtendedJSON.Member) throws -> [ExtendedJSON] {
            guard case .array(let elements) = member.value else { throw refusal("'\(member.name)' needs an array") }
            return elements
        }

        // MARK: Equality

        private func equal(_ field: FilterField, _ value: ExtendedJSON) throws -> Predicate {
            switch value {
            case .null: return try null(field)
            case .array(let elements): return try equal(field, elements)
            case .document: throw refusal("'\(field.name)' can't be compared with a document; compare its fields")
            case .regularExpression(let pattern, let options):
                return try self.pattern(field, .string(pattern), .string(options))
            default: break
            }
            guard let constant = try constant(value, field) else { return .constant(false) }
            return .compare(field.comparedPath, .equal, constant)
        }

        /// A missing field equals null.
        private func null(_ field: FilterField) throws -> Predicate {
            switch field.kind {
            case .missing: return .constant(true)
            case .value(let column), .link(let column, _), .object(let column, _):
                if column.key.isDictionary || column.type == .link && column.key.isCollection {
                    return .constant(false)
                }
                let isNull = Predicate.compare(field.path, .equal, .null)
                guard column.key.isCollection, !field.owner.steps.isEmpty, !field.isToMany else { return isNull }
                // The collections of an embedded object that doesn't exist have no elements to compare.
                return .any([isNull, .compare(field.owner, .equal, .null)])
            case .key:
                if field.isDictionaryKey { return .compare(field.path, .equal, .null) }
                // Inside a mixed value, a missing key leads to no value.
                return .not(.compare(field.path, .notEqual, .null))
            }
        }

        private func equal(_ field: FilterField, _ elements: [ExtendedJSON]) throws -> Predicate {
            guard case .value(let column) = field.kind, column.key.isList || column.key.isSet, !field.isToMany else {
                if case .value(let column) = field.kind, column.type != .mixed { return .constant(false) }
                if case .missing = field.kind { return .constant(false) }
                throw refusal("'\(field.name)' can't be compared with an array")
            }
            guard !elements.isEmpty else { return count(field.path, .equal, 0) }
            var values: [StoredValue] = []
            for element in elements {
                if element == .null {
                    values.append(.null)
                } else if let constant = try constant(element, field) {
                    values.append(constant)
                } else {
                    return .constant(false)
                }
            }
            return .comparison(Comparison(.path(field.path), .equal, .values(values)))
        }

        private func count(_ path: PropertyPath, _ operation: ComparisonOperator, _ count: Int64) -> Predicate {
            .compare(PropertyPath(path.steps + [.operation(.count)]), operation, .int(count))
        }

        private func oneOf(_ field: FilterField, _ member: ExtendedJSON.Member) throws -> Predicate {
            var constants: [StoredValue] = []
            var others: [Predicate] = []
            for value in try array(member) {
                switch value {
                case .null, .array, .document, .regularExpression: others.append(try equal(field, value))
                default: if let constant = try constant(value, field) { constants.append(constant) }
                }
            }
            guard !constants.isEmpty else { return .any(others) }
            return .any(others + [.comparison(Comparison(.path(field.comparedPath), .in, .values(constants)))])
        }

        // MARK: Order

        private func ordered(
            _ field: FilterField, _ operation: ComparisonOperator, _ value: ExtendedJSON
        ) throws -> Predicate {
            let includesEqual = operation == .greaterOrEqual || operation == .lessOrEqual
            switch value {
            case .null: return includesEqual ? try null(field) : .constant(false)
            case .array, .document, .regularExpression:
                throw refusal("'\(field.name)' has no order with an array, a document or a regular expression")
            default: break
            }
            guard let constant = try constant(value, field) else { return .constant(false) }
            switch constant {
            case .bool(let limit):
                let values = [false, true].filter { candidate in
                    switch operation {
                    case .greater: candidate && !limit
                    case .less: !candidate && limit
                    case .greaterOrEqual: candidate || !limit
                    default: !candidate || limit
                    }
                }
                return .any(values.map { .compare(field.comparedPath, .equal, .bool($0)) })
            case .binary: throw refusal("binary data has no order: '\(field.name)'")
            case .double(let number) where number.isNaN:
                return includesEqual ? .compare(field.comparedPath, .equal, constant) : .constant(false)
            default: return .compare(field.comparedPath, operation, constant)
            }
        }

        // MARK: Fields and collections

        private func exists(_ field: FilterField, _ value: ExtendedJSON) throws -> Predicate {
            let isWanted: Bool
            switch value {
            case .bool(let value): isWanted = value
            case .int32(let number): isWanted = number != 0
            case .int64(let number): isWanted = number != 0
            default: throw refusal("'$exists' needs a Boolean value")
            }
            let exists = try isThere(field)
            return isWanted ? exists : .not(exists)
        }

        /// All documents of a class have all of its fields.
        private func isThere(_ field: FilterField) throws -> Predicate {
            switch field.kind {
            case .missing: return .constant(false)
            case .key:
                guard case .subscript(.key(let key))? = field.path.steps.last,
                    field.isDictionaryKey
                else { throw refusal("'$exists' isn't supported inside a mixed value: '\(field.name)'") }
                return .compare(
                    PropertyPath(field.owner.steps + [.operation(.allKeys)]), .equal, .string(key), quantifier: .any)
            case .value, .link, .object:
                if field.owner.steps.isEmpty { return .constant(true) }
                return field.isToMany ? count(field.owner, .greater, 0) : .compare(field.owner, .notEqual, .null)
            }
        }

        private func size(_ field: FilterField, _ value: ExtendedJSON) throws -> Predicate {
            let size: Int64
            switch value {
            case .int32(let number): size = Int64(number)
            case .int64(let number): size = number
            default: throw refusal("'$size' needs an integer")
            }
            guard let column = field.column, column.key.isList || column.key.isSet, !field.isToMany else {
                if field.column?.type == .mixed { throw refusal("'$size' isn't supported for mixed values") }
                if field.isToMany { throw refusal("'$size' isn't supported inside a list: '\(field.name)'") }
                return .constant(false)
            }
            return count(field.path, .equal, size)
        }

        private func elementMatch(_ field: FilterField, _ value: ExtendedJSON, _ depth: Int) throws -> Predicate {
            guard case .document(let members) = value, !members.isEmpty else {
                throw refusal("'$elemMatch' needs a document")
            }
            switch field.kind {
            case .object(let column, let target) where column.key.isList && !field.isToMany:
                guard let table = try source.table(target) else { return .constant(false) }
                let condition = try predicate(members, table, depth)
                return .comparison(
                    Comparison(
                        .subqueryCount(field.path, variable: "$element", condition), .greater, .value(.int(0))))
            case .value(let column) where (column.key.isList || column.key.isSet) && column.type != .mixed:
                guard members.count == 1, members[0].name.hasPrefix("$") else {
                    throw refusal("'$elemMatch' of values supports one operator: '\(field.name)'")
                }
                guard !["$ne", "$nin", "$not"].contains(members[0].name) else {
                    throw refusal("'\(members[0].name)' isn't supported in '$elemMatch' of values")
                }
                return try operators(field, members, depth)
            case .missing: return .constant(false)
            default: throw refusal("'$elemMatch' isn't supported for '\(field.name)'")
            }
        }

        // MARK: Patterns

        /// Regular expressions without special characters, except for the anchors `^` and `$`. Others could take
        /// exponential time.
        private func pattern(
            _ field: FilterField, _ value: ExtendedJSON, _ options: ExtendedJSON?
        ) throws -> Predicate {
            let (text, letters): (String, String)
            switch (value, options) {
            case (.string(let pattern), nil): (text, letters) = (pattern, "")
            case (.string(let pattern), .string(let options)): (text, letters) = (pattern, options)
            case (.regularExpression(let pattern, let options), nil): (text, letters) = (pattern, options)
            default: throw refusal("'$regex' needs a text, and texts as its options")
            }
            guard letters.isEmpty || letters == "i" else {
                throw refusal("the regex options '\(letters)' aren't supported")
            }
            guard let pattern = LiteralPattern(text) else {
                throw refusal("the regex '\(text.prefix(100))' isn't supported: only literals between '^' and '$' are")
            }
            guard field.type == .string else {
                if field.type == .mixed { throw refusal("'$regex' isn't supported for mixed values") }
                return .constant(false)
            }
            if pattern.text.isEmpty, pattern.operation != .equal {
                return .compare(field.comparedPath, .greaterOrEqual, .string(""))
            }
            return .compare(
                field.comparedPath, pattern.operation, .string(pattern.text),
                options: letters.isEmpty ? [] : .caseInsensitive)
        }

        // MARK: Constants

        /// Returns `nil` if no value of the field can equal the constant or be ordered with it.
        private func constant(_ value: ExtendedJSON, _ field: FilterField) throws -> StoredValue? {
            let stored: StoredValue
            switch value {
            case .bool(let value): stored = .bool(value)
            case .int32(let number): stored = .int(Int64(number))
            case .int64(let number): stored = .int(number)
            case .double(let number): stored = .double(number)
            case .string(let text): stored = .string(text)
            case .binary(let bytes, ExtendedJSON.uuidSubtype) where bytes.count == UUIDBytes.byteCount:
                stored = .uuid(UUIDBytes(bytes: bytes))
            case .binary(let bytes, _): stored = .binary(bytes)
            case .objectId(let id): stored = .objectId(id)
            case .date(let milliseconds): stored = .timestamp(Timestamp(milliseconds: milliseconds))
            case .decimal(let number): stored = .decimal(number)
            case .minKey, .maxKey, .timestamp:
                throw refusal("'\(field.name)' can't be compared with the value \(value)")
            case .null, .array, .document, .regularExpression: return nil
            }
            guard let type = field.type, let own = stored.type else { return nil }
            return type == .mixed || own == type || own.isNumber && type.isNumber ? stored : nil
        }

        private func unsupported(_ name: String) -> ServiceRefusal { refusal("the operator '\(name)' isn't supported") }

        private func refusal(_ text: String) -> ServiceRefusal { ServiceRefusal(.invalid, text) }
    }

    extension ColumnType {
        fileprivate var isNumber: Bool {
            switch self {
            case .int, .float, .double, .decimal: true
            default: false
            }
        }
    }

    /// A regular expression that matches a literal.
    private struct LiteralPattern {
        let operation: ComparisonOperator
        let text: String

        init?(_ pattern: String) {
            var rest = pattern.unicodeScalars[...]
            let isStart = rest.first == "^"
            if isStart { rest.removeFirst() }
            var (text, isEnd) = (String.UnicodeScalarView(), false)
            while let character = rest.popFirst() {
                switch character {
                case "\\":
                    // Escaped letters and digits have a meaning.
                    guard let escaped = rest.popFirst(), !escaped.properties.isAlphabetic,
                        escaped.properties.numericType == nil
                    else { return nil }
                    text.append(escaped)
                case "$" where rest.isEmpty: isEnd = true
                case "$", "^", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|": return nil
                default: text.append(character)
                }
            }
            self.text = String(text)
            operation =
                switch (isStart, isEnd) {
                case (true, true): .equal
                case (true, false): .beginsWith
                case (false, true): .endsWith
                case (false, false): .contains
                }
        }
    }
#endif
