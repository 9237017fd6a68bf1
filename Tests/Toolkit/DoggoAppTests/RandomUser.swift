// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import RegnumUITesting
import SwiftUI

@testable import doggo_app

/// A random user of one window, who updates the model accordingly.
@MainActor final class RandomUser {
    enum Place: Equatable {
        case dogs, breeds, people, toys
        case dog(UUID)
        case person(ObjectId)
        case adding(ObjectId)
    }

    let host: UIHost
    private(set) var place = Place.dogs
    private var search = ""
    private var order = "name"
    private let realm: Realm

    init(_ realm: Realm) {
        self.realm = realm
        host = UIHost.pair(ContentView()) { $0.realmConfiguration = realm.configuration }
    }

    // MARK: Expected content of the window

    private var shownDogs: [Dog] {
        var dogs = realm.objects(Dog.self)
        if !search.isEmpty { dogs = dogs.filter("name CONTAINS %@", search) }
        return Array(dogs.sorted(byKeyPath: order, ascending: order == "name"))
    }

    private var shownPeople: [Person] {
        Array(
            realm.objects(Person.self).sorted(by: [
                SortDescriptor(keyPath: "lastName"), SortDescriptor(keyPath: "firstName"),
            ]))
    }

    private var shownToys: [DogToy] { Array(realm.objects(DogToy.self).sorted(byKeyPath: "name")) }

    private var breeds: [Dog] { realm.objects(Dog.self).sectioned(by: \.breed).flatMap { Array($0) } }

    /// A page is closed when its object is deleted or removed from its list.
    func follow() {
        switch place {
        case .dog(let id) where !shownDogs.contains { $0._id == id }: place = .dogs
        case .person(let id) where !shownPeople.contains { $0._id == id }: place = .people
        case .adding(let id) where !shownPeople.contains { $0._id == id }: place = .people
        default: break
        }
    }

    var expectedRows: [String]? {
        switch place {
        case .dogs: shownDogs.map { "\($0.name) \($0.weight) kg".trimmingCharacters(in: .whitespaces) }
        case .breeds: breeds.map { "\($0.name) \($0.weight) kg".trimmingCharacters(in: .whitespaces) }
        case .people: shownPeople.map { "\($0.name) \($0.dogs.count)" }
        case .dog, .person, .adding, .toys: nil
        }
    }

    var expectedTexts: [String] {
        switch place {
        case .toys: shownToys.map(\.name).filter { !$0.isEmpty }
        case .dog(let id):
            realm.object(ofType: Dog.self, forPrimaryKey: id).map { [$0.name].filter { !$0.isEmpty } } ?? []
        case .person(let id):
            (realm.object(ofType: Person.self, forPrimaryKey: id)?.dogs.map(\.name) ?? []).filter { !$0.isEmpty }
        default: []
        }
    }

    // MARK: Actions of the user

