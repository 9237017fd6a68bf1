// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// A tour of Realm's features on a new database from `dogs.csv`, a chapter each.
struct Tour {
    let configuration: Realm.Configuration
    var report: Report

    mutating func run() throws {
        report.chapter("A new database")
        report.say("Database: \(configuration.fileURL?.path ?? "")", ["file": configuration.fileURL?.path ?? ""])
        try fill()
        let realm = try Realm(configuration: configuration)
        try toOneLinks(realm)
        try toManyAndInverse(realm)
        try embedded(realm)
        try primaryKeys(realm)
        queries(realm)
        try deletedObject(realm)
        try cancelledWrite(realm)
        try secondOpening(realm)
    }

    private mutating func fill() throws {
        let realm = try Realm(configuration: configuration)
        try Kennel(csv: String(decoding: PackageResources.dogs_csv, as: UTF8.self)).fill(realm)
        let dogs = realm.objects(Dog.self).count
        let people = realm.objects(Person.self).count
        let toys = realm.objects(DogToy.self).count
        report.say(
            "\(people) people have \(dogs) dogs, who share \(toys) kinds of toys.",
            ["people": people, "dogs": dogs, "toys": toys])
    }

    private mutating func toOneLinks(_ realm: Realm) throws {
        report.chapter("A to-one link set to nil leaves both alive")
        guard let dog = realm.objects(Dog.self).where({ $0.favoriteToy.name == "Frisbee" }).first,
            let toy = dog.favoriteToy
        else { return }
        try realm.write { dog.favoriteToy = nil }
        report.say("\(dog.name) has no favourite toy any more; the \(toy.name) is still there.")
        try realm.write {
            dog.favoriteToy = toy
            realm.delete(realm.objects(DogToy.self).where { $0.name == "Rope" })
        }
        let ropeless = realm.objects(Dog.self).where { $0.favoriteToy == nil }.count
        report.say(
            "The rope was deleted: \(ropeless) dogs now have no favourite toy, and every dog is alive.",
            ["withoutToy": ropeless])
    }

    private mutating func toManyAndInverse(_ realm: Realm) throws {
        report.chapter("To-many links, and their inverse, which updates itself")
        let people = realm.objects(Person.self).sorted(byKeyPath: "lastName")
        guard let giver = people.first(where: { !$0.dogs.isEmpty }), let taker = people.last,
            let dog = giver.dogs.first
        else { return }
        report.say("\(dog.name) belongs to \(names(dog.owners)).")
        try realm.write { taker.dogs.append(dog) }
        report.say("After \(taker.name) adopts as well, to \(names(dog.owners)).", ["owners": dog.owners.count])
        try realm.write { giver.dogs.remove(at: 0) }
        report.say("After \(giver.name) lets go, to \(names(dog.owners)).", ["owners": dog.owners.count])
    }

    private func names(_ people: LinkingObjects<Person>) -> String {
        people.map(\.name).joined(separator: " and ")
    }

    private mutating func embedded(_ realm: Realm) throws {
        report.chapter("Embedded objects live and die with their parent")
        guard let club = realm.objects(DogClub.self).first, let office = club.regionalOfficeAddresses.first else {
            return
        }
        let city = office.city ?? ""
        try realm.write { club.regionalOfficeAddresses.remove(at: 0) }
        report.say("The office in \(city) was closed; its address is gone: isInvalidated is \(office.isInvalidated).")
        guard let person = realm.objects(Person.self).first, let home = person.address else { return }
        try realm.write { person.address = Address(value: ["street": "2 New Street", "city": "Oslo"]) }
        report.say(
            "\(person.firstName) moved to \(person.address?.city ?? ""); the old address: \(home.isInvalidated).")
        try realm.write { realm.delete(club) }
        report.say("The club was deleted with the office it had left; its members were not.")
    }

    private mutating func primaryKeys(_ realm: Realm) throws {
        report.chapter("Primary keys")
        guard let dog = realm.objects(Dog.self).first else { return }
        let id = dog._id
        let refusal = try Clash.refusal()
        report.say("A second dog with the same key is refused: “\(refusal)”", ["refused": !refusal.isEmpty])
        let breed = dog.breed ?? "no breed"
        let updated = try realm.write {
            realm.create(Dog.self, value: ["_id": id, "weight": 99], update: .modified)
        }
        report.say(
            "create(update: .modified) changed \(updated.name)'s weight to \(updated.weight) and left \(breed) alone.",
            ["weight": updated.weight, "sameObject": updated == dog])
    }

    private mutating func queries(_ realm: Realm) {
        report.chapter("Queries and sorting")
        let dogs = realm.objects(Dog.self)
        let heavy = dogs.where { $0.weight > 40 && $0.breed != nil }
        report.say("\(heavy.count) dogs of known breed weigh more than 40.", ["heavy": heavy.count])
        let named = dogs.where { $0.name == "Rex" || $0.name == "Bella" }
        report.say("\(named.count) are called Rex or Bella (found through the index).", ["named": named.count])
        let players = dogs.filter("favoriteToy.name == %@ AND NOT weight < 10", "Ball")
        report.say("\(players.count) weigh 10 or more and like the ball.", ["players": players.count])
        let heaviest = dogs.sorted(byKeyPath: "weight", ascending: false).prefix(3)
        report.say("The heaviest: " + heaviest.map { "\($0.name) (\($0.weight))" }.joined(separator: ", ") + ".")
    }

    private mutating func deletedObject(_ realm: Realm) throws {
        report.chapter("A deleted object does not crash")
        guard let dog = realm.objects(Dog.self).last else { return }
        let name = dog.name
        try realm.write { realm.delete(dog) }
        report.say(
            "\(name) is gone. Reading its weight gives \(dog.weight), its owners \(dog.owners.count).",
            ["isInvalidated": dog.isInvalidated])
    }

    private mutating func cancelledWrite(_ realm: Realm) throws {
        report.chapter("An error rolls everything back")
        struct ChangedMyMind: Error {}
        let before = realm.objects(Dog.self).count
        do {
            try realm.write {
                realm.delete(realm.objects(Dog.self))
                throw ChangedMyMind()
            }
        } catch is ChangedMyMind {
            let after = realm.objects(Dog.self).count
            report.say("All \(before) dogs were deleted, and \(after) are there again.", ["dogs": after])
        }
    }

    private mutating func secondOpening(_ realm: Realm) throws {
        report.chapter("The same file, opened a second time")
        let again = try Realm(configuration: configuration)
        report.say("It is the same Realm on this thread: \(again == realm).")
        let configuration = configuration
        let count = try Self.onAnotherThread { try Realm(configuration: configuration).objects(Dog.self).count }
        report.say("Another thread opens it for itself and counts \(count) dogs.", ["dogs": count])
    }

    private static func onAnotherThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let result = Box<Value>()
        let thread = Thread {
            result.finish(Result { try body() })
        }
        thread.start()
        return try result.wait()
    }
}

/// Passes one result from a thread to another. The semaphore guards the accesses to `value` by ordering them.
private final class Box<Value: Sendable>: @unchecked Sendable {
    private var value: Result<Value, any Error>?
    private let ready = DispatchSemaphore(value: 0)

    func finish(_ result: Result<Value, any Error>) {
        value = result
        ready.signal()
    }

    func wait() throws -> Value {
        ready.wait()
        guard let value else { throw CancellationError() }
        return try value.get()
    }
}
