// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// Reads JSON schemas into the definitions of classes and properties.
    struct SchemaReader {
        private var schema = AppSchema()
        private var relationships: [(owner: Text, path: [Text], relationship: Relationship)] = []
        /// The embedded classes that a property has, with a property for errors.
        private var mentioned: [Text: String] = [:]

        private struct Relationship {
            let target: Text
            let foreignKey: Text
            let isList: Bool
        }

        /// The nesting of embedded classes.
        static let maximumDepth = 20

        // MARK: Classes

        mutating func readClass(_ json: JSON, number: Int) throws {
            guard let title = json["title"]?.text, !title.isEmpty else {
                throw ConfigurationError("class \(number) has no 'title'")
            }
            let place = "class '\(Text(title).short)'"
            let members = try Members(json, place, known: SchemaReader.classMembers)
            guard schema.tables[Text(title)] == nil else { throw ConfigurationError("\(place) is there twice") }
            let isEmbedded = try members.bool("embedded") ?? false
            try readProperties(of: Text(title), json, members, isEmbedded: isEmbedded, depth: 1)
        }

        private static let classMembers: Set<String> = [
            "title", "bsonType", "type", "required", "properties", "additionalProperties", "relationships", "embedded",
            "asymmetric", "description",
        ]

        private mutating func readProperties(
            of name: Text, _ json: JSON, _ members: Members, isEmbedded: Bool, depth: Int
        ) throws {
            let place = "class '\(name.short)'"
            guard depth <= SchemaReader.maximumDepth else {
                throw ConfigurationError("\(place): more than \(SchemaReader.maximumDepth) levels of embedded classes")
            }
            guard try Bson(json, place).name == "object" else {
                throw ConfigurationError("\(place): 'bsonType' isn't 'object'")
            }
            let required = Set((try members.texts("required") ?? []).map { Text($0) })
            guard let properties = members["properties"]?.members else {
                throw ConfigurationError("\(place) has no 'properties'")
            }
            let names = Set(properties.map { Text($0.name) })
            guard names.count == properties.count else { throw ConfigurationError("\(place) has a property twice") }
            if let missing = required.subtracting(names).min() {
                throw ConfigurationError("\(place): 'required' has '\(missing.short)', which isn't a property")
            }
            try addTable(name, members, properties, required, isEmbedded)
            for property in properties where isEmbedded || !Text(property.name).isPrimaryKey {
                try readProperty(property, of: name, isRequired: required.contains(Text(property.name)), depth)
            }
            for member in members["relationships"]?.members ?? [] {
                try readRelationship(member, of: name, "\(place): relationship '\(Text(member.name).short)'")
            }
        }

        private mutating func addTable(
            _ name: Text, _ members: Members, _ properties: [JSON.Member], _ required: Set<Text>, _ isEmbedded: Bool
        ) throws {
            var definition = TableDefinition(name, .embedded)
            if !isEmbedded {
                let key = try SchemaReader.primaryKey(properties, required, "class '\(name.short)'")
                let isAsymmetric = try members.bool("asymmetric") ?? false
                definition.kind = isAsymmetric ? .asymmetric(key) : .topLevel(key)
            }
            if let refusal = definition.refusal { throw ConfigurationError(refusal) }
            schema.insert(definition)
        }

        private static func primaryKey(
            _ properties: [JSON.Member], _ required: Set<Text>, _ place: String
        ) throws -> PrimaryKeyColumn {
            guard let json = properties.first(where: { Text($0.name).isPrimaryKey })?.value else {
                throw ConfigurationError("\(place) has no property '_id', which every class needs as its primary key")
            }
            let bson = try Bson(json, "\(place): property '_id'")
            guard let type = bson.valueType, type.canBePrimaryKey else {
                throw ConfigurationError("\(place): property '_id' is a string, long, objectId or uuid")
            }
            return PrimaryKeyColumn("_id", type, isNullable: bson.isNullable || !required.contains("_id"))
        }

        // MARK: Properties

        private mutating func readProperty(
            _ member: JSON.Member, of table: Text, isRequired: Bool, _ depth: Int
        ) throws {
            let name = Text(member.name)
            let place = "class '\(table.short)': property '\(name.short)'"
            guard !name.isEmpty, !member.name.hasPrefix("$"), !member.name.utf8.contains(UInt8(ascii: ".")) else {
                throw ConfigurationError("\(place): a name isn't empty, has no '.' and no leading '$'")
            }
            let reference = ColumnReference(table, name)
            let (collection, element) = try SchemaReader.collection(member.value, place)
            let bson = try Bson(element, place)
            let definition: ColumnDefinition
            if bson.name == "object" {
                let target = try readEmbedded(element, place, depth)
                guard collection != .set else { throw ConfigurationError("\(place): a set has no embedded objects") }
                definition = ColumnDefinition(
                    reference, .link, isNullable: collection.canHaveNullLinks, collection, target: target)
            } else {
                guard let type = bson.valueType else {
                    throw ConfigurationError("\(place): '\(bson.name)' isn't a type of properties")
                }
                let isNullable = type == .null || bson.isNullable || collection == .single && !isRequired
                definition = ColumnDefinition(reference, type, isNullable: isNullable, collection)
            }
            if let refusal = definition.refusal { throw ConfigurationError(refusal) }
            schema.insert(definition)
        }

        /// Returns the type of the collection and the schema of its elements.
        private static func collection(_ json: JSON, _ place: String) throws -> (CollectionKind, JSON) {
            switch try Bson(json, place).name {
            case "array":
                let members = try Members(
                    json, place, known: ["bsonType", "type", "items", "uniqueItems", "description"])
                guard let items = members["items"] else { throw ConfigurationError("\(place): an array has 'items'") }
                return (try members.bool("uniqueItems") ?? false ? .set : .list, items)
            case "object" where json["title"] == nil:
                let members = try Members(
                    json, place, known: ["bsonType", "type", "additionalProperties", "description"])
                guard let values = members["additionalProperties"], values.bool == nil else {
                    throw ConfigurationError(
                        "\(place): an object has a 'title' and 'properties', or the schema of its values as "
                            + "'additionalProperties'")
                }
                return (.dictionary, values)
            default: return (.single, json)
            }
        }

        /// An embedded class is written in full at one of its properties or among the classes. Elsewhere its title
        /// is sufficient.
        private mutating func readEmbedded(_ json: JSON, _ place: String, _ depth: Int) throws -> Text {
            guard let title = json["title"]?.text, !title.isEmpty else {
                throw ConfigurationError("\(place): an embedded object has a 'title', the name of its class")
            }
            let name = Text(title)
            mentioned[name] = place
            guard json["properties"] != nil else { return name }
            let members = try Members(
                json, place, known: SchemaReader.classMembers.subtracting(["asymmetric", "embedded"]))
            guard let known = schema.tables[name] else {
                try readProperties(of: name, json, members, isEmbedded: true, depth: depth + 1)
                return name
            }
            var other = SchemaReader()
            try other.readProperties(of: name, json, members, isEmbedded: true, depth: depth + 1)
            mentioned.merge(other.mentioned) { first, _ in first }
            let isSame = other.schema.columns.allSatisfy { schema.columns[$0.key] == $0.value }
            guard known.kind == .embedded, isSame else {
                throw ConfigurationError("\(place): the class '\(name.short)' differs from the one of the same name")
            }
            return name
        }

        // MARK: Relationships

        private mutating func readRelationship(_ member: JSON.Member, of owner: Text, _ place: String) throws {
            let members = try Members(
                member.value, place, known: ["ref", "foreign_key", "is_list", "source_key"])
            guard let reference = try members.text("ref"), let target = reference.split(separator: "/").last else {
                throw ConfigurationError("\(place) has no 'ref', the name of a class")
            }
            let path = member.name.split(separator: ".").filter { $0 != "[]" }.map { Text(String($0)) }
            let relationship = Relationship(
                target: Text(String(target)), foreignKey: Text(try members.text("foreign_key") ?? "_id"),
                isList: try members.bool("is_list") ?? false)
            relationships.append((owner, path, relationship))
        }

        /// Returns the schema with its links.
        func linked() throws -> AppSchema {
            var schema = schema
            for (name, place) in mentioned.sorted(by: { $0.key < $1.key }) where !schema.isEmbedded(name) {
                throw ConfigurationError("\(place): there is no embedded class '\(name.short)'")
            }
            for (owner, path, relationship) in relationships {
                try SchemaReader.link(owner, path, relationship, in: &schema)
            }
            return schema
        }

        private static func link(
            _ owner: Text, _ path: [Text], _ relationship: Relationship, in schema: inout AppSchema
        ) throws {
            let name = path.map(\.string).joined(separator: ".")
            let place = "class '\(owner.short)': relationship '\(Text(name).short)'"
            var table = owner
            for step in path.dropLast() {
                guard let target = schema.columns[table]?[step]?.target, schema.isEmbedded(target) else {
                    throw ConfigurationError("\(place): '\(table.short)' has no embedded object '\(step.short)'")
                }
                table = target
            }
            guard let last = path.last, var column = schema.columns[table]?[last] else {
                throw ConfigurationError("\(place): there is no such property")
            }
            guard let key = schema.primaryKey(of: relationship.target) else {
                throw ConfigurationError("\(place): '\(relationship.target.short)' isn't a class with a primary key")
            }
            guard relationship.foreignKey == key.name else {
                throw ConfigurationError("\(place): 'foreign_key' must be '\(key.name)', the primary key")
            }
            guard column.type == key.type else {
                throw ConfigurationError(
                    "\(place): the property is \(column.type), the primary key of '\(relationship.target)' \(key.type)")
            }
            let isArray = column.collection == .list || column.collection == .set
            guard relationship.isList == isArray else {
                throw ConfigurationError(
                    "\(place): 'is_list' is \(relationship.isList), but the property is "
                        + (isArray ? "an array" : "no array"))
            }
            if case .asymmetric? = schema.tables[owner]?.kind {
                throw ConfigurationError("\(place): an asymmetric class can't have links")
            }
            column.type = .link
            column.target = relationship.target
            column.isNullable = column.collection.canHaveNullLinks
            schema.insert(column)
        }
    }

    /// The `bsonType` of a schema, a name or an array of a name and `null`.
    private struct Bson {
        let name: String
        let isNullable: Bool

        init(_ json: JSON, _ place: String) throws {
            guard json.members != nil else { throw ConfigurationError("\(place) isn't an object") }
            let type = json["bsonType"] ?? json["type"] ?? "mixed"
            let names = type.text.map { [$0] } ?? type.elements?.compactMap(\.text) ?? []
            let types = names.filter { $0 != "null" }
            guard types.count == 1, names.count == (type.elements?.count ?? 1) else {
                throw ConfigurationError("\(place): 'bsonType' isn't the name of one type")
            }
            name = types[0]
            isNullable = names.count > 1
        }

        var valueType: ValueType? {
            switch name {
            case "bool", "boolean": .bool
            case "long", "int", "integer": .int
            case "float": .float
            case "double", "number": .double
            case "string": .string
            case "binData": .binary
            case "date": .timestamp
            case "decimal": .decimal
            case "objectId": .objectId
            case "uuid": .uuid
            case "mixed": .null
            default: nil
            }
        }
    }

    extension CollectionKind {
        fileprivate var canHaveNullLinks: Bool { self == .single || self == .dictionary }
    }

    extension Text {
        fileprivate var isPrimaryKey: Bool { self == "_id" }
    }
#endif
