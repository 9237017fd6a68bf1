// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

/// BSON values: literals, accessors, conversions, Extended JSON in both directions.
@Suite struct AnyBSONTests {
    static let id = ObjectId("0123456789abcdef01234567")
    static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()

    /// A value of each case, with the canonical Extended JSON of §1.2.
    static let values: [(AnyBSON, String)] = [
        (.null, "null"), (.bool(true), "true"), (.int32(1), #"{"$numberInt":"1"}"#),
        (.int64(.max), #"{"$numberLong":"9223372036854775807"}"#), (.double(1.5), #"{"$numberDouble":"1.5"}"#),
        (.double(-.infinity), #"{"$numberDouble":"-Infinity"}"#), (.string("a\"b\n"), #""a\"b\n""#),
        (.binary(Data([0, 255])), #"{"$binary":{"base64":"AP8=","subType":"00"}}"#),
        (.uuid(uuid), #"{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}"#),
        (.objectId(id), #"{"$oid":"0123456789abcdef01234567"}"#),
        (.datetime(Date(timeIntervalSince1970: 1.5)), #"{"$date":{"$numberLong":"1500"}}"#),
        (.datetime(Date(timeIntervalSince1970: -0.001)), #"{"$date":{"$numberLong":"-1"}}"#),
        (.decimal128("1.50"), #"{"$numberDecimal":"1.50"}"#),
        (.timestamp(Date(timeIntervalSince1970: 7)), #"{"$timestamp":{"t":7,"i":0}}"#),
        (.minKey, #"{"$minKey":1}"#), (.maxKey, #"{"$maxKey":1}"#), (.array([1, nil]), #"[{"$numberLong":"1"},null]"#),
        (.document(["b": "x", "a": nil]), #"{"a":null,"b":"x"}"#),
    ]

    @Test(arguments: values.indices) func extendedJSONGoesBothWays(_ index: Int) throws {
        let (value, text) = Self.values[index]
        #expect(value.extendedJSON == text)
        #expect(try AnyBSON(extendedJSON: text) == value)
    }

    @Test func regularExpressionsGoBothWays() throws {
        let expression = try NSRegularExpression(pattern: "a.b", options: [.caseInsensitive, .anchorsMatchLines])
        let text = #"{"$regularExpression":{"pattern":"a.b","options":"im"}}"#
        #expect(AnyBSON(expression).extendedJSON == text)
        let read = try #require(try AnyBSON(extendedJSON: text).regexValue)
        #expect(read.pattern == "a.b" && read.options == [.caseInsensitive, .anchorsMatchLines])
    }

    @Test(arguments: [
        "", "{", #"{"$oid":"5"}"#, #"{"$numberLong":5}"#, #"{"$regularExpression":{"pattern":"(","options":""}}"#,
    ])
    func malformedExtendedJSONIsAnError(_ text: String) {
        #expect(throws: AppError(.invalidParameter)) { try AnyBSON(extendedJSON: text) }
    }

    @Test func relaxedFormsAreRead() throws {
        #expect(try AnyBSON(extendedJSON: "5") == .int32(5))
        #expect(try AnyBSON(extendedJSON: "5000000000") == .int64(5_000_000_000))
        #expect(try AnyBSON(extendedJSON: "0.5") == .double(0.5))
        #expect(try AnyBSON(extendedJSON: #"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#) == .uuid(Self.uuid))
    }

    @Test func literalsMakeTheirCases() {
        let values: [AnyBSON] = ["x", 1, 1.5, true, [1, "x"], ["a": 1]]
        #expect(
            values == [
                .string("x"), .int64(1), .double(1.5), .bool(true), .array([.int64(1), .string("x")]),
                .document(["a": .int64(1)]),
            ])
        #expect(AnyBSON(5) == .int64(5) && Set(values).count == 6)
    }

    @Test func typesMakeTheirCases() {
        #expect(AnyBSON(Int32(1)) == .int32(1) && AnyBSON(Int64(1)) == .int64(1) && AnyBSON(1.5) == .double(1.5))
        #expect(
            AnyBSON("x") == .string("x") && AnyBSON(true) == .bool(true) && AnyBSON(Data([1])) == .binary(Data([1])))
        #expect(AnyBSON(Self.id) == .objectId(Self.id) && AnyBSON(Self.uuid) == .uuid(Self.uuid))
        #expect(AnyBSON(MinKey()) == .minKey && AnyBSON(MaxKey()) == .maxKey && AnyBSON(NSNull()) == .null)
        #expect(AnyBSON(AnyBSON.int32(1)) == .int32(1))
        let document: Document = ["a": 1]
        #expect(AnyBSON(document) == .document(["a": 1]) && AnyBSON([1, nil] as [AnyBSON?]) == .array([1, nil]))
    }

    @Test func accessorsReturnTheValueOfTheirCase() {
        let value = AnyBSON.int64(5)
        #expect(value.int64Value == 5 && value.int32Value == nil && value.doubleValue == nil && !value.isNull)
        #expect(value.value() == Int64(5) && value.value() as String? == nil)
        #expect(AnyBSON.null.isNull && AnyBSON.string("x").stringValue == "x" && AnyBSON.bool(true).boolValue == true)
        let date = Date(timeIntervalSince1970: 1)
        #expect(AnyBSON.datetime(date).dateValue == date && AnyBSON.datetime(date).timestampValue == nil)
        #expect(AnyBSON.timestamp(date).timestampValue == date && AnyBSON.timestamp(date).dateValue == nil)
        #expect(AnyBSON.uuid(Self.uuid).uuidValue == Self.uuid && AnyBSON.objectId(Self.id).objectIdValue == Self.id)
        #expect(AnyBSON.array([1]).arrayValue == [1] && AnyBSON.document(["a": 1]).documentValue == ["a": 1])
        #expect(AnyBSON.binary(Data()).binaryValue == Data() && AnyBSON.decimal128(1).decimal128Value == 1)
    }

    @Test func numbersConvertWithoutLoss() {
        #expect(AnyBSON.int64(5).asInt32() == 5 && AnyBSON.int64(1 << 40).asInt32() == nil)
        #expect(
            AnyBSON.double(5).asInt() == 5 && AnyBSON.double(5.5).asInt() == nil && AnyBSON.double(.nan).asInt() == nil)
        #expect(AnyBSON.decimal128("5").asInt64() == 5 && AnyBSON.decimal128("5.5").asInt64() == nil)
        #expect(AnyBSON.decimal128("9223372036854775807").asInt64() == .max)
        #expect(AnyBSON.int64(.max).asDouble() == nil && AnyBSON.int64(3).asDouble() == 3)
        #expect(AnyBSON.decimal128("0.5").asDouble() == 0.5 && AnyBSON.int32(3).asDecimal128() == 3)
        #expect(AnyBSON.string("5").asInt() == nil && AnyBSON.bool(true).asInt() == nil)
    }
}
