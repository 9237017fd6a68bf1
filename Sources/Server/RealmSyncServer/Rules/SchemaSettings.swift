// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// The schema of an app, and the changes that clients can make to it.
    public struct SchemaSettings: Sendable {
        /// The id of the app.
        public let app: String
        /// The versions of the schema, in the order in which they were added.
        private(set) var files: [SchemaFile] = []
        /// Whether clients can add classes and properties, which the server then stores as the schema of the app. They
        /// can't change or remove any. Queries can use all fields.
        public var isDevelopment = false
        /// The fields that the queries of subscriptions can use.
        package var queryableFields = QueryableFields.all

        /// Creates the settings of an app without a schema.
        ///
        /// - Parameter app: The id of the app.
        public init(app: String) { self.app = app }

        /// Adds a version of the schema. Clients can then use only the classes and properties of one of the versions,
        /// and those with subscriptions only a known version.
        ///
        /// - Parameter json: The JSON schemas of the classes, with their relationships and the number of the version.
        /// - Throws: `ConfigurationError` if the text isn't valid, if there is already a version of this number, or if
        ///   a class or property differs from the one of another version.
        public mutating func addVersion(json: String) throws { try addVersion(try SchemaFile(json: json)) }

        package mutating func addVersion(_ file: SchemaFile) throws {
            let changed = files + [file]
            _ = try SchemaRegistry(changed, isDevelopment: isDevelopment)
            files = changed
        }

        /// Restricts the queries of subscriptions to some fields. `_id` is always one of them.
        ///
        /// - Parameters:
        ///   - fields: The names of further fields.
        ///   - className: The class with these fields; `nil` for all classes.
        public mutating func allowQueries(on fields: [String], of className: String? = nil) {
            var (common, byClass): (Set<Text>, [Text: Set<Text>]) = ([], [:])
            if case .listed(let known, let knownByClass) = queryableFields { (common, byClass) = (known, knownByClass) }
            let names = fields.map { Text($0) }
            if let className {
                byClass[Text(className), default: []].formUnion(names)
            } else {
                common.formUnion(names)
            }
            queryableFields = .listed(common: common, byClass: byClass)
        }
    }
#endif
