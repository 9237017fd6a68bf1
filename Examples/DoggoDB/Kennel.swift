// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// The rows of `dogs.csv`, each with a dog and its owner.
struct Kennel {
    struct Row {
        let dog, breed, weight, born, toy, owner, street, city, country: String
    }

    let rows: [Row]

    init(csv: String) {
        rows = csv.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return Row(
                dog: cells[0], breed: cells[1], weight: cells[2], born: cells[3], toy: cells[4], owner: cells[5],
                street: cells[6], city: cells[7], country: cells[8])
        }
    }

    /// Fills an empty database with dogs, toys, people, a club, and a company.
    func fill(_ realm: Realm) throws {
        try realm.write {
            var people: [String: Person] = [:]
            var toys: [String: DogToy] = [:]
            for row in rows {
                let dog = Dog(value: ["_id": UUID(), "name": row.dog, "weight": Int(row.weight) ?? 0])
                dog.breed = row.breed.isEmpty ? nil : row.breed
                dog.dateOfBirth = date(row.born)
                if !row.toy.isEmpty { dog.favoriteToy = toy(row.toy, &toys) }
                // Adding the owner also adds the dog and its toy.
                owner(row, &people, realm).dogs.append(dog)
            }
            let club = DogClub(value: ["_id": ObjectId.generate(), "name": "Friends of the Wagging Tail"])
            club.members.append(objectsIn: people.values.sorted { $0.name < $1.name }.prefix(12))
            club.regionalOfficeAddresses.append(Address(value: ["street": "1 Bone Square", "city": "Oslo"]))
            club.regionalOfficeAddresses.append(Address(value: ["street": "7 Leash Road", "city": "Lyon"]))
            realm.add(club)
            realm.add(company(realm))
        }
    }

    private func owner(_ row: Row, _ people: inout [String: Person], _ realm: Realm) -> Person {
        if let known = people[row.owner] { return known }
        let names = row.owner.split(separator: " ").map(String.init)
        let person = Person(value: ["_id": ObjectId.generate(), "firstName": names[0], "lastName": names[1]])
        person.address = Address(value: ["street": row.street, "city": row.city, "country": row.country])
        realm.add(person)
        people[row.owner] = person
        return person
    }

    private func toy(_ name: String, _ toys: inout [String: DogToy]) -> DogToy {
        if let known = toys[name] { return known }
        let toy = DogToy(value: ["_id": ObjectId.generate(), "name": name])
        toys[name] = toy
        return toy
    }

    private func company(_ realm: Realm) -> Company {
        let company = Company(value: ["_id": "doggo-inc", "companyName": "Doggo Inc."])
        let boss = Employee(value: ["_id": 1, "name": "Pia Hansen", "active": true])
        company.employees.append(boss)
        for number in 2...9 {
            let employee = Employee(value: ["_id": number, "name": "Employee \(number)", "active": number % 3 != 0])
            employee.manager = boss
            company.employees.append(employee)
        }
        company.dogs.append(objectsIn: realm.objects(Dog.self).where { $0.weight > 50 })
        return company
    }

    private func date(_ text: String) -> Date {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        return calendar.date(from: components) ?? Date(timeIntervalSince1970: 0)
    }
}
