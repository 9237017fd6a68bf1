// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// Roles in a JSON file that grant users access to documents, in apps with flexible sync.
    ///
    ///     {"apps": {"chat": {
    ///         "classes": {"Message": [
    ///             {"name": "admin", "apply_when": {"%%user.custom_data.isAdmin": true},
    ///              "read": true, "write": true, "insert": true, "delete": true},
    ///             {"name": "author", "apply_when": true,
    ///              "document_filters": {"read": true, "write": {"author": "%%user.id"}},
    ///              "read": true, "write": true, "insert": true, "delete": true}]},
    ///         "default_roles": [{"name": "reader", "apply_when": true, "read": true}]}}}
    ///
    /// The first role of a class whose `apply_when` holds for the user applies. A user without a role has no access.
    /// `default_roles` are the roles of the other classes.
    public struct RoleRules: Sendable {
        struct App: Sendable {
            var classes: [Text: [Role]] = [:]
            var defaults: [Role] = []
            var queryableFields = QueryableFields.all
        }

        private var apps: [Text: App] = [:]

        /// Creates rules from the text of a JSON file.
        ///
        /// - Throws: `RuleError`, whose description names the class, the role, and the invalid member.
        public init(json: String) throws {
            let document: JSON
            do {
                document = try JSON(parsing: json)
            } catch {
                throw RuleError(description: "the rules aren't JSON: \(error)")
            }
            do {
                // "rules" are those of partitions.
                let members = try Members(document, "the file of rules", known: ["apps", "rules"])
                guard let json = members["apps"] else { return }
                for (name, value) in try json.distinctMembers(in: "'apps'") {
                    apps[name] = try App(value, "app '\(name)'")
                }
            } catch let error as ConfigurationError {
                throw RuleError(description: error.description)
            }
        }

        /// Returns the access that the rules grant to a user.
        public func access(_ context: UserContext) -> DocumentAccess {
            guard let app = apps[Text(context.app)] else { return DocumentAccess(others: .none) }
            let user = UserValues(context)
            var access = DocumentAccess(others: Role.access(app.defaults, user))
            for (name, roles) in app.classes { access[name.string] = Role.access(roles, user) }
            return access
        }

        /// The fields that subscriptions can use, by app.
        package var queryableFields: [ByteText: QueryableFields] { apps.mapValues(\.queryableFields) }
    }

    extension RoleRules.App {
        fileprivate init(_ json: JSON, _ place: String) throws {
            let members = try Members(
                json, place,
                known: ["classes", "default_roles", "queryable_fields_names", "collection_queryable_fields_names"])
            for (name, value) in try members["classes"]?.distinctMembers(in: "'classes' of \(place)") ?? [] {
                classes[name] = try RoleRules.App.roles(value, "class '\(name)' of \(place)")
            }
            defaults =
                try members["default_roles"].map { try RoleRules.App.roles($0, "'default_roles' of \(place)") } ?? []
            let common = try members.texts("queryable_fields_names")
            let byClass = try members["collection_queryable_fields_names"].map { json in
                try json.distinctMembers(in: "'collection_queryable_fields_names' of \(place)").map { name, value in
                    guard let names = value.texts else {
                        throw ConfigurationError(
                            "'collection_queryable_fields_names' of \(place): '\(name)' isn't an array of texts")
                    }
                    return (name, Set(names.map { Text($0) }))
                }
            }
            guard common != nil || byClass != nil else { return }
            queryableFields = .listed(
                common: Set((common ?? []).map { Text($0) }), byClass: Dictionary(uniqueKeysWithValues: byClass ?? []))
        }

        private static func roles(_ json: JSON, _ place: String) throws -> [Role] {
            guard let elements = json.elements else { throw ConfigurationError("\(place) isn't an array of roles") }
            return try elements.enumerated().map { index, json in
                let name = json["name"]?.text.map { " ('\($0)')" } ?? ""
                return try Role(json, "role \(index + 1)\(name) of \(place)")
            }
        }
    }

    extension JSON {
        /// - Throws: `ConfigurationError` if the value isn't an object, or two members have one name.
        fileprivate func distinctMembers(in place: String) throws -> [(Text, JSON)] {
            guard let members else { throw ConfigurationError("\(place) isn't an object") }
            var names: Set<Text> = []
            for member in members where !names.insert(Text(member.name)).inserted {
                throw ConfigurationError("\(place) has two members '\(member.name)'")
            }
            return members.map { (Text($0.name), $0.value) }
        }

        fileprivate var texts: [String]? {
            guard let elements else { return nil }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        }
    }
#endif
