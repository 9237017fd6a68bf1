// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@testable import RealmSwift

class Villager: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var firstName = ""
    @Persisted var lastName: String
    @Persisted var age: Int
    @Persisted var home: Home?
    @Persisted var friends: List<Villager>
    @Persisted var rivals: MutableSet<Villager>
    @Persisted var reviews: List<String>
    @Persisted var notes: Map<String, String>
    @Persisted var byName: Map<String, Villager?>
    @Persisted(originProperty: "friends") var admirers: LinkingObjects<Villager>
    var plain = 3
    var fullName: String { firstName + " " + lastName }

    static let types: [ObjectBase.Type] = [Villager.self, Home.self, Country.self, Stone.self]

    convenience init(_ id: Int, _ firstName: String, _ lastName: String = "", age: Int = 0, city: String? = nil) {
        self.init(value: ["id": id, "firstName": firstName, "lastName": lastName, "age": age])
        if let city { home = Home(value: ["city": city, "country": Country(value: ["name": "Land of " + city])]) }
    }

    override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
}

class Home: TestEmbedded {
    @Persisted var city: String
    @Persisted var country: Country?
}

class Country: TestObject {
    @Persisted var name: String
}

class Stone: TestObject {
    @Persisted var weight: Double
}

class VillagerView: Projection<Villager> {
    @Projected(\Villager.firstName) var firstName
    @Projected(\Villager.lastName.localizedUppercase) var shouted
    @Projected(\Villager.age) var years
    @Projected(\Villager.home?.city) var homeCity
    @Projected(\Villager.home?.country?.name) var homeland
    @Projected(\Villager.home) var house
    @Projected(\Villager.friends.projectTo.firstName) var friendsNames: ProjectedCollection<String>
    @Projected(\Villager.rivals.projectTo.age) var rivalsAges: ProjectedCollection<Int>
    @Projected(\Villager.reviews) var reviews
}

/// Its own properties, the inherited ones, and a plain property.
final class LongVillagerView: VillagerView {
    @Projected(\Villager.notes) var notes
    var plain = 1
}

final class HomeView: Projection<Home> {
    @Projected(\Home.city) var name
}

final class StoneView: Projection<Stone> {
    @Projected(\Stone.weight) var weight
}

final class PlainView: Projection<Villager> {
    @Projected(\Villager.plain) var plain
}
