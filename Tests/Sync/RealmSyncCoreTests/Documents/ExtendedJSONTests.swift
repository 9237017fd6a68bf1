// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import Testing

@Suite struct ExtendedJSONTests {
    @Test(arguments: [
        "null", "true", "\"text\"", "{\"$numberInt\":\"-1\"}", "{\"$numberLong\":\"9223372036854775807\"}",
        "{\"$numberDouble\":\"1.5\"}", "{\"$numberDouble\":\"-Infinity\"}", "{\"$numberDecimal\":\"1.5\"}",
        "{\"$oid\":\"0123456789abcdef01234567\"}", "{\"$date\":{\"$numberLong\":\"-5\"}}",
        "{\"$binary\":{\"base64\":\"ABEiM0RVZneImaq7zN3u/w==\",\"subType\":\"04\"}}",
        "{\"$binary\":{\"base64\":\"\",\"subType\":\"00\"}}",
        "{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"i\"}}", "{\"$timestamp\":{\"t\":1,\"i\":2}}",
        "{\"$minKey\":1}", "{\"$maxKey\":1}", "[{\"$numberInt\":\"1\"},{\"a\":[],\"$other\":{}}]",
    ]) func theCanonicalFormIsReadAndPrinted(_ text: String) throws {
        #expect(ExtendedJSON(try JSON(parsing: text))?.description == text)
    }

    @Test func theRelaxedFormIsRead() throws {
        let document = try JSON(
            parsing: "{\"a\":1,\"b\":3000000000,\"c\":1.5,\"d\":{\"$uuid\":\"00112233-4455-6677-8899-aabbccddeeff\"}}")
        #expect(
            ExtendedJSON(document)?.description == """
                {"a":{"$numberInt":"1"},"b":{"$numberLong":"3000000000"},"c":{"$numberDouble":"1.5"},\
                "d":{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}}
                """)
    }

    @Test(arguments: [
        ("{\"$numberInt\":\"-1\"}", "-1"), ("{\"$numberLong\":\"9223372036854775807\"}", "9223372036854775807"),
        ("{\"$numberDouble\":\"1.5\"}", "1.5"), ("{\"$numberDouble\":\"NaN\"}", "{\"$numberDouble\":\"NaN\"}"),
        ("{\"$date\":{\"$numberLong\":\"1005\"}}", "{\"$date\":\"1970-01-01T00:00:01.005Z\"}"),
        ("{\"$date\":{\"$numberLong\":\"253402300799999\"}}", "{\"$date\":\"9999-12-31T23:59:59.999Z\"}"),
        ("{\"$date\":{\"$numberLong\":\"-5\"}}", "{\"$date\":{\"$numberLong\":\"-5\"}}"),
        (
            "[{\"a\":{\"$numberInt\":\"1\"}},{\"$oid\":\"0123456789abcdef01234567\"}]",
            "[{\"a\":1},{\"$oid\":\"0123456789abcdef01234567\"}]"
        ),
    ]) func theRelaxedFormIsPrintedAndRead(_ canonical: String, _ relaxed: String) throws {
        let value = try #require(ExtendedJSON(try JSON(parsing: canonical)))
        #expect(value.relaxed.description == relaxed)
        #expect(ExtendedJSON(value.relaxed)?.relaxed == value.relaxed)
    }

    @Test(arguments: [
        "{\"$numberInt\":1}", "{\"$numberInt\":\"3000000000\"}", "{\"$oid\":\"01\"}", "{\"$numberLong\":\"1\",\"a\":1}",
        "{\"$binary\":{\"base64\":\"?\",\"subType\":\"00\"}}", "{\"$uuid\":\"0011\"}", "[{\"$date\":\"x\"}]",
    ]) func malformedExtendedJSONIsRejected(_ text: String) throws {
        #expect(ExtendedJSON(try JSON(parsing: text)) == nil)
    }

    @Test func partitionValues() {
        let id = ObjectIdBytes(bytes: Array(1...12))
        let uuid = UUIDBytes(bytes: Array(0..<16))
        for value: PartitionValue in [
            .null, .string(""), .string("with \"quotes\" and é"), .int32(5), .int64(-5), .objectId(id), .uuid(uuid),
        ] {
            #expect(PartitionValue(path: value.path) == value)
        }
        #expect(PartitionValue(path: "{\"$numberDouble\":\"1.5\"}") == nil)
        #expect(PartitionValue(path: "/path") == nil)
    }

    @Test func tokens() throws {
        let claims = Base64.text(Array("{\"exp\":20,\"iat\":10,\"user_data\":{\"a\":1}}".utf8))
        let token = try #require(Token("x.\(claims).y"))
        #expect(token.expiresAt == 20)
        #expect(token.issuedAt == 10)
        #expect(token.userData?.description == "{\"a\":1}")
        for text in ["", "x", "x..y", "x.\(claims)", ".\(claims).y", "x.\(claims).y.z", "x.AAAA.y", "x.e30=.y"] {
            #expect(Token(text) == nil, "\(text)")
        }
    }
}
