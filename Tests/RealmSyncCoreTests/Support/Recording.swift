// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages of one recorded exchange.
struct Recording {
    struct Message {
        enum Content {
            case client(ClientMessage)
            case server(ServerMessage)
            case broken(WireError)
        }

        let connection: UInt64
        let mode: SyncMode
        let bytes: [UInt8]
        let content: Content
    }

    let messages: [Message]

    static func names() throws -> [String] {
        let folder = try #require(SharedFiles.path("fixtures/sync/messages"))
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }.sorted()
    }

    init(_ name: String) throws {
        var messages: [Message] = []
        var modes: [UInt64: SyncMode] = [:]
        for line in try SyncFixtures.documents("messages/" + name) {
            let connection: UInt64 = line["connection"]?.integer() ?? 0
            if line["kind"] == "upgrade" {
                modes[connection] = line.description.contains("realm-query-sync") ? .flexible : .partition
            } else if line["kind"] == "message" {
                messages.append(try Message(line, connection, modes[connection] ?? .partition))
            }
        }
        self.messages = messages
    }
}

extension Recording.Message {
    fileprivate init(_ line: JSON, _ connection: UInt64, _ mode: SyncMode) throws {
        self.connection = connection
        self.mode = mode
        let header = Array(try line.string("header").utf8)
        bytes = try header + [0x0A] + line.bytes("bodyHex")
        do {
            let isFromClient = try line.string("from") == "client"
            content =
                isFromClient
                ? .client(try ClientMessage(bytes, mode: mode)) : .server(try ServerMessage(bytes, mode: mode))
        } catch let error as WireError {
            content = .broken(error)
        }
    }
}
