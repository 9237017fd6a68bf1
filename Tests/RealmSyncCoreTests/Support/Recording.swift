// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
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

    enum Event {
        case connect
        /// The sub-protocol of the answer to an upgrade; nil with another status than 101.
        case connected(name: String?, status: Int)
        case message(Message)
        case close(code: Int)
        case dropped
        /// From here on another server answers.
        case note
    }

    let events: [Event]

    var messages: [Message] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    static func names() throws -> [String] {
        let folder = try #require(SharedFiles.path("fixtures/sync/messages"))
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }.sorted()
    }

    init(_ name: String) throws {
        var events: [Event] = []
        var modes: [UInt64: SyncMode] = [:]
        for line in try SyncFixtures.documents("messages/" + name) {
            let connection: UInt64 = line["connection"]?.integer() ?? 0
            switch line["kind"]?.text {
            case "upgrade":
                modes[connection] = line.description.contains("realm-query-sync") ? .flexible : .partition
                events.append(.connect)
            case "upgradeResponse":
                let headers = line["headers"]?.elements ?? []
                let name = headers.first { $0.elements?.first == "Sec-WebSocket-Protocol" }?.elements?.last?.text
                events.append(.connected(name: name, status: try line.int("status")))
            case "message": events.append(.message(try Message(line, connection, modes[connection] ?? .partition)))
            case "close": events.append(.close(code: try line.int("code")))
            case "dropped": events.append(.dropped)
            case "note": events.append(.note)
            default: break
            }
        }
        self.events = events
    }

    /// Whether all of it is about partitions.
    var isPartition: Bool { messages.allSatisfy { $0.mode == .partition } }
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
