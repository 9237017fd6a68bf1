// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

// Models shared by several tests. Models of a single test are declared next to it. Only the models in this file are in
// the default schema.

class Person: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var firstName = ""
    @Persisted var lastName: String
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?
}

class Dog: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var toy: DogToy?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    var walks = 0
    var isPuppy: Bool { age < 1 }
}

class DogToy: Object {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted(indexed: true) var name: String
}

class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city = "Berlin"
}

enum Size: Int, PersistableEnum {
    case small = 1
    case large = 7
}

enum Color: String, PersistableEnum {
    case red, green
}

class AllTypes: Object {
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var objectId: ObjectId
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var size: Size
    @Persisted var color: Color

    @Persisted var optInt: Int?
    @Persisted var optInt8: Int8?
    @Persisted var optInt16: Int16?
    @Persisted var optInt32: Int32?
    @Persisted var optInt64: Int64?
    @Persisted var optBool: Bool?
    @Persisted var optFloat: Float?
    @Persisted var optDouble: Double?
    @Persisted var optString: String?
    @Persisted var optData: Data?
    @Persisted var optDate: Date?
    @Persisted var optObjectId: ObjectId?
    @Persisted var optUuid: UUID?
    @Persisted var optDecimal: Decimal128?
    @Persisted var optSize: Size?
    @Persisted var optColor: Color?

    @Persisted var link: Dog?
    @Persisted var embedded: Address?

    @Persisted var ints: List<Int>
    @Persisted var bools: List<Bool?>
    @Persisted var floats: List<Float>
    @Persisted var doubles: List<Double>
    @Persisted var strings: List<String?>
    @Persisted var datas: List<Data>
    @Persisted var dates: List<Date>
    @Persisted var objectIds: List<ObjectId>
    @Persisted var uuids: List<UUID?>
    @Persisted var decimals: List<Decimal128>
    @Persisted var sizes: List<Size>
    @Persisted var colors: List<Color?>
    @Persisted var links: List<Dog>
    @Persisted var embeddeds: List<Address>
}

/// A base class that keeps models of single tests out of the default schema.
class TestObject: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class TestEmbedded: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
