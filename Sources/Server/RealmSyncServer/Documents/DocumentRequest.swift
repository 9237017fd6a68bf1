// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The argument of a call: a document with the names of the database and the collection.
    struct DocumentRequest: Sendable {
        let database: String
        /// The class of the documents.
        let collection: String
        private let members: [ExtendedJSON.Member]

        /// - Throws: `ServiceRefusal` if the argument isn't a document with both names.
        init(_ arguments: JSON) throws {
            guard let elements = arguments.elements, elements.count == 1,
                case .document(let members)? = ExtendedJSON(elements[0])
            else { throw ServiceRefusal(.invalid, "the argument has to be one document of Extended JSON") }
            self.members = members
            func name(_ name: String) throws -> String {
                guard case .string(let text)? = members.last(where: { $0.name == name })?.value else {
                    throw ServiceRefusal(.missing, "'\(name)' is missing or of another type")
                }
                return text
            }
            (database, collection) = (try name("database"), try name("collection"))
        }

        /// Returns the value of the first name that occurs, unless it's null.
        private func value(_ names: [String]) -> ExtendedJSON? {
            for name in names {
                if let value = members.last(where: { $0.name == name })?.value, value != .null { return value }
            }
            return nil
        }

        /// Returns an empty document if the member is missing.
        func document(_ names: String...) throws -> [ExtendedJSON.Member] { try optionalDocument(names) ?? [] }

        func requiredDocument(_ name: String) throws -> [ExtendedJSON.Member] {
            guard let document = try optionalDocument([name]) else {
                throw ServiceRefusal(.missing, "'\(name)' is missing or of another type")
            }
            return document
        }

        func optionalDocument(_ names: [String]) throws -> [ExtendedJSON.Member]? {
            guard let value = value(names) else { return nil }
            guard case .document(let members) = value else {
                throw ServiceRefusal(.invalid, "'\(names[0])' has to be a document")
            }
            return members
        }

        func array(_ name: String) throws -> [ExtendedJSON]? {
            guard let value = value([name]) else { return nil }
            guard case .array(let elements) = value else {
                throw ServiceRefusal(.invalid, "'\(name)' has to be an array")
            }
            return elements
        }

        func flag(_ name: String) throws -> Bool {
            guard let value = value([name]) else { return false }
            guard case .bool(let flag) = value else {
                throw ServiceRefusal(.invalid, "'\(name)' has to be a Boolean value")
            }
            return flag
        }

        /// Returns `nil` for all documents, which is also the meaning of 0.
        func limit() throws -> Int? {
            guard let value = value(["limit"]) else { return nil }
            guard let limit = value.number, limit >= 0 else {
                throw ServiceRefusal(.invalid, "'limit' has to be an integer from 0")
            }
            return limit == 0 ? nil : Int(clamping: limit)
        }

        func projection() throws -> Projection? {
            try optionalDocument(["project", "projection"]).map(Projection.init)
        }
    }
#endif
