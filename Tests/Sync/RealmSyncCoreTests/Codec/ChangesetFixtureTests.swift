// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Changesets that the original created or rejected.
@Suite struct ChangesetFixtureTests {
    private func decode(_ bytes: [UInt8]) throws -> (strings: [Text], changeset: Changeset) {
        var decoder = ChangesetDecoder(bytes)
        var instructions: [Instruction] = []
        while let instruction = try decoder.next() { instructions.append(instruction) }
        return (decoder.strings, Changeset(instructions))
    }

    private func check(_ line: JSON) throws {
        let (strings, changeset) = try decode(try line.bytes("hex"))
        let expected = try Changeset(json: try line.member("instructions"))
        try requireEqual(changeset, expected, "instructions")
        if let interned = line["interned"]?.elements {
            try requireEqual(strings.map(\.string), interned.compactMap(\.text))
        }
        try requireEqual(try Changeset(decoding: changeset.encoded()), expected, "instructions encoded and decoded")
    }

    private func checkAll(_ name: String) throws -> Int {
        let lines = try SyncFixtures.documents(name)
        for line in lines {
            let name = line["name"]?.text ?? "?"
            if name.hasSuffix("string-invalid-utf8") {
                let bytes = try line.bytes("hex")
                #expect(throws: ChangesetError.self, "\(name)") { try Changeset(decoding: bytes) }
            } else {
                try withTrace(name) { try check(line) }
            }
        }
        return lines.count
    }

    @Test func validChangesetsAreRead() throws { #expect(try checkAll("changesets/valid.jsonl") == 500) }

    @Test func recordedChangesetsAreRead() throws { #expect(try checkAll("changesets/recorded.jsonl") == 315) }

    @Test func largeChangesetsAreRead() throws { #expect(try checkAll("changesets/large.jsonl.gz") == 5) }

    /// Clients and our encoder intern each text right before its first use, so the bytes are equal. Some clients also
    /// intern unused texts, such as the class of an embedded object.
    @Test func recordedChangesetsAreWrittenAsTheyWere() throws {
        var count = 0
        for line in try SyncFixtures.documents("changesets/recorded.jsonl") {
            let bytes = try line.bytes("hex")
            let (strings, changeset) = try decode(bytes)
            let encoded = changeset.encoded()
            guard try decode(encoded).strings.count == strings.count else { continue }
            try withTrace(line["name"]?.text ?? "?") {
                try requireEqual(Hexadecimal.text(encoded), Hexadecimal.text(bytes))
            }
            count += 1
        }
        #expect(count > 200, "of 315 changesets only \(count) use all of their texts")
    }

    @Test func malformedChangesetsAreRefused() throws {
        let lines = try SyncFixtures.documents("changesets/malformed.jsonl")
        #expect(lines.count == 121)
        for line in lines {
            let bytes = try line.bytes("hex")
            #expect("\(line)") {
                _ = try Changeset(decoding: bytes)
            } throws: { error in
                (error as? ChangesetError).map { (0...bytes.count).contains($0.offset) } ?? false
            }
        }
    }

    /// Changesets that the original reads differently than they were written: truncated type numbers and indexes, and
    /// strings that aren't UTF-8.
    private static let refused: Set = [
        "odd/path-key-minus-5", "odd/type-257", "odd/key-type-257", "odd/index-2^32", "odd/utf8",
    ]

    @Test func oddChangesetsAreReadOrRefused() throws {
        let lines = try SyncFixtures.documents("changesets/lenient.jsonl")
        #expect(lines.count == 21)
        for line in lines {
            let name = try line.string("name")
            if Self.refused.contains(name) {
                let bytes = try line.bytes("hex")
                #expect(throws: ChangesetError.self, "\(name)") { try Changeset(decoding: bytes) }
            } else {
                try withTrace(name) { try check(line) }
            }
        }
    }
}
