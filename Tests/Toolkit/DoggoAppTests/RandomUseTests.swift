// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import RegnumUITesting
import SwiftUI
import Testing

@testable import doggo_app

/// Two users of one database, and writes from outside of views, in random order. After each event, the database and
/// both windows must match the model. `REGNUM_UI_EVENTS` sets the number of events.
@MainActor @Suite struct RandomUseTests {
    @Test func theDatabaseAndBothWindowsMatchTheModel() async throws {
        var random = SeededGenerator(for: "RandomUseTests")
        let realm = try newRealm()
        try Register.fill(realm)
        try realm.write {
            for number in 0..<4 {
                realm.create(
                    Person.self, value: ["firstName": "Person", "lastName": "\(number)", "_id": ObjectId.generate()])
            }
        }
        var model = RegisterModel(realm)
        let users = [RandomUser(realm), RandomUser(realm)]
        var history: [String] = []
        for number in 0..<(Settings.number("REGNUM_UI_EVENTS") ?? 150) {
            if model.dogs.count < 3 {
                try addDogs(realm, &model)
                for user in users { await user.host.settle() }
            }
            let acting = Int.random(in: 0...users.count * 2, using: &random)
            do {
                if acting == users.count * 2 {
                    history.append("beside: \(try changeBeside(realm, &random, &model))")
                } else {
                    let event = try await users[acting % 2].act(&random, &model)
                    history.append("user \(acting % 2): \(event)")
                }
            } catch {
                throw Failure("event \(number) after \(history.suffix(12)): \(error)")
            }
            for user in users {
                await user.host.settle()
                user.follow()
            }
            try verify(realm, model, users, "event \(number) after \(history.suffix(12))")
        }
    }

    private func newRealm() throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: "random \(UUID())", objectTypes: Register.classes))
    }

    private func verify(_ realm: Realm, _ model: RegisterModel, _ users: [RandomUser], _ when: String) throws {
        guard RegisterModel(realm) == model else { throw Failure("\(when): the database is not as the model says") }
        for (number, user) in users.enumerated() {
            let rows = user.host.all(.row()).map(\.name)
            if let expected = user.expectedRows, expected != rows {
                throw Failure("\(when): window \(number) at \(user.place) shows \(rows), not \(expected)")
            }
            for text in user.expectedTexts where !user.host.exists(.text(text)) {
                throw Failure("\(when): window \(number) at \(user.place) lacks “\(text)”:\n\(user.host.dump)")
            }
            if !user.host.log.isEmpty { throw Failure("\(when): window \(number) says \(user.host.log)") }
        }
    }

    private func addDogs(_ realm: Realm, _ model: inout RegisterModel) throws {
        try realm.write {
            for (index, person) in realm.objects(Person.self).prefix(3).enumerated() {
                let dog = Dog(value: ["_id": UUID(), "name": "Dog \(index)", "weight": index])
                dog.breed = ["boxer", "beagle", nil][index]
                person.dogs.append(dog)
            }
        }
        model = RegisterModel(realm)
    }

    private func changeBeside(
        _ realm: Realm, _ random: inout SeededGenerator, _ model: inout RegisterModel
    ) throws -> String {
        let dogs = Array(realm.objects(Dog.self))
        guard let dog = dogs.randomElement(using: &random) else { return "no dog" }
        let id = dog._id
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            try realm.write { realm.delete(dog) }
            model.deleteDog(id)
            return "delete a dog"
        case 1:
            let breed = ["boxer", "beagle", nil].randomElement(using: &random) ?? nil
            try realm.write { dog.breed = breed }
            model.dogs[id]?.breed = breed
            return "change a breed"
        default:
            try realm.write { dog.name += "o" }
            model.dogs[id]?.name += "o"
            return "change a name"
        }
    }
}
