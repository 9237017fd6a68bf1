// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwiftLegacy

enum Mood: Int, PersistableEnum {
    case good = 1
    case bad = 2
}

enum Weather: Int, RealmEnum {
    case wet = 3
    case dry
}

/// The original's declarations without `@objc`.
@PersistedMembers
class Person: Object {
    dynamic var id = 0
    dynamic var name = ""
    dynamic var nickname: String?
    dynamic var motto: String? = nil
    dynamic var born = Date(timeIntervalSince1970: 0)
    dynamic var photo = Data()
    dynamic var price: Decimal128 = 0
    dynamic var code = UUID()
    dynamic var ratio = 0.5
    dynamic var isActive: Bool = true
    dynamic var mood = Mood.good
    dynamic var weather: Weather = .dry
    dynamic var met: NSDate = NSDate(timeIntervalSince1970: 5)
    dynamic var motherTongue: NSString? = nil
    dynamic var dog: Dog?
    dynamic var address: Address?
    let age = RealmProperty<Int?>()
    let anything = RealmProperty<AnyRealmValue>()
    let dogs = List<Dog>()
    let tags = MutableSet<String>()
    let scores = Map<String, Int>()

    dynamic var changes = 0 {
        didSet { observed += 1 }
    }

    dynamic var homepage = URL(string: "https://example.com")
    dynamic var session = 1
    dynamic var isAdult: Bool { (age.value ?? 0) >= 18 }
    dynamic var upperName: String {
        get { name.uppercased() }
        set { name = newValue.lowercased() }
    }
    dynamic lazy var cache = [Int]()
    var observed = 0
    static var count: Int { 1 }

    override static func primaryKey() -> String? {
        return "id"
    }

    override static func indexedProperties() -> [String] {
        return ["name", "born"]
    }

    override static func ignoredProperties() -> [String] {
        return ["homepage", "session", "cache"]
    }
}

@PersistedMembers
class Dog: Object {
    dynamic var name = ""
    dynamic var owner: Person?
    let owners = LinkingObjects(fromType: Person.self, property: "dogs")
}

@PersistedMembers
class Puppy: Dog {
    dynamic var weeks = 1
}

@PersistedMembers
class Address: EmbeddedObject {
    dynamic var street = ""
}

/// One `@Persisted` property excludes the others.
@PersistedMembers
class Mixed: Object {
    @Persisted var stored = 1
    dynamic var left = 1
}

// The current declarations of these tables.

class PersonToday: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var nickname: String?
    @Persisted var motto: String?
    @Persisted(indexed: true) var born = Date(timeIntervalSince1970: 0)
    @Persisted var photo = Data()
    @Persisted var price: Decimal128 = 0
    @Persisted var code = UUID()
    @Persisted var ratio = 0.5
    @Persisted var isActive = true
    @Persisted var mood = Mood.good
    @Persisted var weather = 4
    @Persisted var met = Date(timeIntervalSince1970: 5)
    @Persisted var motherTongue: String?
    @Persisted var dog: DogToday?
    @Persisted var address: AddressToday?
    @Persisted var age: Int?
    @Persisted var anything: AnyRealmValue
    @Persisted var dogs: List<DogToday>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var changes = 0

    override class func _realmObjectName() -> String? { "Person" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class DogToday: Object {
    @Persisted var name: String
    @Persisted var owner: PersonToday?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<PersonToday>

    override class func _realmObjectName() -> String? { "Dog" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class AddressToday: EmbeddedObject {
    @Persisted var street: String

    override class func _realmObjectName() -> String? { "Address" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
