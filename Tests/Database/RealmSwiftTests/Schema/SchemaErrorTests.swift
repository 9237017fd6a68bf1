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
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TwoKeys().objectSchema
        }
        expect("Properties 'pk2' and 'pk1' are both marked as the primary key of 'TwoKeys'", in: result)
    }

    final class BoolKey: TestObject {
        @Persisted(primaryKey: true) var flag: Bool
    }

    @Test func primaryKeyOfWrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = BoolKey().objectSchema
        }
        expect(
            "Property 'flag' cannot be made the primary key of 'BoolKey' because it is not a 'string', 'int', "
                + "'objectId', or 'uuid' property.", in: result)
    }

    final class RequiredLink: TestObject {
        @Persisted var dog: Dog
    }

    @Test(.behaviour("B-041")) func requiredLink() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RequiredLink().objectSchema
        }
        expect("Object property 'dog' must be marked as optional.", in: result)
    }

    final class OptionalElements: TestObject {
        @Persisted var dogs: List<Dog?>
    }

    @Test(.behaviour("B-042")) func listOfOptionalLinks() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = OptionalElements().objectSchema
        }
        expect("List<Dog> property 'dogs' must not be marked as optional.", in: result)
    }

    final class NoOrigin: TestObject {
        @Persisted var dogs: LinkingObjects<Dog>
    }

    @Test(.behaviour("B-057")) func linkingObjectsWithoutOrigin() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NoOrigin().objectSchema
        }
        expect(
            "LinkingObjects<Dog> property 'dogs' must set the origin property name with "
                + "@Persisted(originProperty: \"name\").", in: result)
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
        let one = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Twice().objectSchema
        }
        expect("Property 'x' is declared multiple times in the class hierarchy of 'Twice'", in: one)
        let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TwiceBoth().objectSchema
        }
        expect(
            "Object 'TwiceBoth' has properties that are declared multiple times in its class hierarchy: 'x', 'y'",
            in: two)
    }

    final class Empty: TestObject {
        var plain = 1
    }

    final class Legacy: TestObject {
        var id = 1
        override class func primaryKey() -> String? { "id" }
    }

    @Test(.behaviour("B-025")) func noProperties() async {
        let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Schema(objectTypes: [Empty.self])
        }
        expect(
            "No properties are defined for 'Empty'. Did you remember to mark them with '@objc' or '@Persisted' in your "
                + "model?", in: empty)
        let legacy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Schema(objectTypes: [Legacy.self])
        }
        expect("Primary key property 'id' does not exist on object 'Legacy'", in: legacy)
    }

    @Test func linkOutOfTheSchema() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Schema(objectTypes: [Dog.self])
        }
        expect("Invalid class subset list:\n", in: result)
        expect(
            "- 'Dog.toy' links to class 'DogToy', which is missing from the list of classes managed by the Realm",
            in: result)
        expect("- 'Dog.owners' links to class 'Person'", in: result)
    }

    enum Other {
        final class Dog: TestObject {
            @Persisted var name: String
        }
    }

    @Test(.behaviour("S24")) func twoClassesOfOneName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Schema(objectTypes: [Dog.self, Other.Dog.self])
        }
        expect(
            "RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure "
                + "'Dog' is only linked once to your current target.", in: result)
        expect("different names in the file: override `_realmObjectName()` in one of them.", in: result)
    }

    final class Recursive: TestObject {
        @Persisted var count = Recursive.sharedCount
        static var sharedCount: Int { Schema(objectTypes: [Recursive.self]).objectSchema.count }
    }

    @Test(.behaviour("B-040")) func schemaUsedByAnInitialiser() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Schema(objectTypes: [Recursive.self])
        }
        expect(
            "Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm.",
            in: result)
    }
}
