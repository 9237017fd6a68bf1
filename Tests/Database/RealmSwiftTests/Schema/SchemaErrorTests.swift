// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import TestTraits
import Testing

/// Declarations that end the process at the first use of the class, each with its text (model 1 and 2).
@Suite struct SchemaErrorTests: TrapSuite {
    final class TwoKeys: TestObject {
        @Persisted(primaryKey: true) var pk1: Int
        @Persisted(primaryKey: true) var pk2: Int
    }

    @Test(.behaviour("B-019", "B-041", "B-042", "B-057", "B-017", "B-025", "B-040"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Properties 'pk2' and 'pk1' are both marked as the primary key of 'TwoKeys'") {
            _ = TwoKeys().objectSchema
        },
        Trap(
            "Property 'flag' cannot be made the primary key of 'BoolKey' because it is not a 'string', 'int', "
                + "'objectId', or 'uuid' property."
        ) {
            _ = BoolKey().objectSchema
        },
        Trap("Object property 'dog' must be marked as optional.") { _ = RequiredLink().objectSchema },
        Trap("List<Dog> property 'dogs' must not be marked as optional.") { _ = OptionalElements().objectSchema },
        Trap(
            "LinkingObjects<Dog> property 'dogs' must set the origin property name with "
                + "@Persisted(originProperty: \"name\")."
        ) {
            _ = NoOrigin().objectSchema
        },
        Trap("Property 'x' is declared multiple times in the class hierarchy of 'Twice'") { _ = Twice().objectSchema },
        Trap("Object 'TwiceBoth' has properties that are declared multiple times in its class hierarchy: 'x', 'y'") {
            _ = TwiceBoth().objectSchema
        },
        Trap(
            "No properties are defined for 'Empty'. Did you remember to mark them with '@objc' or '@Persisted' in your "
                + "model?"
        ) {
            _ = Schema(objectTypes: [Empty.self])
        },
        Trap("Primary key property 'id' does not exist on object 'Legacy'") { _ = Schema(objectTypes: [Legacy.self]) },
        Trap("Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm.") {
            _ = Schema(objectTypes: [Recursive.self])
        },
    ]

    final class BoolKey: TestObject {
        @Persisted(primaryKey: true) var flag: Bool
    }

    final class RequiredLink: TestObject {
        @Persisted var dog: Dog
    }

    final class OptionalElements: TestObject {
        @Persisted var dogs: List<Dog?>
    }

    final class NoOrigin: TestObject {
        @Persisted var dogs: LinkingObjects<Dog>
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

    final class Empty: TestObject {
        var plain = 1
    }

    final class Legacy: TestObject {
        var id = 1
        override class func primaryKey() -> String? { "id" }
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
}
