// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// One role of a class.
    struct Role: Sendable {
        private struct Field: Sendable {
            let read: RuleExpression?
            let write: RuleExpression?
        }

        private let applies: RuleExpression
        private let readFilter: RuleExpression
        private let writeFilter: RuleExpression
        private let insert: RuleExpression
        private let delete: RuleExpression
        /// Decides for all fields; `nil` if `fields` and `others` decide.
        private let document: Field
        private var fields: [(name: Text, rule: Field)] = []
        private let others: Field

        init(_ json: JSON, _ place: String) throws {
            let members = try Members(
                json, place,
                known: [
                    "name", "apply_when", "document_filters", "insert", "delete", "read", "write", "search", "fields",
                    "additional_fields",
                ])
            _ = try members.text("name")
            guard let json = members["apply_when"] else { throw ConfigurationError("\(place) has no 'apply_when'") }
            applies = try Role.expression(json, "\(place): 'apply_when'")
            (readFilter, writeFilter) = try Role.filters(members["document_filters"], place)
            insert = try Role.expression(members["insert"], "\(place): 'insert'") ?? .constant(false)
            delete = try Role.expression(members["delete"], "\(place): 'delete'") ?? .constant(false)
            document = try Role.field(members, place)
            // The member is for searches, which the server does not have.
            _ = try Role.expression(members["search"], "\(place): 'search'")
            others =
                try members["additional_fields"].map {
                    let place = "\(place): 'additional_fields'"
                    return try Role.field(try Members($0, place, known: ["read", "write"]), place)
                } ?? Field(read: nil, write: nil)
            guard let json = members["fields"] else { return }
            guard let members = json.members else { throw ConfigurationError("\(place): 'fields' isn't an object") }
            for member in members {
                let place = "\(place): field '\(member.name)'"
                let rule = try Members(member.value, place, known: ["read", "write"])
                fields.append((Text(member.name), try Role.field(rule, place)))
            }
        }

        private static func filters(
            _ json: JSON?, _ place: String
        ) throws -> (read: RuleExpression, write: RuleExpression) {
            guard let json else { return (.constant(true), .constant(true)) }
            let members = try Members(json, "\(place): 'document_filters'", known: ["read", "write"])
            func filter(_ name: String) throws -> RuleExpression {
                guard let json = members[name] else { return .constant(false) }
                let place = "\(place): '\(name)' of 'document_filters'"
                return try RuleExpressionReader(place: place, allowsFields: true).expression(json)
            }
            return (try filter("read"), try filter("write"))
        }

        private static func field(_ members: Members, _ place: String) throws -> Field {
            Field(
                read: try expression(members["read"], "\(place): 'read'"),
                write: try expression(members["write"], "\(place): 'write'"))
        }

        private static func expression(_ json: JSON?, _ place: String) throws -> RuleExpression? {
            try json.map { try expression($0, place) }
        }

        private static func expression(_ json: JSON, _ place: String) throws -> RuleExpression {
            try RuleExpressionReader(place: place, allowsFields: false).expression(json)
        }
    }

    extension Role {
        /// Returns the access that the first suitable role grants to a user.
        static func access(_ roles: [Role], _ user: UserValues) -> DocumentAccess.OnClass {
            roles.first { $0.applies.isSatisfied(by: user) }?.access(user) ?? .none
        }

        private func access(_ user: UserValues) -> DocumentAccess.OnClass {
            var access = DocumentAccess.OnClass.none
            let write = writeFilter.predicate(for: user)
            let writable = selection(user, \.write)
            access.writableFields = DocumentAccess.Fields(writable)
            access.write = DocumentAccess.Documents(write)
            access.canInsert = insert.isSatisfied(by: user) && writable != .only([])
            access.canDelete = delete.isSatisfied(by: user)
            let readable = selection(user, \.read).union(writable)
            guard readable != .only([]) else { return access }
            access.readableFields = DocumentAccess.Fields(readable.addingKey)
            // A user reads what it can write.
            let canWrite = access.canDelete || writable != .only([])
            let read = readFilter.predicate(for: user)
            access.read = DocumentAccess.Documents(canWrite ? .simplified(any: [read, write]) : read)
            return access
        }

        private func selection(_ user: UserValues, _ right: KeyPath<Field, RuleExpression?>) -> FieldSelection {
            if let expression = document[keyPath: right] {
                return expression.isSatisfied(by: user) ? .all : .only([])
            }
            func isGranted(_ field: Field) -> Bool { field[keyPath: right]?.isSatisfied(by: user) ?? false }
            let granted = Set(fields.filter { isGranted($0.rule) }.map(\.name))
            return isGranted(others) ? .allBut(Set(fields.map(\.name)).subtracting(granted)) : .only(granted)
        }
    }

    extension FieldSelection {
        fileprivate func union(_ other: FieldSelection) -> FieldSelection {
            switch (self, other) {
            case (.all, _), (_, .all): .all
            case (.only(let a), .only(let b)): .only(a.union(b))
            case (.allBut(let a), .allBut(let b)): .allBut(a.intersection(b))
            case (.allBut(let a), .only(let b)), (.only(let b), .allBut(let a)): .allBut(a.subtracting(b))
            }
        }

        /// With the primary key, by which documents are sent.
        fileprivate var addingKey: FieldSelection { union(.only(["_id"])) }
    }

    extension DocumentAccess.Fields {
        fileprivate init(_ fields: FieldSelection) {
            func texts(_ names: Set<Text>) -> [String] { names.sorted().map(\.string) }
            switch fields {
            case .all: self = .all
            case .only(let names): self = .only(texts(names))
            case .allBut(let names): self = .allBut(texts(names))
            }
        }
    }

    extension DocumentAccess.Documents {
        fileprivate init(_ predicate: Predicate) {
            switch predicate {
            case .constant(let value): self = value ? .all : .none
            case .comparison, .and, .or, .not: self = .matching(predicate.description)
            }
        }
    }
#endif
