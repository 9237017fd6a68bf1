// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite struct SchemaFileTests {
        @Test func printedSchemasReadAsTheSame() throws {
            let file = try SchemaFile(json: SubscriptionQueryTests.schema)
            #expect(try SchemaFile(json: file.json) == file)
            var random = SeededGenerator(for: "SchemaFileTests")
            for _ in 0..<200 {
                let random = SchemaFile(RandomSchema.schema(&random))
                #expect(try SchemaFile(json: random.json) == random, "\(random.json)")
            }
        }

        @Test func everyTypeIsRead() throws {
            let file = try SchemaFile(json: SubscriptionQueryTests.schema).schema
            #expect(
                file.tables["Dog"]
                    == TableDefinition("Dog", .topLevel(PrimaryKeyColumn("_id", .objectId, isNullable: false))))
            #expect(file.tables["Home"]?.kind == .embedded)
            let owner = ColumnDefinition(
                ColumnReference("Dog", "owner"), .link, isNullable: true, .single, target: "Person")
            #expect(file.columns["Dog"]?["owner"] == owner)
            let friends = ColumnDefinition(
                ColumnReference("Dog", "friends"), .link, isNullable: false, .list, target: "Dog")
            #expect(file.columns["Dog"]?["friends"] == friends)
            let map = ColumnDefinition(ColumnReference("Dog", "map"), .int, isNullable: false, .dictionary)
            #expect(file.columns["Dog"]?["map"] == map)
            let homes = ColumnDefinition(
                ColumnReference("Dog", "homes"), .link, isNullable: false, .list, target: "Home")
            #expect(file.columns["Dog"]?["homes"] == homes)
        }

        private static func dog(_ members: String) -> String {
            """
            {"classes": [{"title": "Dog", "bsonType": "object", \(members)},
             {"title": "Person", "bsonType": "object", "required": ["_id"],
              "properties": {"_id": {"bsonType": "uuid"}}}]}
            """
        }

        private static func link(_ relationship: String) -> String {
            dog(#""properties": {\#(key), "a": {"bsonType": "uuid"}}, "relationships": {"a": {\#(relationship)}}"#)
        }

        private static let key = #""_id": {"bsonType": "long"}"#

        @Test(arguments: [
            ("{", "isn't JSON"), ("[]", "the schema isn't an object"), ("{}", "no array 'classes'"),
            (#"{"classes": [], "version": -1}"#, "'version'"), (#"{"classes": [{}]}"#, "class 1 has no 'title'"),
            (dog(#""properties": {}"#), "class 'Dog' has no property '_id'"),
            (dog(#""required": []"#), "class 'Dog' has no 'properties'"),
            (dog(#""properties": {"_id": {"bsonType": "double"}}"#), "property '_id' is a string, long"),
            (dog(#""properties": {\#(key), \#(key)}"#), "class 'Dog' has a property twice"),
            (dog(#""required": ["x"], "properties": {\#(key)}"#), "'required' has 'x'"),
            (dog(#""properties": {\#(key), "a": {"bsonType": "regex"}}"#), "property 'a': 'regex' isn't a type"),
            (dog(#""properties": {\#(key), "a": 1}"#), "property 'a' isn't an object"),
            (dog(#""properties": {\#(key), "a.b": {}}"#), "property 'a.b': a name"),
            (dog(#""properties": {\#(key), "$a": {}}"#), "property '$a': a name"),
            (dog(#""properties": {\#(key), "a": {"bsonType": "array"}}"#), "property 'a': an array has 'items'"),
            (dog(#""properties": {\#(key), "a": {"bsonType": "object"}}"#), "property 'a': an object has a 'title'"),
            (
                dog(#""properties": {\#(key), "a": {"bsonType": "object", "title": "X"}}"#),
                "there is no embedded class 'X'"
            ),
            (
                dog(#""properties": {\#(key), "a": {"bsonType": "object", "title": "Person"}}"#),
                "there is no embedded class 'Person'"
            ),
            (
                dog(#""properties": {\#(key)}, "relationships": {"a": {"ref": "Person"}}"#),
                "relationship 'a': there is no such property"
            ),
            (
                link(#""ref": "X""#),
                "relationship 'a': 'X' isn't a class"
            ),
            (
                link(#""#),
                "relationship 'a' has no 'ref'"
            ),
            (
                dog(#""properties": {\#(key), "a": {"bsonType": "long"}}, "relationships": {"a": {"ref": "Person"}}"#),
                "the property is int, the primary key of 'Person' uuid"
            ),
            (
                link(#""ref": "Person", "is_list": true"#),
                "'is_list' is true"
            ),
            (
                link(#""ref": "Person", "foreign_key": "x""#),
                "'foreign_key' must be '_id'"
            ),
            (dog(#""properties": {\#(key)}, "extra": 1"#), "no member 'extra'"),
            (
                dog(#""properties": {"\#(String(repeating: "x", count: 64))": {}, \#(key)}"#),
                "exceeds 63 bytes"
            ),
        ]) func aMistakeIsNamed(_ json: String, _ text: String) throws {
            let error = try #require(throws: ConfigurationError.self) { _ = try SchemaFile(json: json) }
            #expect(error.description.contains(text), "\(error)")
        }

        @Test func deepEmbeddedClassesAreRejected() throws {
            func nested(_ depth: Int) -> String {
                (0..<depth).reversed().reduce("{}") { inner, level in
                    #"{"bsonType": "object", "title": "E\#(level)", "properties": {"a": \#(inner)}}"#
                }
            }
            func file(_ depth: Int) -> String { Self.dog(#""properties": {\#(Self.key), "e": \#(nested(depth))}"#) }
            #expect(try SchemaFile(json: file(19)).size.classes == 21)
            for depth in [20, 60] { #expect(throws: ConfigurationError.self) { try SchemaFile(json: file(depth)) } }
        }

        // MARK: Models

        @Test func theModelsOfASchema() throws {
            let models = try SchemaFile(json: SubscriptionQueryTests.schema).swiftModels
            let expected = """
                class Dog: Object {
                    @Persisted(primaryKey: true) var _id: ObjectId
                    @Persisted var age: Int?
                    @Persisted var any: AnyRealmValue
                    @Persisted var friends: List<Dog>
                    @Persisted var home: Home?
                    @Persisted var homes: List<Home>
                    @Persisted var map: Map<String, Int>
                    @Persisted var name: String?
                    @Persisted var owner: Person?
                    @Persisted var tags: List<String>
                }

                class Event: AsymmetricObject {
                    @Persisted(primaryKey: true) var _id: UUID?
                }

                class Home: EmbeddedObject {
                    @Persisted var city: String?
                    @Persisted var coordinates: List<Double>
                    @Persisted var type: String?
                }

                class Person: Object {
                    @Persisted(primaryKey: true) var _id: ObjectId?
                }

                """
            #expect(models == "import Foundation\nimport RealmSwift\n\n" + expected, "\(models)")
            guard let check = TypeCheck() else { return }
            let complaints = try check.complaints(about: models)
            #expect(complaints == "", "\(complaints)")
        }

        @Test func theSchemaOfADatabase() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/documents.realm"
            try Database.open(path).write { write in
                let dog = try write.schema.addTable("class_Dog")
                try write.schema.setPrimaryKey(try write.schema.addColumn("_id", .objectId, to: dog), of: dog)
                let home = try write.schema.addTable("class_Home", kind: .embedded)
                try write.schema.addColumn("name", .string, .nullable, to: dog)
                try write.schema.addColumn("home", .link, .nullable, target: home, to: dog)
                try write.schema.addColumn("dogs", .link, .list, target: dog, to: home)
            }
            let file = try SchemaFile(path: folder.path)
            #expect(file == (try SchemaFile(path: path)))
            #expect(file.size == (2, 3))
            #expect(try SchemaFile(json: file.json) == file)
            #expect(file.schema.columns["Home"]?["dogs"]?.target == "Dog")
        }
    }

    private enum RandomSchema {
        static func schema(_ random: inout SeededGenerator) -> AppSchema {
            var schema = AppSchema()
            let types: [ValueType] = [
                .int, .bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectId, .uuid, .null,
            ]
            let keys: [ValueType] = [.int, .string, .objectId, .uuid]
            schema.insert(TableDefinition("Embedded", .embedded))
            for name: Text in ["A", "B", "it's"] {
                let key = PrimaryKeyColumn("_id", keys.randomElement(using: &random)!, isNullable: random.chance(30))
                schema.insert(TableDefinition(name, .topLevel(key)))
            }
            for table: Text in ["A", "B", "it's", "Embedded"] {
                for index in 0..<random.below(8) {
                    let reference = ColumnReference(table, Text("p\(index)"))
                    let collection = CollectionKind.allCases.randomElement(using: &random)!
                    if random.chance(30) {
                        let targets: [Text] = collection == .set ? ["A", "B"] : ["A", "B", "it's", "Embedded"]
                        schema.insert(
                            ColumnDefinition(
                                reference, .link, isNullable: collection == .single || collection == .dictionary,
                                collection, target: targets.randomElement(using: &random)!))
                    } else {
                        let type = types.randomElement(using: &random)!
                        schema.insert(
                            ColumnDefinition(
                                reference, type, isNullable: type == .null || random.chance(50), collection))
                    }
                }
            }
            return schema
        }
    }
#endif
