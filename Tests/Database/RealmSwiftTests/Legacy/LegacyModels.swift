// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@testable import RealmSwift

enum OldSize: Int, RealmEnum {
    case small = 1
    case large = 7
}

/// A class of the style before 10.10. `@Persisted(_dynamic: true)` is the macro's expansion for a `dynamic var`.
final class OldPerson: TestObject {
    @Persisted(_dynamic: true) dynamic var id = 0
    @Persisted(_dynamic: true) dynamic var name = "?"
    @Persisted(_dynamic: true) dynamic var nickname: String?
    @Persisted(_dynamic: true) dynamic var friend: OldPerson?
    let age = RealmProperty<Int?>()
    let weight = RealmProperty<Double?>()
    let isTall = RealmProperty<Bool?>()
    let size = RealmProperty<OldSize?>()
    let newerSize = RealmProperty<Size?>()
    let anything = RealmProperty<AnyRealmValue>()
    let dogs = List<OldDog>()
    let tags = MutableSet<String>()
    let scores = Map<String, Int?>()
    @Persisted(_dynamic: true) dynamic var scratch = 1
    var plain = 2

    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["name", "anything"] }
    override class func ignoredProperties() -> [String] { ["scratch"] }

    static let types: [ObjectBase.Type] = [OldPerson.self, OldDog.self]
}

final class OldDog: TestObject {
    @Persisted(_dynamic: true) dynamic var name = ""
    let owners = LinkingObjects(fromType: OldPerson.self, property: "dogs")

    convenience init(_ name: String) { self.init(value: ["name": name]) }
}

/// Declares the tables above in today's style.
final class NewPerson: TestObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = "?"
    @Persisted var nickname: String?
    @Persisted var friend: NewPerson?
    @Persisted var age: Int?
    @Persisted var weight: Double?
    @Persisted var isTall: Bool?
    @Persisted var size: Int?
    @Persisted var newerSize: Size?
    @Persisted var anything: AnyRealmValue
    @Persisted var dogs: List<NewDog>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int?>

    override class func _realmObjectName() -> String? { "OldPerson" }

    static let types: [ObjectBase.Type] = [NewPerson.self, NewDog.self]
}

final class NewDog: TestObject {
    @Persisted var name: String
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<NewPerson>
    override class func _realmObjectName() -> String? { "OldDog" }
}
