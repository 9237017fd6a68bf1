// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// The JSON schemas of an app's classes, with their relationships (spec §6.1).
    ///
    ///     {"version": 0, "classes": [
    ///         {"title": "Dog", "bsonType": "object", "required": ["_id", "name"],
    ///          "properties": {"_id": {"bsonType": "objectId"}, "name": {"bsonType": "string"},
    ///                         "owner": {"bsonType": "objectId"}},
    ///          "relationships": {"owner": {"ref": "Person", "foreign_key": "_id", "is_list": false}}}]}
    package struct SchemaFile: Sendable, Hashable {
        package var version: UInt64 = 0
        var schema = AppSchema()

        init(_ schema: AppSchema) { self.schema = schema }

        /// - Throws: `ConfigurationError`, whose description names the class and the property.
        package init(json text: String) throws {
            let json: JSON
            do {
                json = try JSON(parsing: text)
            } catch {
                throw ConfigurationError("the schema isn't JSON: \(error)")
            }
            let members = try Members(json, "the schema", known: ["version", "classes"])
            if let json = members["version"] {
                guard let number: UInt64 = json.integer() else {
                    throw ConfigurationError("the schema: 'version' isn't a whole number from 0")
                }
                version = number
            }
            guard let classes = members["classes"]?.elements else {
                throw ConfigurationError("the schema has no array 'classes'")
            }
            var reader = SchemaReader()
            for (index, json) in classes.enumerated() { try reader.readClass(json, number: index + 1) }
            schema = try reader.linked()
        }
    }
#endif
