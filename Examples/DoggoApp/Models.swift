// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

// The models of doggodb, with an identity for views.

/// The base class of the register's objects. `Register` lists the classes, because this package's tests have others of
/// these names.
class Record: Object, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Person: Record {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?

    var name: String { firstName + " " + lastName }
}

final class Dog: Record {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted(indexed: true) var name: String
    @Persisted var breed: String?
    @Persisted var weight: Int
    @Persisted var favoriteToy: DogToy?
    @Persisted var dateOfBirth: Date
    /// The people whose `dogs` contain this dog. Updated automatically.
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

final class DogToy: Record {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name: String
}

final class DogClub: Record {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name: String
    @Persisted var members: List<Person>
    @Persisted var regionalOfficeAddresses: List<Address>
}

/// Embedded in one person or one club, and deleted with it.
final class Address: EmbeddedObject, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var street: String?
    @Persisted var city: String?
    @Persisted var country: String?
    @Persisted var postalCode: String?
}

final class Company: Record {
    @Persisted(primaryKey: true) var _id: String
    @Persisted var companyName: String
    @Persisted var employees: List<Employee>
    @Persisted var dogs: List<Dog>
}

final class Employee: Record {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var manager: Employee?
    @Persisted var active: Bool
}
