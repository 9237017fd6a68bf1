// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// The database of the program: the file in the command line, a synchronised one, or sample dogs in memory.
enum Register {
    /// The options whose next argument is a value, and so not a file.
    private static let optionsWithValues: Set = ["--port", "--host", "--sync"]
    /// The app's identifier on a server without a configuration.
    static let appId = "app"

    static let classes: [ObjectBase.Type] = [
        Person.self, Dog.self, DogToy.self, DogClub.self, Address.self, Company.self, Employee.self,
    ]

    /// Makes the database the default one, and fills it if it is empty. Later calls have no effect.
    @MainActor static func open(_ arguments: [String] = CommandLine.arguments) {
        guard kept == nil, synchronisation == nil else { return }
        if let server = server(arguments) {
            return synchronise(server, arguments.contains("--flexible") ? .subscriptions : .partition)
        }
        Realm.Configuration.defaultConfiguration = configuration(arguments)
        do {
            kept = try Realm()
            if let realm = kept, realm.isEmpty { try fill(realm) }
        } catch {
            FileHandle.standardError.write(Data("doggo-app: \(error)\n".utf8))
            exit(1)
        }
    }

    /// A Realm in memory exists as long as an instance of it is open.
    @MainActor private static var kept: Realm?

    /// The configuration of a synchronised file. The user determines its location.
    static let synchronised = Realm.Configuration(objectTypes: classes)

    /// The data of a server that a view opens.
    enum Synchronisation {
        /// All objects of a partition, opened by `SyncedView`.
        case partition
        /// The objects of subscriptions, opened by `SubscribedView`.
        case subscriptions
    }

    /// Nil unless the register is on a server.
    @MainActor private(set) static var synchronisation: Synchronisation?

    /// The configuration of a file with subscriptions to all objects.
    static func subscribed(_ user: User) -> Realm.Configuration {
        var configuration = user.flexibleSyncConfiguration(initialSubscriptions: { subscriptions in
            subscriptions.append(QuerySubscription<Person>())
            subscriptions.append(QuerySubscription<Dog>())
            subscriptions.append(QuerySubscription<DogToy>())
            subscriptions.append(QuerySubscription<DogClub>())
            subscriptions.append(QuerySubscription<Company>())
            subscriptions.append(QuerySubscription<Employee>())
        })
        configuration.objectTypes = classes
        return configuration
    }

    @MainActor static func synchronise(_ server: String, _ kind: Synchronisation = .partition) {
        synchronisation = kind
        _ = App(id: appId, configuration: AppConfiguration(baseURL: server))
    }

    private static func server(_ arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: "--sync"), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }

    /// Returns the configuration selected by a command line. A file may have more data than these models declare, which
    /// stays unchanged.
    static func configuration(_ arguments: [String]) -> Realm.Configuration {
        guard let path = file(arguments) else {
            return Realm.Configuration(inMemoryIdentifier: "doggo-app", objectTypes: classes)
        }
        var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: classes)
        configuration.schemaRules.mode = .additive
        return configuration
    }

    private static func file(_ arguments: [String]) -> String? {
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if optionsWithValues.contains(argument) { _ = rest.popFirst() }
            if !argument.hasPrefix("-") { return argument }
        }
        return nil
    }

    static func fill(_ realm: Realm) throws {
        let dogs: [(name: String, breed: String?, weight: Int, toy: String)] = [
            ("Ada", "beagle", 11, "ball"), ("Bo", "boxer", 29, "bone"), ("Max", nil, 17, "ball"),
            ("Rex", "boxer", 33, "rope"), ("Zoe", "beagle", 9, "bone"),
        ]
        try realm.write {
            var toys: [String: DogToy] = [:]
            for name in ["ball", "bone", "rope"] {
                toys[name] = realm.create(DogToy.self, value: ["_id": ObjectId.generate(), "name": name])
            }
            for (index, name) in ["Pia Hansen", "Lee Ito"].enumerated() {
                let names = name.split(separator: " ").map(String.init)
                let person = realm.create(
                    Person.self, value: ["_id": ObjectId.generate(), "firstName": names[0], "lastName": names[1]])
                person.address = Address(value: ["street": "\(index + 1) Bone Square", "city": "Oslo"])
                for (number, dog) in dogs.enumerated() where number % 2 == index {
                    let made = Dog(value: ["_id": UUID(), "name": dog.name, "weight": dog.weight])
                    (made.breed, made.favoriteToy) = (dog.breed, toys[dog.toy])
                    made.dateOfBirth = Date(timeIntervalSince1970: 1_500_000_000 + Double(number) * 7_000_000)
                    person.dogs.append(made)
                }
            }
        }
    }
}
