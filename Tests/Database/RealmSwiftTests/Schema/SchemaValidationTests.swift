// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import Testing

/// Problems that an opening reports together (model 1.2, 1.3 and 2).
@Suite struct SchemaValidationTests {
    final class Aliases: TestObject {
        @Persisted var a: Int
        @Persisted var b: Int
        @Persisted var c: Int
        override class func propertiesMapping() -> [String: String] { ["a": "x", "b": "x", "c": "a"] }
    }

    @Test func columnNames() {
        #expect(
            Schema(objectTypes: [Aliases.self]).validationErrors() == [
                "Alias 'x' appears more than once in the schema for type 'Aliases'.",
                "Property 'Aliases.c' has an alias 'a' that conflicts with a property of the same name.",
            ])
    }

    final class KeyedEmbedded: TestEmbedded {
        @Persisted(primaryKey: true) var id: Int
    }

    final class Cycle: TestEmbedded {
        @Persisted var next: Link?
        final class Link: TestEmbedded {
            @Persisted var back: List<Cycle>
        }
    }

    @Test func embeddedClasses() {
        #expect(
            Schema(objectTypes: [KeyedEmbedded.self]).validationErrors() == [
                "Embedded object type 'KeyedEmbedded' cannot have a primary key."
            ])
        #expect(
            Schema(objectTypes: [Cycle.self, Cycle.Link.self]).validationErrors() == [
                "Cycles containing embedded objects are not currently supported: 'Cycle.next.back'",
                "Cycles containing embedded objects are not currently supported: 'Link.back.next'",
            ])
    }

    final class Inverse: TestObject {
        @Persisted var name: String
        @Persisted var dog: Dog?
        @Persisted(originProperty: "nothing") var missing: LinkingObjects<Inverse>
        @Persisted(originProperty: "name") var noLink: LinkingObjects<Inverse>
        @Persisted(originProperty: "dog") var wrongTarget: LinkingObjects<Inverse>
    }

    @Test func origins() {
        let schema = Schema(objectTypes: [Inverse.self, Dog.self, DogToy.self, Person.self, Address.self])
        let start = "Property 'Inverse."
        let middle = "' declared as origin of linking objects property 'Inverse."
        #expect(
            schema.validationErrors() == [
                start + "nothing" + middle + "missing' does not exist",
                start + "name" + middle + "noLink' is not a link",
                start + "dog" + middle + "wrongTarget' links to type 'Dog'",
            ])
    }

    final class LongNames: TestObject {
        @Persisted var a: Int
        override class func _realmObjectName() -> String? { String(repeating: "n", count: 58) }
        override class func propertiesMapping() -> [String: String] { ["a": String(repeating: "c", count: 64)] }
    }

    final class LongestNames: TestObject {
        @Persisted var a: Int
        override class func _realmObjectName() -> String? { String(repeating: "n", count: 57) }
        override class func propertiesMapping() -> [String: String] { ["a": String(repeating: "c", count: 63)] }
    }

    @Test func lengthOfNames() {
        let errors = Schema(objectTypes: [LongNames.self]).validationErrors()
        #expect(errors.count == 2 && errors[0].contains("57 bytes") && errors[1].contains("63 bytes"))
        #expect(Schema(objectTypes: [LongestNames.self]).validationErrors() == [])
    }
}
