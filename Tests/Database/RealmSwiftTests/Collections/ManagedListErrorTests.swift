// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

/// Programmer errors of managed lists.
@Suite struct ManagedListErrorTests {
    @Test func B_327_outsideOfAWrite() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm { realm in
                let object = try realm.write { realm.create(AllTypes.self) }
                object.ints.append(1)
            }
        }
        expect("Cannot modify managed List outside of a write transaction.", in: result)
    }

    @Test func B_317_aboveTheEnd() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in
                let list = realm.create(AllTypes.self).ints
                list.append(objectsIn: [1, 2, 3])
                list.remove(at: 3)
            }
        }
        expect("Index 3 is out of bounds (must be less than 3).", in: result)
    }

    @Test func B_326_belowTheStart() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm { realm in _ = try realm.write { realm.create(AllTypes.self) }.ints[-1] }
        }
        expect("Cannot pass a negative value for 'index'.", in: result)
    }

    @Test func B_334_theOwnerIsGone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in
                let object = realm.create(AllTypes.self)
                let list = object.ints
                realm.delete(object)
                list.append(1)
            }
        }
        expect(
            """
            is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or \
            closed.
            """, in: result)
    }

    @Test("B-065: an embedded object of another parent") func embedded() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in
                let object = realm.create(AllTypes.self)
                object.embeddeds.append(Address())
                object.embeddeds.append(object.embeddeds[0])
            }
        }
        expect("Cannot add an existing managed embedded object to a List.", in: result)
    }

    @Test("B-053: an object of another Realm") func otherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in
                inWrite { other in realm.create(Person.self).dogs.append(other.create(Dog.self)) }
            }
        }
        expect(
            "Object is already managed by another Realm. Use create instead to copy it into this Realm.", in: result)
    }

    @Test func B_328_objectOfAnotherClass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in
                let list: List<Dog> = realm.create(Person.self).dogs
                list.append(Poodle())
            }
        }
        expect("Object of type 'Poodle' does not match RLMArray type 'Dog'.", in: result)
    }
}

final class Poodle: Dog {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
