// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors of managed lists.
@Suite struct ManagedListErrorTests {
    @Test(.behaviour("B-327")) func outsideOfAWrite() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm { realm in
                let object = try realm.write { realm.create(AllTypes.self) }
                object.ints.append(1)
            }
        }.expectText("Cannot modify managed List outside of a write transaction.")
    }

    @Test(.behaviour("B-317")) func aboveTheEnd() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { realm in
                let list = realm.create(AllTypes.self).ints
                list.append(objectsIn: [1, 2, 3])
                list.remove(at: 3)
            }
        }.expectText("Index 3 is out of bounds (must be less than 3).")
    }

    @Test(.behaviour("B-326")) func belowTheStart() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm { realm in _ = try realm.write { realm.create(AllTypes.self) }.ints[-1] }
        }.expectText("Cannot pass a negative value for 'index'.")
    }

    @Test(.behaviour("B-334")) func theOwnerWasDeleted() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { realm in
                let object = realm.create(AllTypes.self)
                let list = object.ints
                realm.delete(object)
                list.append(1)
            }
        }.expectText(
            """
            is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or \
            closed.
            """)
    }

    @Test("an object of another Realm", .behaviour("B-053")) func otherRealm() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { realm in
                inWrite { other in realm.create(Person.self).dogs.append(other.create(Dog.self)) }
            }
        }.expectText("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }

    @Test(.behaviour("B-328")) func objectOfAnotherClass() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { realm in
                let list: List<Dog> = realm.create(Person.self).dogs
                list.append(Poodle())
            }
        }.expectText("Object of type 'Poodle' does not match RLMArray type 'Dog'.")
    }
}

final class Poodle: Dog {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
