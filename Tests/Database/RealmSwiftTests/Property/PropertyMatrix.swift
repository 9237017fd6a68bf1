// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

// The matrix: one class with all kinds of properties. `PropertyMatrixTests` compares this text with the output of
// `realm schema --swift` for a file of it, so each declaration is on one line.

enum MatrixSize: Int, PersistableEnum {
    case small = 1
    case large = 7
}

enum MatrixColor: String, PersistableEnum {
    case red, green
}

struct MatrixLabel: CustomPersistable, Hashable {
    typealias PersistedType = String
    var text = ""
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
}

struct MatrixPlace: CustomPersistable, Equatable {
    typealias PersistedType = MatrixCoordinates
    var x = 0.0
    init(persistedValue: MatrixCoordinates) { x = persistedValue.x }
    init(x: Double) { self.x = x }
    var persistableValue: MatrixCoordinates { MatrixCoordinates(value: [x]) }
}

class MatrixCoordinates: TestEmbedded {
    @Persisted var x: Double
}

class MatrixRoom: TestEmbedded {
    @Persisted var name: String
    @Persisted var pet: MatrixPet?
}

class MatrixPet: TestObject {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var name: String
    @Persisted(originProperty: "pet") var matrices: LinkingObjects<Matrix>
}

class Matrix: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted(indexed: true) var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted(indexed: true) var string: String
    @Persisted var data: Data
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var objectId: ObjectId
    @Persisted(indexed: true) var uuid: UUID
    @Persisted var decimal128: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted(indexed: true) var size: MatrixSize
    @Persisted(indexed: true) var color: MatrixColor
    @Persisted var label: MatrixLabel
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
    @Persisted var optDecimal128: Decimal128?
    @Persisted var optSize: MatrixSize?
    @Persisted var optColor: MatrixColor?
    @Persisted var optLabel: MatrixLabel?
    @Persisted var listInt: List<Int>
    @Persisted var listInt8: List<Int8>
    @Persisted var listInt16: List<Int16>
    @Persisted var listInt32: List<Int32>
    @Persisted var listInt64: List<Int64>
    @Persisted var listBool: List<Bool>
    @Persisted var listFloat: List<Float>
    @Persisted var listDouble: List<Double>
    @Persisted var listString: List<String>
    @Persisted var listData: List<Data>
    @Persisted var listDate: List<Date>
    @Persisted var listObjectId: List<ObjectId>
    @Persisted var listUuid: List<UUID>
    @Persisted var listDecimal128: List<Decimal128>
    @Persisted var listAny: List<AnyRealmValue>
    @Persisted var listSize: List<MatrixSize>
    @Persisted var listColor: List<MatrixColor>
    @Persisted var listLabel: List<MatrixLabel>
    @Persisted var listOptInt: List<Int?>
    @Persisted var listOptInt8: List<Int8?>
    @Persisted var listOptInt16: List<Int16?>
    @Persisted var listOptInt32: List<Int32?>
    @Persisted var listOptInt64: List<Int64?>
    @Persisted var listOptBool: List<Bool?>
    @Persisted var listOptFloat: List<Float?>
    @Persisted var listOptDouble: List<Double?>
    @Persisted var listOptString: List<String?>
    @Persisted var listOptData: List<Data?>
    @Persisted var listOptDate: List<Date?>
    @Persisted var listOptObjectId: List<ObjectId?>
    @Persisted var listOptUuid: List<UUID?>
    @Persisted var listOptDecimal128: List<Decimal128?>
    @Persisted var listOptSize: List<MatrixSize?>
    @Persisted var listOptColor: List<MatrixColor?>
    @Persisted var listOptLabel: List<MatrixLabel?>
    @Persisted var setInt: MutableSet<Int>
    @Persisted var setInt8: MutableSet<Int8>
    @Persisted var setInt16: MutableSet<Int16>
    @Persisted var setInt32: MutableSet<Int32>
    @Persisted var setInt64: MutableSet<Int64>
    @Persisted var setBool: MutableSet<Bool>
    @Persisted var setFloat: MutableSet<Float>
    @Persisted var setDouble: MutableSet<Double>
    @Persisted var setString: MutableSet<String>
    @Persisted var setData: MutableSet<Data>
    @Persisted var setDate: MutableSet<Date>
    @Persisted var setObjectId: MutableSet<ObjectId>
    @Persisted var setUuid: MutableSet<UUID>
    @Persisted var setDecimal128: MutableSet<Decimal128>
    @Persisted var setAny: MutableSet<AnyRealmValue>
    @Persisted var setSize: MutableSet<MatrixSize>
    @Persisted var setColor: MutableSet<MatrixColor>
    @Persisted var setLabel: MutableSet<MatrixLabel>
    @Persisted var setOptInt: MutableSet<Int?>
    @Persisted var setOptInt8: MutableSet<Int8?>
    @Persisted var setOptInt16: MutableSet<Int16?>
    @Persisted var setOptInt32: MutableSet<Int32?>
    @Persisted var setOptInt64: MutableSet<Int64?>
    @Persisted var setOptBool: MutableSet<Bool?>
    @Persisted var setOptFloat: MutableSet<Float?>
    @Persisted var setOptDouble: MutableSet<Double?>
    @Persisted var setOptString: MutableSet<String?>
    @Persisted var setOptData: MutableSet<Data?>
    @Persisted var setOptDate: MutableSet<Date?>
    @Persisted var setOptObjectId: MutableSet<ObjectId?>
    @Persisted var setOptUuid: MutableSet<UUID?>
    @Persisted var setOptDecimal128: MutableSet<Decimal128?>
    @Persisted var setOptSize: MutableSet<MatrixSize?>
    @Persisted var setOptColor: MutableSet<MatrixColor?>
    @Persisted var setOptLabel: MutableSet<MatrixLabel?>
    @Persisted var mapInt: Map<String, Int>
    @Persisted var mapInt8: Map<String, Int8>
    @Persisted var mapInt16: Map<String, Int16>
    @Persisted var mapInt32: Map<String, Int32>
    @Persisted var mapInt64: Map<String, Int64>
    @Persisted var mapBool: Map<String, Bool>
    @Persisted var mapFloat: Map<String, Float>
    @Persisted var mapDouble: Map<String, Double>
    @Persisted var mapString: Map<String, String>
    @Persisted var mapData: Map<String, Data>
    @Persisted var mapDate: Map<String, Date>
    @Persisted var mapObjectId: Map<String, ObjectId>
    @Persisted var mapUuid: Map<String, UUID>
    @Persisted var mapDecimal128: Map<String, Decimal128>
    @Persisted var mapAny: Map<String, AnyRealmValue>
    @Persisted var mapSize: Map<String, MatrixSize>
    @Persisted var mapColor: Map<String, MatrixColor>
    @Persisted var mapLabel: Map<String, MatrixLabel>
    @Persisted var mapOptInt: Map<String, Int?>
    @Persisted var mapOptInt8: Map<String, Int8?>
    @Persisted var mapOptInt16: Map<String, Int16?>
    @Persisted var mapOptInt32: Map<String, Int32?>
    @Persisted var mapOptInt64: Map<String, Int64?>
    @Persisted var mapOptBool: Map<String, Bool?>
    @Persisted var mapOptFloat: Map<String, Float?>
    @Persisted var mapOptDouble: Map<String, Double?>
    @Persisted var mapOptString: Map<String, String?>
    @Persisted var mapOptData: Map<String, Data?>
    @Persisted var mapOptDate: Map<String, Date?>
    @Persisted var mapOptObjectId: Map<String, ObjectId?>
    @Persisted var mapOptUuid: Map<String, UUID?>
    @Persisted var mapOptDecimal128: Map<String, Decimal128?>
    @Persisted var mapOptSize: Map<String, MatrixSize?>
    @Persisted var mapOptColor: Map<String, MatrixColor?>
    @Persisted var mapOptLabel: Map<String, MatrixLabel?>
    @Persisted var pet: MatrixPet?
    @Persisted var neighbour: Matrix?
    @Persisted var pets: List<MatrixPet>
    @Persisted var petSet: MutableSet<MatrixPet>
    @Persisted var petMap: Map<String, MatrixPet?>
    @Persisted var room: MatrixRoom?
    @Persisted var rooms: List<MatrixRoom>
    @Persisted var roomMap: Map<String, MatrixRoom?>
    @Persisted var place: MatrixPlace
    @Persisted var optPlace: MatrixPlace?
    @Persisted var places: List<MatrixPlace>
    @Persisted var placeMap: Map<String, MatrixPlace?>

    static let types: [ObjectBase.Type] = [Matrix.self, MatrixPet.self, MatrixRoom.self, MatrixCoordinates.self]
}
