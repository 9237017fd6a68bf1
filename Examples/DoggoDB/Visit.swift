// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// Visits an existing database of this schema: lists its objects, changes one, and deletes one.
struct Visit {
    let file: URL
    var report: Report

    mutating func run() throws {
        // Before the first write: a damaged file is rejected as a whole and left unchanged.
        try Realm.check(fileAt: file).requireClean()
        var configuration = Realm.Configuration(fileURL: file)
        // The file may have more data than these models declare, which stays unchanged.
        configuration.schemaRules.mode = .additive
        let realm = try Realm(configuration: configuration)
        list(realm)
        try change(realm)
        try delete(realm)
    }

    private mutating func list(_ realm: Realm) {
        report.chapter("What is in \(file.lastPathComponent)")
        let counts = [
            ("people", realm.objects(Person.self).count), ("dogs", realm.objects(Dog.self).count),
            ("toys", realm.objects(DogToy.self).count), ("clubs", realm.objects(DogClub.self).count),
            ("companies", realm.objects(Company.self).count), ("employees", realm.objects(Employee.self).count),
        ]
        for (name, count) in counts { report.say("\(count) \(name)", [name: count]) }
        for dog in realm.objects(Dog.self).sorted(byKeyPath: "name").prefix(5) {
            let owners = dog.owners.map(\.name).joined(separator: ", ")
            report.say("\(dog.name), \(dog.breed ?? "of unknown breed"), \(dog.weight), owned by \(owners)")
        }
    }

    private mutating func change(_ realm: Realm) throws {
        report.chapter("A change")
        guard let dog = realm.objects(Dog.self).sorted(byKeyPath: "name").first else { return }
        let before = dog.weight
        try realm.write { dog.weight += 1 }
        report.say("\(dog.name) weighed \(before) and now weighs \(dog.weight).", ["weight": dog.weight])
        let puppy = try realm.write {
            realm.create(Dog.self, value: ["_id": UUID(), "name": "Puppy", "weight": 2] as [String: Any])
        }
        report.say("\(puppy.name) was born.", ["dogs": realm.objects(Dog.self).count])
    }

    private mutating func delete(_ realm: Realm) throws {
        report.chapter("A deletion")
        guard let person = realm.objects(Person.self).first(where: { $0.address != nil }) else { return }
        let name = person.name
        let dogs = person.dogs.count
        try realm.write { realm.delete(person) }
        report.say(
            "\(name) is gone, with the address, but not the \(dogs) dogs.", ["people": realm.objects(Person.self).count]
        )
    }
}
