// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import TestTraits
import Testing

/// Declarations that end the process at the first use of the class, each with its text (model 1 and 2).
@Suite struct SchemaErrorTests {
    final class TwoKeys: TestObject {
        @Persisted(primaryKey: true) var pk1: Int
        @Persisted(primaryKey: true) var pk2: Int
    }

    @Test(.behaviour("B-019")) func twoPrimaryKeys() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = TwoKeys().objectSchema
        }.expectText("Properties 'pk2' and 'pk1' are both marked as the primary key of 'TwoKeys'")
    }

    final class BoolKey: TestObject {
        @Persisted(primaryKey: true) var flag: Bool
    }

    @Test func primaryKeyOfWrongType() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = BoolKey().objectSchema
        }.expectText(
            "Property 'flag' cannot be made the primary key of 'BoolKey' because it is not a 'string', 'int', "
                + "'objectId', or 'uuid' property.")
    }

    final class RequiredLink: TestObject {
        @Persisted var dog: Dog
    }

    @Test(.behaviour("B-041")) func requiredLink() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = RequiredLink().objectSchema
        }.expectText("Object property 'dog' must be marked as optional.")
    }

    final class OptionalElements: TestObject {
        @Persisted var dogs: List<Dog?>
    }

    @Test(.behaviour("B-042")) func listOfOptionalLinks() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = OptionalElements().objectSchema
        }.expectText("List<Dog> property 'dogs' must not be marked as optional.")
    }

    final class NoOrigin: TestObject {
        @Persisted var dogs: LinkingObjects<Dog>
    }

    @Test(.behaviour("B-057")) func linkingObjectsWithoutOrigin() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = NoOrigin().objectSchema
        }.expectText(
            "LinkingObjects<Dog> property 'dogs' must set the origin property name with "
                + "@Persisted(originProperty: \"name\").")
    }

    class Once: TestObject {
        @Persisted private var x: Int
    }

    final class Twice: Once {
        @Persisted private var x: Int
    }

    class OnceBoth: TestObject {
        @Persisted private var x: Int
        @Persisted private var y: Int
    }

    final class TwiceBoth: OnceBoth {
        @Persisted private var x: Int
        @Persisted private var y: Int
    }

    @Test(.behaviour("B-017")) func propertyDeclaredTwice() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Twice().objectSchema
        }.expectText("Property 'x' is declared multiple times in the class hierarchy of 'Twice'")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = TwiceBoth().objectSchema
        }.expectText(
            "Object 'TwiceBoth' has properties that are declared multiple times in its class hierarchy: 'x', 'y'")
    }

    final class Empty: TestObject {
        var plain = 1
    }

    final class Legacy: TestObject {
        var id = 1
        override class func primaryKey() -> String? { "id" }
    }

    @Test(.behaviour("B-025")) func noProperties() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Schema(objectTypes: [Empty.self])
        }.expectText(
            "No properties are defined for 'Empty'. Did you remember to mark them with '@objc' or '@Persisted' in your "
                + "model?")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Schema(objectTypes: [Legacy.self])
        }.expectText("Primary key property 'id' does not exist on object 'Legacy'")
    }

    @Test func linkOutOfTheSchema() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Schema(objectTypes: [Dog.self])
        }
        result.expectText("Invalid class subset list:\n")
        result.expectText(
            "- 'Dog.toy' links to class 'DogToy', which is missing from the list of classes managed by the Realm")
        result.expectText("- 'Dog.owners' links to class 'Person'")
    }

    enum Other {
        final class Dog: TestObject {
            @Persisted var name: String
        }
    }

    @Test(.behaviour("S24")) func twoClassesOfOneName() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Schema(objectTypes: [Dog.self, Other.Dog.self])
        }
        result.expectText(
            "RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure "
                + "'Dog' is only linked once to your current target.")
        result.expectText("different names in the file: override `_realmObjectName()` in one of them.")
    }

    final class Recursive: TestObject {
        @Persisted var count = Recursive.sharedCount
        static var sharedCount: Int { Schema(objectTypes: [Recursive.self]).objectSchema.count }
    }

    @Test(.behaviour("B-040")) func schemaUsedByAnInitialiser() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Schema(objectTypes: [Recursive.self])
        }.expectText("Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm.")
    }
}
