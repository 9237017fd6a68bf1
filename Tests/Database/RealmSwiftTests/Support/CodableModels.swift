// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@testable import RealmSwift

enum Mood: String, PersistableEnum, Codable {
    case calm, wild
}

/// A class with a property of every type, with the compiler's `Codable`.
final class Record: TestObject, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted(indexed: true) var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var mood: Mood
    @Persisted var any: AnyRealmValue

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
    @Persisted var optMood: Mood?

    @Persisted var part: Part?
    @Persisted var box: Box?

    @Persisted var ints: List<Int>
    @Persisted var strings: List<String?>
    @Persisted var datas: List<Data>
    @Persisted var dates: List<Date?>
    @Persisted var moods: List<Mood>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var parts: List<Part>
    @Persisted var boxes: List<Box>

    @Persisted var intSet: MutableSet<Int>
    @Persisted var idSet: MutableSet<ObjectId>
    @Persisted var partSet: MutableSet<Part>

    @Persisted var doubleMap: Map<String, Double>
    @Persisted var uuidMap: Map<String, UUID?>
    @Persisted var decimalMap: Map<String, Decimal128>
    @Persisted var partMap: Map<String, Part?>
    @Persisted var boxMap: Map<String, Box?>

    @Persisted(originProperty: "record") var origins: LinkingObjects<Part>

    static let types: [ObjectBase.Type] = [Record.self, Part.self, Box.self, Slot.self]
}

final class Part: TestObject, Codable {
    @Persisted var label: String
    @Persisted var record: Record?

    convenience init(_ label: String) { self.init(value: ["label": label]) }
}

final class Box: TestEmbedded, Codable {
    @Persisted var size: Int
    @Persisted var inner: Slot?
}

final class Slot: TestEmbedded, Codable {
    @Persisted var size: Int
}

/// With a custom key, an omitted key, and an encoding that works for managed objects too.
final class Page: TestObject, Codable {
    @Persisted var lineCount: Int
    @Persisted var pageTitle: String?
    @Persisted var writtenOn: Date

    private enum CodingKeys: String, CodingKey { case lineCount, pageTitle, writtenOn = "written" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lineCount, forKey: .lineCount)
        try container.encode(pageTitle, forKey: .pageTitle)
        try container.encode(writtenOn, forKey: .writtenOn)
    }
}

/// For encoding strategies, with the compiler's encoding.
final class Stamp: TestObject, Codable {
    @Persisted var printedOn: Date
    @Persisted var rawBytes: Data
    @Persisted var mixedDate: AnyRealmValue
}
