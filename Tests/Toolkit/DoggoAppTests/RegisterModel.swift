// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

@testable import doggo_app

/// The expected content of the database, as plain values changed by the rules of the app.
struct RegisterModel: Equatable {
    struct ModelDog: Equatable {
        var name: String
        var weight: Int
        var breed: String?
        var toy: ObjectId?
    }

    struct ModelPerson: Equatable {
        var firstName: String
        var city: String?
        var dogs: [UUID]
    }

    var dogs: [UUID: ModelDog] = [:]
    var people: [ObjectId: ModelPerson] = [:]
    var toys: [ObjectId: String] = [:]

    init(_ realm: Realm) {
        for dog in realm.objects(Dog.self) {
            dogs[dog._id] = ModelDog(
                name: dog.name, weight: dog.weight, breed: dog.breed, toy: dog.favoriteToy?._id)
        }
        for person in realm.objects(Person.self) {
            people[person._id] = ModelPerson(
                firstName: person.firstName, city: person.address?.city, dogs: person.dogs.map(\._id))
        }
        for toy in realm.objects(DogToy.self) { toys[toy._id] = toy.name }
    }

    mutating func deleteDog(_ id: UUID) {
        dogs[id] = nil
        for key in people.keys { people[key]?.dogs.removeAll { $0 == id } }
    }

    mutating func deleteToy(_ id: ObjectId) {
        toys[id] = nil
        for key in dogs.keys where dogs[key]?.toy == id { dogs[key]?.toy = nil }
    }
}