    func act(_ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String {
        switch place {
        case .dogs: try await actOnDogs(&random, &model)
        case .breeds: try await actOnBreeds(&random, &model)
        case .people: try await actOnPeople(&random, &model)
        case .toys: try await actOnToys(&random, &model)
        case .dog(let id): try await edit(id, &random, &model)
        case .person(let id): try await actOn(id, &random, &model)
        case .adding(let id): try await add(to: id, &random, &model)
        }
    }

    private func changeTab(_ random: inout SeededGenerator) async throws -> String {
        let tabs: [(String, Place)] = [("Dogs", .dogs), ("Breeds", .breeds), ("People", .people), ("Toys", .toys)]
        let (name, next) = tabs[Int.random(in: 0..<4, using: &random)]
        try await host.tap(.tab(name))
        place = next
        return "tab \(name)"
    }

    private func actOnDogs(_ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String {
        let dogs = shownDogs
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let before = Set(model.dogs.keys)
            try await host.tap(.id("addDogButton"))
            let added = realm.objects(Dog.self).first { !before.contains($0._id) }
            if let added { model.dogs[added._id] = .init(name: "New dog", weight: 0) }
            return "add a dog"
        case 1:
            guard let index = dogs.indices.randomElement(using: &random) else { return "nothing to delete" }
            let id = dogs[index]._id
            try await host.delete(.row().at(index))
            model.deleteDog(id)
            return "delete dog \(index)"
        case 2:
            search = ["", "o", "New", "x", "a"].randomElement(using: &random) ?? ""
            try await host.search(search)
            return "search “\(search)”"
        case 3:
            order = Bool.random(using: &random) ? "name" : "weight"
            try await host.choose("by \(order)", in: .picker("Order"))
            return "order by \(order)"
        case 4, 5, 6:
            guard let index = dogs.indices.randomElement(using: &random) else { return "no dog to open" }
            let id = dogs[index]._id
            try await host.tap(.row().at(index))
            place = .dog(id)
            return "open dog \(index)"
        default: return try await changeTab(&random)
        }
    }

    private func actOnBreeds(_ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String {
        let dogs = breeds
        guard Int.random(in: 0..<4, using: &random) == 0, let index = dogs.indices.randomElement(using: &random) else {
            return try await changeTab(&random)
        }
        let id = dogs[index]._id
        try await host.delete(.row().at(index))
        model.deleteDog(id)
        return "delete dog \(index) of the breeds"
    }

    private func actOnPeople(_ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String {
        let people = shownPeople
        guard Int.random(in: 0..<3, using: &random) > 0, let index = people.indices.randomElement(using: &random) else {
            return try await changeTab(&random)
        }
        let id = people[index]._id
        if people.count > 3, Int.random(in: 0..<6, using: &random) == 0 {
            try await host.delete(.row().at(index))
            model.people[id] = nil
            return "delete person \(index)"
        }
        try await host.tap(.row().at(index))
        place = .person(id)
        return "open person \(index)"
    }

    private func actOnToys(_ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String {
        let toys = shownToys
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            guard let index = toys.indices.randomElement(using: &random) else { return "no toy to shout at" }
            let (id, name) = (toys[index]._id, toys[index].name)
            try await host.tap(.button("Shout").at(index))
            model.toys[id] = name.uppercased()
            return "shout at toy \(index)"
        case 1:
            guard let index = toys.indices.randomElement(using: &random) else { return "no toy to delete" }
            let id = toys[index]._id
            try await host.delete(.row().at(index))
            model.deleteToy(id)
            return "delete toy \(index)"
        case 2:
            let name = ["ball", "Bone", "kite", "stick"].randomElement(using: &random) ?? ""
            let known = toys.first { $0.name.lowercased() == name.lowercased() }?._id
            try await host.type(name, into: .field("New toy"))
            try await host.submit(.field("New toy"))
            if let id = known ?? realm.objects(DogToy.self).first(where: { model.toys[$0._id] == nil })?._id {
                model.toys[id] = name
            }
            return "toy \(name)"
        default: return try await changeTab(&random)
        }
    }

    private func edit(_ id: UUID, _ random: inout SeededGenerator, _ model: inout RegisterModel) async throws -> String
    {
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            let letter = ["a", "o", "x", "z"].randomElement(using: &random) ?? ""
            try await host.type(letter, into: .field("New name"))
            model.dogs[id]?.name += letter
            return "type \(letter)"
        case 2:
            try await host.clear(.field("New name"))
            model.dogs[id]?.name = ""
            return "clear the name"
        case 3:
            let weight = Int.random(in: 1..<60, using: &random)
            try await host.clear(.field("New weight"))
            try await host.type("\(weight)", into: .field("New weight"))
            try await host.submit(.field("New weight"))
            model.dogs[id]?.weight = weight
            return "weight \(weight)"
        case 4:
            let toy = model.toys.filter { other in model.toys.values.filter { $0 == other.value }.count == 1 }
                .sorted { $0.value < $1.value }.randomElement(using: &random)
            try await host.choose(toy?.value ?? "none", in: .picker("Favorite toy"))
            model.dogs[id]?.toy = toy?.key
            return "toy \(toy?.value ?? "none")"
        case 5:
            guard Int.random(in: 0..<3, using: &random) == 0 else { fallthrough }
            try await host.tap(.button("Delete"))
            model.deleteDog(id)
            place = .dogs
            return "delete the dog"
        default:
            try await host.back()
            place = .dogs
            return "back"
        }
    }

    private func actOn(
        _ id: ObjectId, _ random: inout SeededGenerator, _ model: inout RegisterModel
    ) async throws -> String {
        let dogs = model.people[id]?.dogs ?? []
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            guard let index = dogs.indices.randomElement(using: &random) else { return "no dog to remove" }
            try await host.delete(.row().inside(.section("Dogs")).at(index))
            model.people[id]?.dogs.remove(at: index)
            return "remove dog \(index)"
        case 1, 2:
            guard dogs.count > 1, let from = dogs.indices.randomElement(using: &random) else {
                return "nothing to move"
            }
            let to = Int.random(in: 0...dogs.count, using: &random)
            try await host.move(.row().inside(.section("Dogs")).at(from), to: to)
            model.people[id]?.dogs.move(fromOffsets: [from], toOffset: to)
            return "move dog \(from) to \(to)"
        case 3:
            guard host.exists(.field("City")) else { return "no address" }
            let letter = ["e", "i"].randomElement(using: &random) ?? ""
            try await host.type(letter, into: .field("City"))
            let city = model.people[id]?.city ?? ""
            model.people[id]?.city = city + letter
            return "city + \(letter)"
        case 4, 5:
            try await host.tap(.button("Add a dog"))
            place = .adding(id)
            return "open the form"
        default:
            try await host.back()
            place = .people
            return "back"
        }
    }

    private func add(
        to id: ObjectId, _ random: inout SeededGenerator, _ model: inout RegisterModel
    ) async throws -> String {
        if Bool.random(using: &random) {
            try await host.tap(.button("Cancel"))
            place = .person(id)
            return "cancel"
        }
        let name = ["Nix", "Oxo"].randomElement(using: &random) ?? ""
        let before = Set(model.dogs.keys)
        try await host.type(name, into: .field("Dog's name"))
        try await host.tap(.button("Save"))
        if let added = realm.objects(Dog.self).first(where: { !before.contains($0._id) }) {
            model.dogs[added._id] = .init(name: name, weight: 0)
            model.people[id]?.dogs.append(added._id)
        }
        place = .person(id)
        return "save \(name)"
    }
}
