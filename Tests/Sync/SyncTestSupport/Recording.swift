// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

package struct Recording {
    package struct Message {
        package enum Content {
            case client(ClientMessage)
            case server(ServerMessage)
            case broken(WireError)
        }

        package let connection: UInt64
        package let mode: SyncMode
        package let bytes: [UInt8]
        package let content: Content
        /// Whether the message was scripted, correct or not.
        package let isScripted: Bool
    }

    package enum Event {
        case connect(SyncMode)
        /// The sub-protocol of the response to an upgrade. Nil with another status than 101.
        case connected(name: String?, status: Int)
        case message(Message)
        case close(connection: UInt64, code: Int)
        case dropped(connection: UInt64)
        /// From this event on, another server responds.
        case note
    }

    package let events: [Event]
    /// The reset mode of the application, in the words of the recording.
    package let resetMode: String?

    /// The final state read by the application, if it was read. Nothing was written afterwards.
    package let dump: JSON?

    /// The newest set of subscriptions as the application last read it.
    package let lastSet: JSON?

    package var messages: [Message] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    package var clientMessages: [[UInt8]] {
        messages.compactMap { if case .client = $0.content { $0.bytes } else { nil } }
    }

    /// - Parameter only: The connection to read. Nil for all.
    package init(_ name: String, connection only: UInt64? = nil) throws {
        var events: [Event] = []
        var modes: [UInt64: SyncMode] = [:]
        var resetMode: String?
        var dump: JSON?
        var lastSet: JSON?
        for line in try SyncFixtures.documents("messages/" + name) {
            let connection: UInt64 = line["connection"]?.integer() ?? 0
            if line["decoded"]?.elements?.isEmpty == false { dump = nil }
            if let only, only != connection { continue }
            switch line["kind"]?.text {
            case "upgrade":
                let mode: SyncMode = line.description.contains("realm-query-sync") ? .flexible : .partition
                modes[connection] = mode
                events.append(.connect(mode))
            case "upgradeResponse":
                let headers = line["headers"]?.elements ?? []
                let name = headers.first { $0.elements?.first == "Sec-WebSocket-Protocol" }?.elements?.last?.text
                events.append(.connected(name: name, status: try line.int("status")))
            case "message": events.append(.message(try Message(line, connection, modes[connection] ?? .partition)))
            case "close":
                events.append(.close(connection: connection, code: try line.int("code")))
            case "dropped": events.append(.dropped(connection: connection))
            case "note": events.append(.note)
            case "application":
                if let mode = line["step"]?["reset"]?.text { resetMode = mode }
                if line["step"]?["do"]?.text == "dump" { dump = line["result"]?["state"] }
                if let set = line["result"]?["set"] ?? line["result"]?["subscriptions"] { lastSet = set }
            default: break
            }
        }
        (self.events, self.resetMode, self.dump, self.lastSet) = (events, resetMode, dump, lastSet)
    }

    /// The sync modes of its connections. Empty if the recording is all HTTP.
    package var modes: Set<SyncMode> {
        Set(events.compactMap { if case .connect(let mode) = $0 { mode } else { nil } })
    }
}

extension Recording.Message {
    fileprivate init(_ line: JSON, _ connection: UInt64, _ mode: SyncMode) throws {
        self.connection = connection
        self.mode = mode
        isScripted = line["note"]?.text?.hasPrefix("scripted") == true
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
