// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Programmer errors of managed lists.
@Suite struct ManagedListErrorTests: TrapSuite {
    @Test(.behaviour("B-327", "B-317", "B-326", "B-334", "B-053", "B-328"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot modify managed List outside of a write transaction.") {
            inRealm { realm in
                let object = try realm.write { realm.create(AllTypes.self) }
                object.ints.append(1)
            }
        },
        Trap("Index 3 is out of bounds (must be less than 3).") {
            inWrite { realm in
                let list = realm.create(AllTypes.self).ints
                list.append(objectsIn: [1, 2, 3])
                list.remove(at: 3)
            }
        },
        Trap("Cannot pass a negative value for 'index'.") {
            inRealm { realm in _ = try realm.write { realm.create(AllTypes.self) }.ints[-1] }
        },
        Trap(
            """
            is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or \
            closed.
            """
        ) {
            inWrite { realm in
                let object = realm.create(AllTypes.self)
                let list = object.ints
                realm.delete(object)
                list.append(1)
            }
        },
        Trap("Object is already managed by another Realm. Use create instead to copy it into this Realm.") {
            inWrite { realm in
                inWrite { other in realm.create(Person.self).dogs.append(other.create(Dog.self)) }
            }
        },
        Trap("Object of type 'Poodle' does not match RLMArray type 'Dog'.") {
            inWrite { realm in
                let list: List<Dog> = realm.create(Person.self).dogs
                list.append(Poodle())
            }
        },
    ]
}

final class Poodle: Dog {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
