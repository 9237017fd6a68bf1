// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@Suite struct SchemaCommandTests {
    @Test func modelsOfAnApplication() throws {
        guard let fixture = Fixture.inSchema else { return }
        #expect(ToolRun("schema", "--swift", fixture.path).output == SchemaCommandTests.inSchemaModels)
    }

    @Test func listingOfAnApplication() throws {
        guard let fixture = Fixture.inSchema else { return }
        let output = ToolRun("schema", fixture.path).output
        #expect(
            output.hasPrefix("table metadata\n    version  Int\n\nembedded class Address\n    street      String?\n"))
        #expect(output.contains("\n    linked from DogClub.regionalOfficeAddresses\n    linked from Person.address\n"))
        #expect(output.contains("\n    _id              UUID                        primary key\n"))
        #expect(output.contains("\n    motto        String          full-text index\n"))
    }

    @Test(arguments: Fixture.readable) func everyClassHasItsModel(_ fixture: Fixture) throws {
        let models = ToolRun("schema", "--swift", fixture.path)
        let listing = ToolRun("schema", fixture.path)
        #expect(models.status == 0 && listing.status == 0)
        let declared = models.output.split(separator: "\n").filter { $0.hasPrefix("class ") }
        let listed = listing.output.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.contains("class ") }
        #expect(declared.count == listed.count)
        #expect(Set(declared).count == declared.count)
    }

    @Test func namesThatSwiftCannotSpell() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/names.realm"
        try SchemaCommandTests.writeOddNames(path)
        #expect(ToolRun("schema", "--swift", path).output == SchemaCommandTests.oddModels)
        #expect(ToolRun("check", "--strict", path).status == 0)
    }

    @Test func eachKindHasItsBaseClass() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/kinds.realm"
        let write = try Database.open(path).beginWrite()
        for (name, kind) in [("Dog", TableKind.topLevel), ("Toy", .embedded), ("Bark", .asymmetric)] {
            let table = try write.schema.addTable("class_" + name, kind: kind)
            _ = try write.schema.addColumn("name", .string, [], target: nil, to: table)
        }
        _ = try write.commit()
        let heads = ToolRun("schema", "--swift", path).output.split(separator: "\n").filter { $0.hasPrefix("class ") }
        #expect(
            heads.sorted() == ["class Bark: AsymmetricObject {", "class Dog: Object {", "class Toy: EmbeddedObject {"])
    }

    private static func writeOddNames(_ path: String) throws {
        let write = try Database.open(path).beginWrite()
        let list = try write.schema.addTable("class_List", kind: .topLevel)
        let odd = try write.schema.addTable("class_my class", kind: .topLevel)
        _ = try write.schema.addTable("pk", kind: .topLevel)
        for name in ["class", "description", "self", "1st", "a b", "a_b", "\"\\", "été"] {
            _ = try write.schema.addColumn(name, .int, [], target: nil, to: odd)
        }
        _ = try write.schema.addColumn("one", .link, .nullable, target: list, to: odd)
        _ = try write.schema.addColumn("many", .link, .list, target: odd, to: list)
        _ = try write.schema.addColumn("numbers", .int, [.list, .nullable], target: nil, to: list)
        _ = try write.commit()
    }

    private static let oddModels = #"""
        import Foundation
        import RealmSwift

        class List: Object {
            @Persisted var many: RealmSwift.List<my_class>
            @Persisted var numbers: RealmSwift.List<Int?>
        }

        class my_class: Object {
            @Persisted var `class`: Int
            @Persisted var description_: Int
            @Persisted var self_: Int
            @Persisted var _1st: Int
            @Persisted var a_b_: Int
            @Persisted var a_b: Int
            @Persisted var __unnamed: Int
            @Persisted var été: Int
            @Persisted var one: List?

            override class func _realmObjectName() -> String? { "my class" }

            override class func propertiesMapping() -> [String: String] {
                [
                    "description_": "description",
                    "self_": "self",
                    "_1st": "1st",
                    "a_b_": "a b",
                    "__unnamed": "\"\\",
                ]
            }
        }

        // The table "pk" isn't a class.

        """#

    private static let inSchemaModels = """
        import Foundation
        import RealmSwift

        // The table "metadata" isn't a class.

        class Address: EmbeddedObject {
            @Persisted var street: String?
            @Persisted var city: String?
            @Persisted var country: String?
            @Persisted var postalCode: String?
        }

        class Company: Object {
            @Persisted(primaryKey: true) var _id: String
            @Persisted var companyName: String
            @Persisted var founded: Date?
            @Persisted(fullText: true) var motto: String
            @Persisted var employees: List<Employee>
        }

        class Dog: Object {
            @Persisted(primaryKey: true) var _id: UUID
            @Persisted(indexed: true) var name: String
            @Persisted var breed: String?
            @Persisted var weight: Int
            @Persisted var favoriteToy: DogToy?
            @Persisted var profileImageUrl: String?
            @Persisted var dateOfBirth: Date
            @Persisted var traits: Map<String, AnyRealmValue>
            @Persisted var tricks: MutableSet<String>
        }

        class DogClub: Object {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var name: String
            @Persisted var members: List<Person>
            @Persisted var regionalOfficeAddresses: List<Address>
        }

        class DogToy: Object {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var name: String
        }

        class Employee: Object {
            @Persisted(primaryKey: true) var _id: Int
            @Persisted var name: String
            @Persisted var salary: Decimal128?
            @Persisted var manager: Employee?
            @Persisted var active: Bool
            @Persisted var rating: Float?
            @Persisted var notes: AnyRealmValue
            @Persisted var badge: Data?
        }

        class Person: Object {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var firstName: String
            @Persisted var lastName: String
            @Persisted var dogs: List<Dog>
            @Persisted var address: Address?
            @Persisted var nickname: String?
        }

        """
}
