// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import Testing

@Suite struct MessageTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        "", "\n", "mark 1 1", "mark 1\n", "mark 1 1 1\n", "mark 1 x\n", "mark -1 1\n", "mark  1 1\n", "mark 1 +1\n",
        "mark 1 9223372036854775808\n", "mark 1 1\nx", "Mark 1 1\n", "bind 1 4 0 2 0\n\"p1\"", "bind 1 5 0 1 0\n\"p1\"",
        "upload 1 1 10 3 0 0 0\nabc", "upload 1 0 4 0 0 0 0\n1 2 ", "upload 1 0 10 0 0 0 0\n1 2 3 4 9 ",
        "upload 1 0 99999999999 0 0 0 0\n", "query 1 1 2\n{}",
    ]) func badMessagesOfClientsAreRefused(_ text: String) {
        #expect(throws: WireError.self) { try ClientMessage(bytes(text), mode: .partition) }
    }

    @Test(arguments: [
        "ident 1 2\n", "download 1 0 0 0 0 0 0 0 0 1 0\n", "download 1 0 0 0 0 0 0 0 0 14 0\n1 0 0 1 0 99 ab",
        "json_error 200 2 1\n{}", "json_error 200 3 1\n{}", "pong\n", "query_error 226 0 1 1\n",
    ]) func badMessagesOfServersAreRefused(_ text: String) {
        #expect(throws: WireError.self) { try ServerMessage(bytes(text), mode: .partition) }
    }

    /// A body is compressed from 1025 bytes on, if that makes it smaller.
    @Test func largeBodiesAreCompressed() throws {
        for count in [0, 900, 5000] {
            let entry = ClientMessage.Upload.Entry(
                clientVersion: 3, serverVersion: 2, timestamp: 100, changeset: Array(repeating: 7, count: count))
            let upload = ClientMessage.upload(
                ClientMessage.Upload(
                    session: 1, progress: UploadCursor(clientVersion: 3, serverVersion: 2), lockedServerVersion: 2,
                    entries: [entry]))
            let message = upload.encoded()
            #expect(message.starts(with: bytes(count > 1000 ? "upload 1 1 " : "upload 1 0 ")))
            #expect(try ClientMessage(message, mode: .partition) == upload)
            if count > 1000 { #expect(message.count < 200) }
        }
    }

    @Test func theLimitHolds() {
        #expect(throws: WireError.self) {
            try ClientMessage(bytes("upload 1 0 20 0 0 0 0\n1 1 1 0 9 abcdefghi  "), mode: .partition, limit: 19)
        }
    }

    /// A server parses such a text before anything else, so it is limited. One partition value of 120 MB took 10 s of
    /// processor time and 2.6 GB of memory.
    @Test(arguments: ["bind path", "bind token", "json_error", "test_command", "query", "ident"])
    func aTextOutsideChangesetsIsLimited(_ place: String) throws {
        let isQuery = ["query", "ident"].contains(place)
        let limit = isQuery ? 256 << 10 : 64 << 10
        for (count, isAllowed) in [(limit, true), (limit + 1, false)] {
            let text = "\"" + String(repeating: "x", count: count - 2) + "\""
            let message =
                switch place {
                case "bind path": "bind 1 \(count) 0 1 0\n" + text
                case "bind token": "bind 1 0 \(count) 1 0\n" + text
                case "json_error": "json_error 212 \(count) 1\n" + text
                case "test_command": "test_command 1 1 \(count)\n" + text
                case "query": "query 1 1 \(count)\n" + text
                default: "ident 1 2 3 0 0 0 0 1 \(count)\n" + text
                }
            let mode = isQuery ? SyncMode.flexible : .partition
            if isAllowed {
                _ = try ClientMessage(bytes(message), mode: mode)
            } else {
                #expect(throws: WireError.self) { try ClientMessage(bytes(message), mode: mode) }
            }
        }
    }

    @Test func negotiation() {
        let offers = SyncMode.flexible.offers(2...14)
        #expect(offers.first == "com.mongodb.realm-query-sync#14")
        #expect(offers.count == 13)
        let found = SyncMode.negotiate(offers, versions: 8...13)
        #expect(found?.mode == .flexible)
        #expect(found?.version == 13)
        #expect(
            SyncMode.negotiate(["com.mongodb.realm-sync/14", "chat", "com.mongodb.realm-sync#x"], versions: 8...14)
                == nil)
    }

    @Test func keysOfRejectedObjects() throws {
        for key: PrimaryKey in [.null, .int(70), .string("é"), .globalKey(high: 1, low: 2)] {
            #expect(PrimaryKey(inline: key.inlineEncoding) == key)
        }
        #expect(Base64.text(PrimaryKey.int(70).inlineEncoding) == "AcYA")
        #expect(PrimaryKey(inline: [2, 1]) == nil)
        #expect(PrimaryKey(inline: [1, 1, 1]) == nil)
    }
}
