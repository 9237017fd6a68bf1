// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Finding and describing classes and properties (model 1, 2 and 12). Serialized, because a class that joins at its
/// first use changes the default schema that another test compares.
@Suite(.serialized) struct SchemaTests {
    @Test(.behaviour("B-011", "B-013", "B-014")) func propertiesInOrderOfDeclaration() {
        let schema = Dog().objectSchema
        #expect(schema.properties.map(\.name) == ["name", "age", "toy"])
        #expect(schema["owners"]?.type == .linkingObjects && schema["owners"]?.objectClassName == "Person")
        #expect(schema["walks"] == nil && schema["isPuppy"] == nil)
        #expect(schema.className == "Dog" && Dog.className() == "Dog" && schema.objectClass == Dog.self)
        #expect(!schema.isEmbedded && !schema.isAsymmetric && Address().objectSchema.isEmbedded)
    }

    @Test func typesOfAllProperties() throws {
        let schema = AllTypes().objectSchema
        let scalars: [(String, PropertyType)] = [
            ("int", .int), ("int8", .int), ("int16", .int), ("int32", .int), ("int64", .int), ("bool", .bool),
            ("float", .float), ("double", .double), ("string", .string), ("data", .data), ("date", .date),
            ("objectId", .objectId), ("uuid", .UUID), ("decimal", .decimal128), ("size", .int), ("color", .string),
        ]
        for (name, type) in scalars {
            let plain = try #require(schema[name])
            let optional = try #require(schema["opt" + name.prefix(1).uppercased() + name.dropFirst()])
            #expect(plain.type == type && !plain.isOptional && !plain.isArray)
            #expect(optional.type == type && optional.isOptional && !optional.isArray)
        }
        let link = try #require(schema["link"])
        #expect(link.type == .object && link.isOptional && link.objectClassName == "Dog")
        let lists: [(String, PropertyType, Bool)] = [
            ("ints", .int, false), ("bools", .bool, true), ("floats", .float, false), ("doubles", .double, false),
            ("strings", .string, true), ("datas", .data, false), ("dates", .date, false),
            ("objectIds", .objectId, false), ("uuids", .UUID, true), ("decimals", .decimal128, false),
            ("sizes", .int, false), ("colors", .string, true), ("links", .object, false),
            ("embeddeds", .object, false),
        ]
        for (name, type, isOptional) in lists {
            let list = try #require(schema[name])
            #expect(list.type == type && list.isOptional == isOptional && list.isArray)
            #expect(!list.isSet && !list.isMap)
        }
    }

    final class Nested: Object {
        @Persisted var value: Int
    }

    final class Hidden: TestObject {
        @Persisted var value: Int
    }

    @Test(.behaviour("B-033")) func defaultSchemaFindsAllClasses() {
        final class Local: Object {
            @Persisted var value: Int
        }
        let schema = Schema.defaultSchema()
        let names = Set(schema.objectSchema.map(\.className))
        #expect(names.isSuperset(of: ["Person", "Dog", "DogToy", "Address", "AllTypes", "Nested", "Local"]))
        #expect(names.isDisjoint(with: ["Hidden", "Object", "EmbeddedObject", "TestObject"]))
        #expect(Schema(objectTypes: [Hidden.self])["Hidden"] != nil)
        #expect(schema.objectSchema.map(\.className) == names.sorted())
        #expect(schema == Schema.defaultSchema() && schema["Dog"]?["name"]?.type == .string && schema["Cat"] == nil)
        #expect(schema.validationErrors() == [])
    }

    final class Generic<Value: Sendable>: Object {
        @Persisted var value: Int
    }

    @Test func classesUnknownToTheImageAreAddedAtFirstUse() {
        #expect(Schema.defaultSchema()["Generic<Int>"] == nil)
        _ = Generic<Int>().objectSchema
        #expect(Schema.defaultSchema()["Generic<Int>"]?["value"]?.type == .int)
    }

    final class Renamed: TestObject {
        @Persisted var firstName: String
        override class func _realmObjectName() -> String? { "Foo" }
        override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
    }

    @Test(.behaviour("B-034", "B-035")) func otherNamesInTheFile() {
        let schema = Renamed().objectSchema
        #expect(schema.className == "Renamed" && Renamed.className() == "Renamed")
        #expect(schema["firstName"]?.columnName == "first_name" && schema["first_name"] == nil)
    }

    @Test func descriptions() {
        #expect(
            Address().objectSchema.description == """
                Address (embedded) {
                \tstreet {
                \t\ttype = string;
                \t\tcolumnName = street;
                \t\tindexed = NO;
                \t\tisPrimary = NO;
                \t\tarray = NO;
                \t\tset = NO;
                \t\tdictionary = NO;
                \t\toptional = YES;
                \t}
                \tcity {
                \t\ttype = string;
                \t\tcolumnName = city;
                \t\tindexed = NO;
                \t\tisPrimary = NO;
                \t\tarray = NO;
                \t\tset = NO;
                \t\tdictionary = NO;
                \t\toptional = NO;
                \t}
                }
                """)
        let schema = Schema(objectTypes: [DogToy.self, Dog.self, Person.self, Address.self])
        #expect(schema.description.hasPrefix("Schema {\n\tAddress (embedded) {\n\t\tstreet {\n\t\t\ttype = string;\n"))
        #expect(Dog().objectSchema["toy"]?.description.contains("\tobjectClassName = DogToy;\n") == true)
        #expect(Dog().objectSchema["owners"]?.description.contains("\tlinkOriginPropertyName = dogs;\n") == true)
    }

    @Test func equality() {
        let schema = Schema(objectTypes: [DogToy.self])
        #expect(schema == Schema(objectTypes: [DogToy.self, DogToy.self]))
        #expect(schema != Schema(objectTypes: [Nested.self]))
        #expect(schema["DogToy"]?["name"] != schema["DogToy"]?["_id"])
    }

    @Test(.behaviour("S22")) func mixedPropertiesAreNotOptional() {
        #expect(Holder().objectSchema["any"]?.isOptional == false)
    }
}
