// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@testable import RealmSwift

/// Models for queries: every kind of property, names that differ from their columns, and keywords as names.
final class Walker: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var nickname: String?
    @Persisted var age: Int?
    @Persisted var weight: Double
    @Persisted var isDone: Bool
    @Persisted var size: Size
    @Persisted var color: Color?
    @Persisted var born: Date
    @Persisted var photo: Data?
    @Persisted var token: UUID
    @Persisted var price: Decimal128
    @Persisted var pet: Pet?
    @Persisted var pets: List<Pet>
    @Persisted var numbers: List<Int>
    @Persisted var defaulted = List<String>()
    @Persisted var all: Int
    @Persisted var firstWord: String

    /// Computed, so it can't be queried.
    var isOld: Bool { (age ?? 0) > 10 }
    var note = ""

    override class func propertiesMapping() -> [String: String] { ["firstWord": "first_word"] }

    static let types: [ObjectBase.Type] = [Walker.self, Pet.self, Tag.self]
}

final class Pet: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var tag: Tag?
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Walker>
}

final class Tag: TestEmbedded {
    @Persisted var text: String
}

/// Runs `body` with a new Realm that has the walkers of `QueryTests`.
func withWalkers(_ body: (Realm, Results<Walker>) throws -> Void) throws {
    try withRealm(Walker.types) { realm in
        try realm.write { QueryTests.fill(realm) }
        try body(realm, realm.objects(Walker.self))
    }
}

/// Like `withWalkers`, for exit tests.
func inWalkers(_ body: (Results<Walker>) -> Void) {
    do { try withWalkers { body($1) } } catch { print("unexpected: \(error)") }
}

// Foundation declares this name too.
typealias SortDescriptor = RealmSwift.SortDescriptor
