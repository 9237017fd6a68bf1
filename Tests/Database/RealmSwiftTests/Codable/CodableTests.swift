// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Objects and collections in JSON (model 14).
@Suite struct CodableTests {
    private func json(_ value: some Encodable, _ encoder: JSONEncoder = JSONEncoder()) throws -> [String: Any] {
        let data = try encoder.encode(value)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func decode<T: Decodable>(_ text: String, _ decoder: JSONDecoder = JSONDecoder()) throws -> T {
        try decoder.decode(T.self, from: Data(text.utf8))
    }

    private func filled() -> Record {
        let record = Record()
        record.id = Samples.objectId
        (record.int, record.int8, record.int16, record.int32, record.int64) = (-1, 8, 16, 32, .max)
        (record.bool, record.float, record.double, record.string) = (true, 1.5, -2.25, "läuft")
        (record.data, record.date, record.uuid) = (Data([1, 2, 255]), Samples.date, Samples.uuid)
        (record.decimal, record.mood) = ("1234567890123456789.5", .wild)
        record.any = .fromDictionary(["a": .fromArray([.int(1), .none, .bool(true), .double(0.5)]), "b": .string("x")])
        (record.optInt, record.optString, record.optMood) = (7, "set", .calm)
        (record.optDate, record.optDecimal) = (Samples.date, 2)
        record.part = Part("single")
        record.box = Box(value: ["size": 1, "inner": ["size": 2]])
        record.ints.append(objectsIn: [3, 1, 3])
        record.strings.append(objectsIn: ["a", nil])
        record.datas.append(Data([9]))
        record.dates.append(objectsIn: [Samples.date, nil])
        record.moods.append(objectsIn: [.wild, .calm])
        record.anys.append(objectsIn: [.none, .int(5), .fromArray([])])
        record.parts.append(objectsIn: [Part("p"), Part("q")])
        record.boxes.append(Box(value: [4]))
        record.intSet.insert(objectsIn: [5, 6])
        record.idSet.insert(Samples.objectId)
        record.partSet.insert(Part("in a set"))
        record.doubleMap["half"] = 0.5
        record.uuidMap["id"] = Samples.uuid
        record.uuidMap.updateValue(nil, forKey: "none")
        record.decimalMap["pi"] = "3.14"
        record.partMap["p"] = Part("mapped")
        record.boxMap["b"] = Box(value: [9])
        return record
    }

    private func verify(_ record: Record) {
        #expect(record.id == Samples.objectId && record.int == -1 && record.int8 == 8 && record.int16 == 16)
        #expect(record.int32 == 32 && record.int64 == .max && record.bool && record.float == 1.5)
        #expect(record.double == -2.25 && record.string == "läuft" && record.data == Data([1, 2, 255]))
        #expect(record.date == Samples.date && record.uuid == Samples.uuid)
        #expect(record.decimal == "1234567890123456789.5" && record.mood == .wild)
        #expect(record.any.text == "{a: [int(1), none, bool(true), double(0.5)], b: string(\"x\")}")
        #expect(record.optInt == 7 && record.optString == "set" && record.optMood == .calm)
        #expect(record.optDate == Samples.date && record.optDecimal == 2)
        #expect(record.optInt8 == nil && record.optInt16 == nil && record.optInt32 == nil && record.optInt64 == nil)
        #expect(record.optBool == nil && record.optFloat == nil && record.optDouble == nil && record.optData == nil)
        #expect(record.optObjectId == nil && record.optUuid == nil)
        #expect(record.part?.label == "single" && record.box?.size == 1 && record.box?.inner?.size == 2)
        #expect(Array(record.ints) == [3, 1, 3] && Array(record.strings) == ["a", nil])
        #expect(Array(record.datas) == [Data([9])] && Array(record.dates) == [Samples.date, nil])
        #expect(Array(record.moods) == [.wild, .calm])
        #expect(record.anys.map(\.text) == ["none", "int(5)", "[]"])
        #expect(record.parts.map(\.label) == ["p", "q"] && record.boxes.map(\.size) == [4])
        #expect(record.intSet.sorted() == [5, 6] && Array(record.idSet) == [Samples.objectId])
        #expect(record.partSet.map(\.label) == ["in a set"])
        #expect(record.doubleMap["half"] == 0.5 && record.doubleMap.count == 1)
        #expect(record.uuidMap["id"] == Samples.uuid && record.uuidMap["none"] == .some(nil))
        #expect(record.decimalMap["pi"] == "3.14" && record.partMap["p"]??.label == "mapped")
        #expect(record.boxMap["b"]??.size == 9)
        #expect(record.origins.isEmpty)
    }

    @Test func everyTypeRoundTripsThroughJSON() throws {
        let copy = try JSONDecoder().decode(Record.self, from: try JSONEncoder().encode(filled()))
        verify(copy)
        #expect(copy.realm == nil)
        try withRealm(Record.types) { realm in
            try realm.write { realm.add(copy) }
            verify(copy)
            #expect(realm.objects(Part.self).count == 5)
        }
    }

    @Test(.behaviour("B-122")) func decimalsInJSON() throws {
        let values: [Decimal128] = try decode(#"["1.5", 1.5, 1]"#)
        #expect(values == ["1.5", "1.5", 1])
        #expect(throws: (any Error).self) { try decode("[true]") as [Decimal128] }
        #expect(String(decoding: try JSONEncoder().encode(["1.5" as Decimal128]), as: UTF8.self) == #"["1.5"]"#)
    }

    @Test(.behaviour("B-127")) func objectIdsInJSON() throws {
        let data = try JSONEncoder().encode([Samples.objectId])
        #expect(String(decoding: data, as: UTF8.self) == #"["1234567890ab1234567890ab"]"#)
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [Samples.objectId])
        #expect(throws: (any Error).self) { try decode(#"["short"]"#) as [ObjectId] }
    }

    @Test(.behaviour("B-569")) func keysAreTheSwiftNamesAndNilIsNull() throws {
        let object = try json(Record())
        #expect(Set(object.keys) == Set(try json(filled()).keys))
        #expect(object.count == ClassRegistry.shared.info(for: Record.self).allProperties.count)
        #expect(object["optString"] is NSNull && object["part"] is NSNull)
        #expect(object["int"] as? Int == 0 && object["string"] as? String == "")
        #expect((object["ints"] as? [Any])?.isEmpty == true)
        #expect((object["origins"] as? [Any])?.isEmpty == true)
        #expect((object["doubleMap"] as? [String: Any])?.isEmpty == true)
        #expect(object["id"] as? String != nil && object["uuid"] as? String != nil)
    }

    @Test(.behaviour("B-570")) func managedObjects() throws {
        try withRealm(Record.types + [Page.self]) { realm in
            let record = filled()
            try realm.write { realm.add(record) }
            let text = """
                Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must explicitly \
                define encode(to:) on your model class to support managed Realm objects.
                """
            let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(record) }
            guard case .invalidValue(_, let context)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(context.debugDescription == text)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(record.parts) }
            // Collections of values are encodable without their object.
            #expect(String(decoding: try JSONEncoder().encode(record.ints), as: UTF8.self) == "[3,1,3]")
            #expect(String(decoding: try JSONEncoder().encode(record.doubleMap), as: UTF8.self) == #"{"half":0.5}"#)
            let page = try realm.write { realm.create(Page.self, value: ["lineCount": 3]) }
            #expect(try json(page)["lineCount"] as? Int == 3)
        }
    }

    @Test(.behaviour("B-571")) func missingKeys() throws {
        let part: Part = try decode(#"{"label": "x"}"#)
        #expect(part.label == "x" && part.record == nil)
        let error = #expect(throws: DecodingError.self) { try decode(#"{"record": null}"#) as Part }
        guard case .keyNotFound(let key, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "label")
        var object = try json(filled())
        for key in ["optInt", "part", "box", "origins"] { object[key] = nil }
        let data = try JSONSerialization.data(withJSONObject: object)
        let record = try JSONDecoder().decode(Record.self, from: data)
        #expect(record.optInt == nil && record.part == nil && record.origins.isEmpty)
        for key in ["ints", "intSet", "doubleMap", "int", "any"] {
            var short = object
            short[key] = nil
            let data = try JSONSerialization.data(withJSONObject: short)
            #expect(throws: DecodingError.self, "\(key)") { try JSONDecoder().decode(Record.self, from: data) }
        }
    }

    @Test(.behaviour("B-572")) func null() throws {
        let part: Part = try decode(#"{"label": "x", "record": null}"#)
        #expect(part.record == nil)
        #expect(throws: DecodingError.self) { try decode(#"{"label": null}"#) as Part }
        #expect(throws: DecodingError.self) { try decode("[1, null]") as List<Int> }
        #expect(Array(try decode("[1, null]") as List<Int?>) == [1, nil])
    }

    @Test(.behaviour("B-573")) func collections() throws {
        let list: List<Int> = try decode("[3, 1, 3]")
        #expect(Array(list) == [3, 1, 3] && list.realm == nil)
        let set: MutableSet<String> = try decode(#"["a", "b", "a"]"#)
        #expect(set.sorted() == ["a", "b"])
        let map: Map<String, Int?> = try decode(#"{"a": 1, "b": null}"#)
        #expect(map.count == 2 && map["a"] == 1 && map["b"] == .some(nil))
        let parts: List<Part> = try decode(#"[{"label": "x"}, {"label": "y", "record": null}]"#)
        #expect(parts.map(\.label) == ["x", "y"])
        #expect(throws: DecodingError.self) { try decode(#"{"a": 1}"#) as List<Int> }
        #expect(throws: DecodingError.self) { try decode("[1]") as Map<String, Int> }
    }

    @Test(.behaviour("B-574")) func resultsOfObjectsThatEncodeThemselves() throws {
        try withRealm([Page.self]) { realm in
            try realm.write { realm.add([Page(value: ["lineCount": 2]), Page(value: ["lineCount": 1])]) }
            let pages = realm.objects(Page.self).sorted(byKeyPath: "lineCount")
            let erased = AnyRealmCollection(pages)
            for data in [try JSONEncoder().encode(pages), try JSONEncoder().encode(erased)] {
                let array = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
                #expect(array.map { $0["lineCount"] as? Int } == [1, 2])
                #expect(array[0]["pageTitle"] is NSNull)
            }
        }
    }

    @Test(.behaviour("B-575")) func strategies() throws {
        let stamp = Stamp()
        stamp.printedOn = Date(timeIntervalSince1970: 1000)
        stamp.rawBytes = Data([1, 2])
        stamp.mixedDate = .date(Date(timeIntervalSince1970: 0))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(data.count)
        }
        let object = try json(stamp, encoder)
        #expect(object["printed_on"] as? String == "1970-01-01T00:16:40Z")
        #expect(object["mixed_date"] as? String == "1970-01-01T00:00:00Z")
        #expect(object["raw_bytes"] as? Int == 2)

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.dataDecodingStrategy = .base64
        let copy: Stamp = try decode(#"{"printed_on": 1000, "raw_bytes": "AQI=", "mixed_date": 4.5}"#, decoder)
        #expect(copy.printedOn == stamp.printedOn && copy.rawBytes == stamp.rawBytes && copy.mixedDate == .double(4.5))
        let page: Page = try decode(#"{"lineCount": 1, "written": 0}"#)
        #expect(page.pageTitle == nil && page.writtenOn == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test func mixedValues() throws {
        let list: List<AnyRealmValue> = try decode(
            #"[null, true, 1, 2.5, "x", [1, [2]], {"a": {"b": false}}, 9223372036854775807]"#)
        #expect(
            list.map(\.text) == [
                "none", "bool(true)", "int(1)", "double(2.5)", "string(\"x\")", "[int(1), [int(2)]]",
                "{a: {b: bool(false)}}", "int(9223372036854775807)",
            ])
        let values: [AnyRealmValue] = [
            .float(1.5), .data(Data([255])), .objectId(Samples.objectId), .decimal128("2.5"), .uuid(Samples.uuid),
        ]
        let text = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        let wanted = #"[1.5,"\/w==","1234567890ab1234567890ab","2.5","12345678-1234-1234-1234-1234567890AB"]"#
        #expect(text == wanted)
        let part = try json(["object": AnyRealmValue.object(Part("x"))])["object"] as? [String: Any]
        #expect(part?["label"] as? String == "x")
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode([AnyRealmValue.object(Animal())]) }
        #expect("\(String(describing: error))".contains("Objects of class 'Animal' are not Encodable."))
    }

    @Test func projectedCollections() throws {
        let villager = Villager(1, "Arya")
        villager.friends.append(Villager(2, "Jon"))
        let data = try JSONEncoder().encode(VillagerView(projecting: villager).friendsNames)
        #expect(String(decoding: data, as: UTF8.self) == #"["Jon"]"#)
    }
}
