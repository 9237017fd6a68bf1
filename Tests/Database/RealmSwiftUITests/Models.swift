// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
@testable import RealmSwiftUI

final class UIDog: Object, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var breed: String?
    @Persisted var weight: Int
    @Persisted var isGood: Bool
    @Persisted var toy: UIToy?
    @Persisted var collar: UICollar?
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var profileImage: String?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<UIPerson>

    convenience init(_ id: Int, _ name: String, weight: Int = 0, breed: String? = nil) {
        self.init()
        (_id, self.name, self.weight, self.breed) = (id, name, weight, breed)
    }
}

/// Uses the default identity of `Identifiable`: it has no property for it, and no other conformance.
final class UIToy: Object, Identifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name: String

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

final class UICollar: EmbeddedObject, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var color: String

    convenience init(_ color: String) {
        self.init()
        self.color = color
    }
}

final class UIPerson: Object, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var dogs: List<UIDog>
    @Persisted var friends: MutableSet<UIDog>
    @Persisted var collars: List<UICollar>
    @Persisted var byRole: Map<String, UIDog?>

    convenience init(_ id: Int, _ name: String) {
        self.init()
        (_id, self.name) = (id, name)
    }
}

final class UIDogView: Projection<UIDog>, ObjectKeyIdentifiable {
    @Projected(\UIDog.name) var name
    @Projected(\UIDog.toy?.name) var toyName
}

@MainActor struct Kennel {
    static let classes: [ObjectBase.Type] = [UIDog.self, UIToy.self, UICollar.self, UIPerson.self]

    let configuration: Realm.Configuration
    let realm: Realm

    init(_ dogs: [UIDog] = []) throws {
        // Tests trigger the release of old versions themselves. Apple's SwiftUI retains none of our versions.
        #if !canImport(Darwin)
            Resting.delay = 3600
        #endif
        configuration = Realm.Configuration(inMemoryIdentifier: "ui \(UUID())", objectTypes: Self.classes)
        realm = try Realm(configuration: configuration)
        try realm.write { realm.add(dogs) }
    }

    static func rexAdaBo() throws -> Kennel {
        try Kennel([
            UIDog(1, "Rex", weight: 30, breed: "boxer"), UIDog(2, "Ada", weight: 10, breed: "beagle"),
            UIDog(3, "Bo", weight: 20, breed: "boxer"),
        ])
    }

    var dogs: Results<UIDog> { realm.objects(UIDog.self) }
    var names: [String] { dogs.sorted(by: \._id).map(\.name) }

    func dog(_ id: Int) throws -> UIDog {
        guard let dog = realm.object(ofType: UIDog.self, forPrimaryKey: id) else { throw Missing() }
        return dog
    }

    func writeElsewhere(_ body: @escaping @Sendable (Realm) -> Void) async throws {
        let configuration = configuration
        try await Task.detached {
            let realm = try Realm(configuration: configuration)
            try realm.write { body(realm) }
        }.value
    }

    struct Missing: Error {}
}
