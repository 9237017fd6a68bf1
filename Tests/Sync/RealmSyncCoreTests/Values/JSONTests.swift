// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "-0.5e+10", "9223372036854775807", "\"a\\\"b\\\\\\n\\u0001é😀\"", "[]", "{}",
        "{\"a\":[1,2,{\"b\":null}],\"c\":\"\"}",
    ]) func parsedValuesPrintAsTheirInput(_ text: String) throws {
        #expect(try JSON(parsing: text).description == text)
    }

    @Test func spacesAndEscapes() throws {
        let json = try JSON(parsing: " { \"a\" : [ 1 , 2 ] ,\n\t\"b\" : \"\\u00e9\\ud83d\\ude00\\/\" } ")
        #expect(json.description == "{\"a\":[1,2],\"b\":\"é😀/\"}")
        #expect(json["a"]?.elements?.first?.integer(Int.self) == 1)
        #expect(json["c"] == nil)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "01", "1.", ".5", "-", "1e", "+1", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\u{1}\"", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "1 2", "[] x",
    ]) func malformedJSONIsRejected(_ text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test(arguments: 1...12) func theInputMayBeDividedIntoPieces(_ size: Int) throws {
        let text = "[{\"name\" : \"R\\u00e9x \\n\", \"age\":-12.5e3},\n\t[true, null, \"é😀\"], 0 ] \n"
        var rest = Array(text.utf8)[...]
        var reader = JSONReader { () -> [UInt8]? in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        #expect(try reader.value().description == "[{\"name\":\"Réx \\n\",\"age\":-12.5e3},[true,null,\"é😀\"],0]")
        #expect(reader.line == 2)
        try reader.requireEnd()
        #expect(reader.line == 3)
    }

    @Test func errorsContainTheirOffset() throws {
        var pieces = ["[1,\n 2,", "\n  x]"]
        var reader = JSONReader { pieces.isEmpty ? nil : Array(pieces.removeFirst().utf8) }
        #expect(throws: JSONError("this isn't a value", line: 3, offset: 10)) { try reader.value() }
        struct Unreadable: Error, CustomStringConvertible { let description = "the disk is gone" }
        var broken = JSONReader { throw Unreadable() }
        #expect(throws: JSONError("the disk is gone", line: 1, offset: 0)) { try broken.value() }
    }

    @Test func theDepthIsLimited() {
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "[", count: 100_000)) }
    }

    @Test func textsThatAreNotUTF8AreRejected() {
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
    }
}
