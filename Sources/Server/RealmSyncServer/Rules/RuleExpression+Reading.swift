// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// Reads an expression of a file of rules. `place` names the role and the member for errors.
    struct RuleExpressionReader {
        let place: String
        /// Whether the expression can have conditions on fields, as in document filters.
        let allowsFields: Bool

        /// A filter becomes a query with twice as many levels, and the parser of queries has a limit of 64.
        static let maximumDepth = 20

        func expression(_ json: JSON, depth: Int = 1) throws(ConfigurationError) -> RuleExpression {
            if let value = json.bool { return .constant(value) }
            guard let members = json.members else {
                throw error("an expression is true, false or an object, not \(excerpt(json))")
            }
            try check(depth)
            var parts: [RuleExpression] = []
            for member in members { parts.append(try part(member.name, member.value, depth)) }
            return parts.count == 1 ? parts[0] : .all(parts)
        }

        private func part(_ name: String, _ value: JSON, _ depth: Int) throws(ConfigurationError) -> RuleExpression {
            switch RuleExpressionReader.operation(name) {
            case "and"?: return .all(try expressions(value, of: name, depth))
            case "or"?: return .any(try expressions(value, of: name, depth))
            case "nor"?: return .not(.any(try expressions(value, of: name, depth)))
            case "not"?: return .not(try expression(value, depth: depth + 1))
            case let operation?: throw error("'\(operation)' isn't one of the operators and, or, nor, not")
            case nil: return try condition(try subject(name), value, depth + 1)
            }
        }

        private func expressions(
            _ json: JSON, of name: String, _ depth: Int
        ) throws(ConfigurationError) -> [RuleExpression] {
            guard let elements = json.elements, !elements.isEmpty else {
                throw error("'\(name)' isn't an array of expressions")
            }
            var expressions: [RuleExpression] = []
            for element in elements { expressions.append(try expression(element, depth: depth + 1)) }
            return expressions
        }

        private func subject(_ name: String) throws(ConfigurationError) -> RuleExpression.Subject {
            if name.hasPrefix("%%") { return .value(try expansion(name)) }
            guard allowsFields else {
                throw error(
                    "'\(name)' is a field; only members of %%user and %%request can be used, because no document is read"
                )
            }
            let steps = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
            guard steps.allSatisfy({ !$0.isEmpty && Int($0) == nil && !"$%".contains($0.first ?? "$") }) else {
                throw error("'\(name)' isn't the name of a field")
            }
            return .field(steps)
        }

        // MARK: Conditions

        private func condition(
            _ subject: RuleExpression.Subject, _ json: JSON, _ depth: Int
        ) throws(ConfigurationError) -> RuleExpression {
            guard let members = json.members, let first = members.first,
                let operation = RuleExpressionReader.operation(first.name), !isValue(first.name, operation)
            else { return .test(subject, .compare(.equal, try scalar(json))) }
            try check(depth)
            var parts: [RuleExpression] = []
            for member in members { parts.append(try test(subject, member.name, member.value, depth)) }
            return parts.count == 1 ? parts[0] : .all(parts)
        }

        private func test(
            _ subject: RuleExpression.Subject, _ name: String, _ value: JSON, _ depth: Int
        ) throws(ConfigurationError) -> RuleExpression {
            switch RuleExpressionReader.operation(name) {
            case "ne"?: return .not(.test(subject, .compare(.equal, try scalar(value))))
            case "in"?: return .test(subject, .oneOf(try array(value, of: name)))
            case "nin"?: return .not(.test(subject, .oneOf(try array(value, of: name))))
            case "exists"?:
                guard let exists = value.bool else { throw error("'\(name)' is true or false") }
                return exists ? .test(subject, .exists) : .not(.test(subject, .exists))
            case "not"?: return .not(try condition(subject, value, depth + 1))
            case let operation?:
                guard let comparison = RuleExpression.Comparison(rawValue: operation) else { break }
                let operand = try scalar(value)
                if comparison != .equal, case .literal(let value) = operand, !value.hasOrder {
                    throw error("'\(name)' compares numbers, texts, dates and ids, not \(excerpt(value.json))")
                }
                return .test(subject, .compare(comparison, operand))
            case nil: break
            }
            throw error(
                "'\(name)' isn't one of the operators eq, ne, gt, gte, lt, lte, in, nin, exists, not")
        }

        // MARK: Operands

        private func array(_ json: JSON, of name: String) throws(ConfigurationError) -> RuleExpression.Operand {
            if let elements = json.elements {
                var operands: [RuleExpression.Operand] = []
                for element in elements { operands.append(try scalar(element)) }
                return .array(operands)
            }
            let operand = try self.operand(json)
            if case .literal = operand {
                throw error("'\(name)' has an array of values, or a member of %%user or %%request")
            }
            return operand
        }

        private func scalar(_ json: JSON) throws(ConfigurationError) -> RuleExpression.Operand {
            let operand = try self.operand(json)
            if case .literal(let value) = operand, value.scalar == nil {
                throw error("\(excerpt(json)) isn't the value of a property")
            }
            return operand
        }

        private func operand(_ json: JSON) throws(ConfigurationError) -> RuleExpression.Operand {
            if let text = json.text, text.hasPrefix("%%") { return try expansion(text) }
            if let member = json.members?.first, json.members?.count == 1, member.name.hasPrefix("%") {
                guard let name = RuleExpressionReader.operation(member.name),
                    let conversion = RuleExpression.Conversion(rawValue: name)
                else { throw error("'\(member.name)' isn't a conversion such as %stringToOid") }
                return .converted(conversion, try converted(member.value))
            }
            guard let value = ExtendedJSON(json) else { throw error("\(excerpt(json)) isn't a value") }
            return .literal(value)
        }

        /// A conversion isn't nested.
        private func converted(_ json: JSON) throws(ConfigurationError) -> RuleExpression.Operand {
            guard let text = json.text else { throw error("a conversion has a text or a member of %%user") }
            return text.hasPrefix("%%") ? try expansion(text) : .literal(.string(text))
        }

        private func expansion(_ text: String) throws(ConfigurationError) -> RuleExpression.Operand {
            if text == "%%true" || text == "%%false" { return .literal(.bool(text == "%%true")) }
            var steps = text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
            guard let known = RuleExpressionReader.expansions.first(where: { $0.name == steps[0] }) else {
                throw error("'\(text)' isn't available to rules; %%user, %%request, %%true and %%false are")
            }
            guard steps.count > 1, known.members.contains(steps[1]), steps.allSatisfy({ !$0.isEmpty }) else {
                throw error("'\(text)' isn't a member of %%\(known.name): \(known.members.joined(separator: ", "))")
            }
            // Names of headers have no case.
            if steps.count > 2, steps[1] == "requestHeaders" { steps[2] = steps[2].lowercased() }
            return .member(steps)
        }

        private static let expansions = [
            (name: "user", members: ["id", "type", "data", "custom_data", "identities"]),
            (name: "request", members: ["remoteIPAddress", "httpUserAgent", "httpReferrer", "requestHeaders"]),
        ]

        // MARK: Names and errors

        /// Returns the name without its `$` or `%`, or `nil` if it's the name of a field or an expansion.
        private static func operation(_ name: String) -> String? {
            guard name.hasPrefix("$") || name.hasPrefix("%") && !name.hasPrefix("%%") else { return nil }
            return String(name.dropFirst())
        }

        /// Whether the only member of an object makes it a value: a conversion, or Extended JSON such as `$oid`.
        private func isValue(_ name: String, _ operation: String) -> Bool {
            RuleExpression.Conversion(rawValue: operation) != nil || name.hasPrefix("$") && ExtendedJSON.isType(name)
        }

        private func check(_ depth: Int) throws(ConfigurationError) {
            guard depth <= RuleExpressionReader.maximumDepth else {
                throw error("it has more than \(RuleExpressionReader.maximumDepth) levels")
            }
        }

        private func error(_ message: String) -> ConfigurationError { ConfigurationError("\(place): \(message)") }

        private func excerpt(_ json: JSON) -> String {
            let text = json.description
            return text.utf8.count <= 100 ? text : text.prefix(80) + "…"
        }
    }

    extension ExtendedJSON {
        fileprivate var hasOrder: Bool {
            switch self {
            case .null, .bool, .regularExpression, .timestamp, .minKey, .maxKey, .array, .document: false
            case .int32, .int64, .double, .string, .binary, .objectId, .date, .decimal: true
            }
        }
    }
#endif
