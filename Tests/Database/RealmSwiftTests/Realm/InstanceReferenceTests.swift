// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Weak references to instances.
struct InstanceReferenceTests {
    /// An object of an iteration, a link, or an index retains the instance exactly as long as it is held.
    @Test(arguments: [false, true])
    func theInstanceIsReleasedWithItsLastUser(isFrozen: Bool) throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/test.realm")
        #expect(try use(file, isFrozen).instance == nil)
    }

    @inline(never)
    private func use(_ file: URL, _ isFrozen: Bool) throws -> InstanceReference {
        let live = try Realm(configuration: .init(fileURL: file, objectTypes: sharedTypes))
        try live.write {
            for number in 0..<10 {
                let dog = live.create(Dog.self, value: ["name": "\(number)", "toy": ["name": "ball"]])
                live.create(Person.self, value: ["firstName": "\(number)", "dogs": [dog]])
            }
        }
        let realm = isFrozen ? live.freeze() : live
        let dogs = realm.objects(Dog.self)
        #expect(dogs.map { $0.toy?.name } == Array(repeating: "ball", count: 10))
        #expect(dogs[3].name == dogs.sorted(byKeyPath: "name")[3].name)
        for person in realm.objects(Person.self) { #expect(person.dogs[0].owners.first?.dogs.count == 1) }
        #expect(realm.instance.reference.instance === realm.instance)
        return realm.instance.reference
    }

    /// Resolving the reference during the release of the last user returns a working instance or nil.
    @Test func resolvedDuringItsRelease() throws {
        try withRealm { realm in
            try realm.write { _ = realm.create(Dog.self) }
            for _ in 0..<300 {
                let held = Locked<Realm?>(realm.freeze())
                guard let reference = held.withLock({ $0?.instance.reference }) else { continue }
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    if thread == 0 { return held.withLock { $0 = nil } }
                    for _ in 0..<20 {
                        guard let instance = reference.instance else { return }
                        #expect(Realm(instance).objects(Dog.self).count == 1)
                    }
                }
                #expect(reference.instance == nil)
            }
        }
    }
}
