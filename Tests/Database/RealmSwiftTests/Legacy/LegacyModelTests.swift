// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Declarations of the style before 10.10 (behaviours B-026 to B-032). `@Persisted(_dynamic: true)` is the macro's
/// expansion for a `dynamic var`.
@Suite struct LegacyModelTests: TrapSuite {
    final class LazyProperty: TestObject {
        let numbers = List<Int>()
        lazy var x = 1
    }

    final class IgnoredLazyProperty: TestObject {
        let numbers = List<Int>()
        lazy var x = 1
        override class func ignoredProperties() -> [String] { ["x"] }
    }

    @Test(.behaviour("B-026")) func lazyProperties() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = LazyProperty().objectSchema
        }.expectText(
            "Lazy managed property 'x' is not allowed on a Realm Swift object class. Either add the property to the "
                + "ignored properties list or make it non-lazy.")
        #expect(IgnoredLazyProperty().objectSchema.properties.map(\.name) == ["numbers"])
    }

    final class NewName: TestObject {
        @Persisted(_dynamic: true) dynamic var newThing = 1
    }

    final class CopyName: TestObject {
        let _copy = List<Int>()
    }

    final class HarmlessNames: TestObject {
        @Persisted(_dynamic: true) dynamic var newest = 1
        @Persisted(_dynamic: true) dynamic var copyright = ""
        @Persisted(_dynamic: true) dynamic var renew = true
    }

    final class PersistedName: TestObject {
        @Persisted var newThing: Int
    }

    @Test(.behaviour("B-027")) func familiesOfNames() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = NewName().objectSchema
        }.expectText("Property names beginning with 'new' are not supported.")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = CopyName().objectSchema
        }.expectText("Property names beginning with 'copy' are not supported.")
        #expect(HarmlessNames().objectSchema.properties.map(\.name) == ["newest", "copyright", "renew"])
        #expect(PersistedName().objectSchema.properties.map(\.name) == ["newThing"])
    }

    final class MissingKey: TestObject {
        @Persisted(_dynamic: true) dynamic var a = 1
        override class func primaryKey() -> String? { "x" }
    }

    final class IgnoredKey: TestObject {
        @Persisted(_dynamic: true) dynamic var a = 1
        @Persisted(_dynamic: true) dynamic var x = 1
        override class func primaryKey() -> String? { "x" }
        override class func ignoredProperties() -> [String] { ["x"] }
    }

    @Test(.behaviour("B-028", "B-029"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Primary key property 'x' does not exist on object 'MissingKey'") { _ = MissingKey().objectSchema },
        Trap("Primary key property 'x' does not exist on object 'IgnoredKey'") { _ = IgnoredKey().objectSchema },
        Trap(
            "Property 'date' cannot be made the primary key of 'DateKey' because it is not a 'string', 'int', "
                + "'objectId', or 'uuid' property."
        ) {
            _ = DateKey().objectSchema
        },
        Trap("Property 'numbers' cannot be made the primary key of 'ListKey'") { _ = ListKey().objectSchema },
    ]

    final class DateKey: TestObject {
        @Persisted(_dynamic: true) dynamic var date = Date()
        override class func primaryKey() -> String? { "date" }
    }

    final class ListKey: TestObject {
        let numbers = List<Int>()
        override class func primaryKey() -> String? { "numbers" }
    }

    final class Ignoring: TestObject {
        @Persisted(_dynamic: true) dynamic var kept = 1
        @Persisted(_dynamic: true) dynamic var left = 1
        let numbers = List<Int>()
        let leftNumbers = List<Int>()
        let leftValue = RealmProperty<Int?>()
        override class func ignoredProperties() -> [String] { ["left", "leftNumbers", "leftValue"] }
    }

    final class IgnoringEmbedded: TestEmbedded {
        @Persisted(_dynamic: true) dynamic var kept = 1
        @Persisted(_dynamic: true) dynamic var left = 1
        override class func ignoredProperties() -> [String] { ["left"] }
    }

    @Test(.behaviour("B-031")) func ignoredPropertiesLiveInMemory() throws {
        #expect(Ignoring().objectSchema.properties.map(\.name) == ["kept", "numbers"])
        #expect(IgnoringEmbedded().objectSchema.properties.map(\.name) == ["kept"])
        try withRealm([Ignoring.self]) { realm in
            let object = Ignoring()
            object.left = 2
            try realm.write { realm.add(object) }
            object.left += 1
            object.leftNumbers.append(4)
            object.leftValue.value = 5
            #expect(object.left == 3 && Array(object.leftNumbers) == [4] && object.leftValue.value == 5)
            let other = try #require(realm.objects(Ignoring.self).first)
            #expect(other.left == 1 && other.leftNumbers.isEmpty && other.leftValue.value == nil)
        }
    }

    final class ReadOnly: TestObject {
        let numbers = List<Int>()
        let constant = 1
        var computed: Int { constant + numbers.count }
        static var shared: List<Int> { List() }
    }

    @Test(.behaviour("B-032")) func readOnlyPropertiesAreIgnored() {
        #expect(ReadOnly().objectSchema.properties.map(\.name) == ["numbers"])
        #expect(ReadOnly().computed == 1)
    }
}
