// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct SchemaRegistryTests {
        private static let key = PrimaryKeyColumn("_id", .objectId, isNullable: false)
        private static let cat = Instruction.addTable(TableDefinition("Cat", .topLevel(key)))

        private static func column(
            _ name: Text, _ type: ValueType, of table: Text = "Dog", isNullable: Bool = true, target: Text? = nil
        ) -> Instruction {
            .column(name, of: table, type, isNullable: isNullable, target: target)
        }

        private func registry(isDevelopment: Bool) throws -> SchemaRegistry {
            try SchemaRegistry([try SchemaFile(json: SubscriptionQueryTests.schema)], isDevelopment: isDevelopment)
        }

        @Test func developmentModeLearnsAdditions() throws {
            var registry = try SchemaRegistry([], isDevelopment: false)
            #expect(registry.learns)
            let dog = Instruction.addTable(TableDefinition("Dog", .topLevel(Self.key)))
            #expect(try registry.integrate([dog, Self.cat, Self.column("name", .string)]))
            #expect(try !registry.integrate([Self.cat, Self.column("name", .string)]))
            #expect(try registry.integrate([Self.column("friend", .link, target: "Cat")]))
            #expect(registry.schema.instructions.count == 4)
            var copy = try SchemaRegistry([SchemaFile(registry.schema)], isDevelopment: false)
            #expect(try !copy.integrate(registry.schema.instructions))
        }

        @Test func aFixedSchemaHasNoAdditions() throws {
            var registry = try registry(isDevelopment: false)
            let before = registry
            #expect(
                try !registry.integrate([Self.column("name", .string), Self.column("owner", .link, target: "Person")]))
            for (instruction, text) in [
                (Self.cat, "the class 'Cat' isn't in the schema"),
                (Self.column("new", .int), "the property 'Dog.new' isn't in the schema"),
                (.createObject(ObjectReference("Cat", .int(1))), "the class 'Cat' isn't in the schema"),
                (.eraseObject(ObjectReference("Cat", .int(1))), "the class 'Cat' isn't in the schema"),
                (
                    .change(Place(ObjectReference("Dog", .int(1)), "new"), .update(.int(1), isDefault: false)),
                    "the property 'Dog.new' isn't in the schema"
                ),
            ] {
                let error = try #require(throws: SessionError.self) { _ = try registry.integrate([instruction]) }
                #expect(error.code == .badSchemaChange && error.message.contains(text), "\(error)")
            }
            #expect(registry == before)
        }

        @Test(arguments: [
            (Instruction.eraseTable("Dog"), "removing the class 'Dog'"),
            (.eraseColumn(ColumnReference("Dog", "age")), "removing the property 'Dog.age'"),
            (
                column("name", .int),
                "'Dog.name' is optional string in the schema of the app, and optional int at the client"
            ),
            (column("name", .string, isNullable: false), "is optional string in the schema of the app, and string at"),
            (column("owner", .link, target: "Dog"), "is link to 'Person' in the schema of the app, and link to 'Dog'"),
            (column("_id", .string), "'Dog._id'"), (column("x", .int, of: "Cow"), "'Cow.x' isn't in the schema"),
            (column("x", .link, target: "Cow"), "links to 'Cow'"),
            (.addTable(TableDefinition("Dog", .embedded)), "and embedded at the client"),
            (
                .addTable(TableDefinition("New", .topLevel(PrimaryKeyColumn("id", .int, isNullable: false)))),
                "the primary key of 'New' is 'id'"
            ),
            (
                .addTable(TableDefinition("New", .topLevel(PrimaryKeyColumn("", .globalKey, isNullable: false)))),
                "no primary key"
            ),
            (.addTable(TableDefinition(Text(String(repeating: "x", count: 58)), .embedded)), "exceeds 57 bytes"),
        ]) func aBreakingChangeIsRefused(_ instruction: Instruction, _ text: String) throws {
            var registry = try registry(isDevelopment: true)
            let before = registry
            let error = try #require(throws: SessionError.self) { _ = try registry.integrate([Self.cat, instruction]) }
            #expect(error.code == .badSchemaChange && error.message.contains(text), "\(error)")
            #expect(registry == before)
        }

        @Test func schemaVersions() throws {
            var files = [
                try SchemaFile(json: SubscriptionQueryTests.schema),
                try SchemaFile(json: SubscriptionQueryTests.schema),
            ]
            (files[0].version, files[1].version) = (5, 3)
            let registry = try SchemaRegistry(files, isDevelopment: false)
            #expect(registry.admission(version: 3, previous: nil) == .accepted)
            #expect(registry.admission(version: 5, previous: 5) == .accepted)
            #expect(registry.admission(version: 5, previous: 3) == .migrates(previous: 3))
            guard case .refused(let error) = registry.admission(version: 4, previous: 3) else {
                Issue.record("an unknown version was accepted")
                return
            }
            #expect(error.code == .badSchemaVersion && error.message.contains("4 is unknown; the app has 3 to 5"))
            // Without a schema, clients can state any version.
            let free = try SchemaRegistry([], isDevelopment: true)
            #expect(free.admission(version: 7, previous: 3) == .accepted)
        }

        @Test func theSchemaHasTheClassesOfAllVersions() throws {
            func file(_ version: Int, _ property: String) throws -> SchemaFile {
                try SchemaFile(
                    json: """
                        {"version": \(version), "classes": [{"title": "Dog", "bsonType": "object", "properties": {
                            "_id": {"bsonType": "objectId"}, \(property)}}]}
                        """)
            }
            let old = try file(1, #""age": {"bsonType": "long"}"#)
            var registry = try SchemaRegistry(
                [try file(2, #""size": {"bsonType": "double"}"#), old], isDevelopment: false)
            #expect(
                try !registry.integrate([Self.column("age", .int), Self.column("size", .double)]))
            let error = try #require(throws: ConfigurationError.self) {
                _ = try SchemaRegistry([old, try file(3, #""age": {"bsonType": "string"}"#)], isDevelopment: false)
            }
            #expect(
                error.description
                    == "schema version 3: the property 'Dog.age' is optional string, and optional int in an earlier version"
            )
            #expect(throws: ConfigurationError.self) { try SchemaRegistry([old, old], isDevelopment: false) }
        }
    }
#endif
