// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// An update of documents: operators, or a replacement.
    struct DocumentUpdate: Sendable {
        private struct Operation: Sendable {
            let name: String
            let path: [String]
            let value: ExtendedJSON

            var field: String { path.joined(separator: ".") }
        }

        private var operations: [Operation] = []
        /// The new fields except `_id`, or `nil` for operators.
        private(set) var replacement: [ExtendedJSON.Member]?

        private static let names: Set = [
            "$set", "$unset", "$inc", "$mul", "$min", "$max", "$push", "$pull", "$addToSet", "$setOnInsert",
        ]
        private static let maximumStepCount = 50
        /// A document is searched for each field.
        private static let maximumFieldCount = 1000

        /// - Throws: `ServiceRefusal` that names the first unsupported operator.
        init(_ members: [ExtendedJSON.Member]) throws {
            guard members.first?.name.hasPrefix("$") == true else {
                if let name = members.first(where: { $0.name.hasPrefix("$") })?.name {
                    throw ServiceRefusal(.invalid, "an update can't have both fields and the operator '\(name)'")
                }
                replacement = members
                return
            }
            var (whole, prefixes): (Set<[ByteText]>, Set<[ByteText]>) = ([], [])
            for member in members {
                guard DocumentUpdate.names.contains(member.name) else {
                    throw ServiceRefusal(.invalid, "the update operator '\(member.name)' isn't supported")
                }
                guard case .document(let fields) = member.value else {
                    throw ServiceRefusal(.invalid, "'\(member.name)' needs a document")
                }
                for field in fields {
                    let path = field.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                    guard path.count <= DocumentUpdate.maximumStepCount,
                        path.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("$") })
                    else { throw ServiceRefusal(.invalid, "the field '\(field.name)' can't be updated") }
                    let names = path.map { ByteText($0) }
                    let starts = (1..<names.count).map { Array(names[..<$0]) }
                    guard !prefixes.contains(names), whole.insert(names).inserted, whole.isDisjoint(with: starts) else {
                        throw ServiceRefusal(.invalid, "two operators update the field '\(field.name)'")
                    }
                    prefixes.formUnion(starts)
                    guard operations.count < DocumentUpdate.maximumFieldCount else {
                        throw ServiceRefusal(
                            .invalid, "an update changes more than \(DocumentUpdate.maximumFieldCount) fields")
                    }
                    operations.append(Operation(name: member.name, path: path, value: field.value))
                }
            }
        }

        /// The result of an update.
        struct Outcome {
            var document: [ExtendedJSON.Member]
            /// Additions to integers of top-level fields, which merge with those of clients. `document` contains the
            /// sums.
            var increments: [ByteText: Int64] = [:]
        }

        /// - Parameter isInsert: Whether the document is new (`upsert`).
        func apply(to document: [ExtendedJSON.Member], isInsert: Bool = false) throws -> Outcome {
            if let replacement {
                let key = document.filter { $0.name == "_id" }
                return Outcome(document: key + replacement.filter { $0.name != "_id" })
            }
            var outcome = Outcome(document: document)
            for operation in operations where isInsert || operation.name != "$setOnInsert" {
                let new = try changed(.document(outcome.document), operation.path[...], operation) { value in
                    try apply(operation, to: value)
                }
                guard case .document(let members)? = new else { continue }
                if operation.name == "$inc", operation.path.count == 1, let amount = operation.value.number,
                    document.first(where: { $0.name == operation.path[0] })?.value.isInteger == true
                {
                    outcome.increments[ByteText(operation.path[0])] = amount
                }
                outcome.document = members
            }
            return outcome
        }

        /// The `_id` in a replacement or a `$set`, which must not change.
        var newKey: ExtendedJSON? {
            if let replacement { return replacement.last { $0.name == "_id" }?.value }
            return operations.last { $0.path == ["_id"] && $0.name != "$setOnInsert" }?.value
        }

        /// The top-level fields that the update mentions.
        var fields: Set<ByteText> {
            Set((replacement?.map(\.name) ?? operations.map { $0.path[0] }).map { ByteText($0) })
        }

        // MARK: Paths

        /// Returns `value` after a change at a path inside it.
        private func changed(
            _ value: ExtendedJSON?, _ path: ArraySlice<String>, _ operation: Operation,
            _ body: (ExtendedJSON?) throws -> ExtendedJSON?
        ) throws -> ExtendedJSON? {
            guard let step = path.first else { return try body(value) }
            let rest = path.dropFirst()
            switch value {
            case nil, .null:
                // Nothing is removed from a missing document.
                guard let inner = try changed(nil, rest, operation, body) else { return value }
                return .document([ExtendedJSON.Member(step, inner)])
            case .document(var members):
                let index = members.firstIndex { $0.name.isIdentical(to: step) }
                let inner = try changed(index.map { members[$0].value }, rest, operation, body)
                switch (index, inner) {
                case (let index?, let inner?): members[index].value = inner
                case (let index?, nil): members.remove(at: index)
                case (nil, let inner?): members.append(ExtendedJSON.Member(step, inner))
                case (nil, nil): break
                }
                return .document(members)
            case .array(var elements):
                guard let index = Int(step), elements.indices.contains(index) || index == elements.count else {
                    throw refusal(operation, "'\(step)' isn't an index of the array")
                }
                let inner = try changed(index < elements.count ? elements[index] : nil, rest, operation, body) ?? .null
                if index < elements.count { elements[index] = inner } else { elements.append(inner) }
                return .array(elements)
            default: throw refusal(operation, "the value before '\(step)' isn't a document")
            }
        }

        // MARK: Operators

        private func apply(_ operation: Operation, to value: ExtendedJSON?) throws -> ExtendedJSON? {
            switch operation.name {
            case "$set", "$setOnInsert": return operation.value
            case "$unset": return nil
            case "$inc": return try combined(value, operation, 0, { $0.addingReportingOverflow($1) }, +)
            case "$mul": return try combined(value, operation, 0, { $0.multipliedReportingOverflow(by: $1) }, *)
            case "$min", "$max":
                guard let value, value != .null else { return operation.value }
                guard let order = ValueOrder.compare(operation.value, value) else {
                    throw refusal(operation, "the values have different types")
                }
                return (operation.name == "$min" ? order < 0 : order > 0) ? operation.value : value
            case "$push": return .array(try elements(value, operation) + additions(operation))
            case "$addToSet":
                var elements = try elements(value, operation)
                var present = Set(elements.map(\.comparable))
                for addition in try additions(operation) where present.insert(addition.comparable).inserted {
                    elements.append(addition)
                }
                return .array(elements)
            default:
                guard let value, value != .null else { return value }
                let test = try ElementTest(operation.value)
                return .array(try elements(value, operation).filter { !test.matches($0) })
            }
        }

        private func combined(
            _ value: ExtendedJSON?, _ operation: Operation, _ initial: Int64,
            _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool), _ doubles: (Double, Double) -> Double
        ) throws -> ExtendedJSON {
            let old = value == nil || value == .null ? .int64(initial) : value ?? .null
            if old.isInteger, operation.value.isInteger, let a = old.number, let b = operation.value.number {
                let (result, overflows) = integers(a, b)
                guard !overflows else { throw refusal(operation, "the result is too large") }
                return .int64(result)
            }
            guard let a = old.double, let b = operation.value.double else {
                throw refusal(operation, "the values must be integers or doubles")
            }
            return .double(doubles(a, b))
        }

        private func elements(_ value: ExtendedJSON?, _ operation: Operation) throws -> [ExtendedJSON] {
            switch value {
            case nil, .null: return []
            case .array(let elements): return elements
            default: throw refusal(operation, "the field isn't an array")
            }
        }

        private func additions(_ operation: Operation) throws -> [ExtendedJSON] {
            guard case .document(let members) = operation.value, members.first?.name == "$each" else {
                return [operation.value]
            }
            guard members.count == 1, case .array(let elements) = members[0].value else {
                let name = members.count > 1 ? members[1].name : "$each"
                throw refusal(operation, "'\(name)' isn't supported")
            }
            return elements
        }

        private func refusal(_ operation: Operation, _ reason: String) -> ServiceRefusal {
            ServiceRefusal(.invalid, "'\(operation.name)' of '\(operation.field)': \(reason)")
        }

        /// The elements that `$pull` removes.
        private struct ElementTest {
            private var tests: [(operation: String, limit: ExtendedJSON, values: Set<ExtendedJSON>)] = []

            init(_ condition: ExtendedJSON) throws {
                guard case .document(let members) = condition, members.first?.name.hasPrefix("$") == true else {
                    tests = [("$eq", condition, [condition.comparable])]
                    return
                }
                for member in members {
                    switch (member.name, member.value) {
                    case ("$in", .array(let elements)), ("$nin", .array(let elements)):
                        tests.append((member.name, .null, Set(elements.map(\.comparable))))
                    case ("$eq", _), ("$ne", _), ("$gt", _), ("$gte", _), ("$lt", _), ("$lte", _):
                        tests.append((member.name, member.value, [member.value.comparable]))
                    default: throw ServiceRefusal(.invalid, "'\(member.name)' isn't supported in '$pull'")
                    }
                }
            }

            func matches(_ element: ExtendedJSON) -> Bool {
                tests.allSatisfy { operation, limit, values in
                    let order = ValueOrder.compare(element, limit)
                    switch operation {
                    case "$gt": return order.map { $0 > 0 } ?? false
                    case "$gte": return order.map { $0 >= 0 } ?? false
                    case "$lt": return order.map { $0 < 0 } ?? false
                    case "$lte": return order.map { $0 <= 0 } ?? false
                    default:
                        return values.contains(element.comparable) == (operation == "$in" || operation == "$eq")
                    }
                }
            }
        }
    }

    /// The order of values of one kind.
    enum ValueOrder {
        /// Returns `nil` for values of different kinds, and for those without an order.
        static func compare(_ a: ExtendedJSON, _ b: ExtendedJSON) -> Int? {
            switch (a, b) {
            case (.bool(let a), .bool(let b)): return a == b ? 0 : a ? 1 : -1
            case (.string(let a), .string(let b)): return ByteOrder.compare(a, b)
            case (.date(let a), .date(let b)): return a == b ? 0 : a < b ? -1 : 1
            case (.objectId(let a), .objectId(let b)): return a == b ? 0 : a < b ? -1 : 1
            default:
                guard let a = a.stored, let b = b.stored else { return nil }
                return StoredValue.compare(a, b)
            }
        }
    }

    extension ExtendedJSON {
        var isInteger: Bool {
            switch self {
            case .int32, .int64: true
            default: false
            }
        }

        /// A form in which equal numbers of different types are equal.
        fileprivate var comparable: ExtendedJSON {
            switch self {
            case .int32, .int64, .double: number.map { .int64($0) } ?? self
            case .array(let elements): .array(elements.map(\.comparable))
            case .document(let members): .document(members.map { Member($0.name, $0.value.comparable) })
            default: self
            }
        }

        fileprivate var double: Double? {
            switch self {
            case .int32(let number): Double(number)
            case .int64(let number): Double(number)
            case .double(let number): number
            default: nil
            }
        }

        /// The number.
        fileprivate var stored: StoredValue? {
            switch self {
            case .int32(let number): .int(Int64(number))
            case .int64(let number): .int(number)
            case .double(let number): .double(number)
            case .decimal(let number): .decimal(number)
            default: nil
            }
        }
    }
#endif
