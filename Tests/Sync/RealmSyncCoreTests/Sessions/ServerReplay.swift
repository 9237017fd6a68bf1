// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Our server with recorded clients. Idents and salts are those of the recording, and sessions fail as recorded.
struct ServerReplay {
    /// The messages sent to a session, regardless of the division of its changes into messages.
    struct Sent: Equatable {
        var messages: [ServerMessage] = []
        var entries: [ServerMessage.Download.Entry] = []
        var downloads: [ServerMessage.Download] = []
    }

    private(set) var recorded: [[UInt64]: Sent] = [:]
    private(set) var ours: [[UInt64]: Sent] = [:]
    private(set) var log: [String] = []
    /// The invalid cursors and versions in our downloads (§2.8).
    private(set) var violations: [String] = []
    private let recording: Recording
    private let directory: ScriptedDirectory
    private var server: SyncServer
    /// The number of messages before one that deliberately breaks the protocol. Nil if the server follows the protocol.
    private let scripted: Int?
    private var received = 0
    private var known: Set<UInt64> = []
    private var progress: [[UInt64]: (ident: UInt64, progress: ClientProgress)] = [:]

    init(_ name: String) throws {
        recording = try Recording(name)
        directory = ScriptedDirectory(salt: recording.salt)
        server = SyncServer(directory)
        switch name {
        case "violation-download-after-error.jsonl": scripted = 4
        case _ where name.hasPrefix("violation-"): scripted = 1
        default: scripted = nil
        }
        for (index, event) in recording.events.enumerated() {
            switch event {
            case .message(let message): take(message, index)
            case .close(let connection, _), .dropped(let connection): server.didDisconnect(connection)
            case .connect, .connected, .note: break
            }
            collect()
        }
    }

    func isMergedAway(_ version: UInt64) -> Bool { directory.isEmpty(version) }

    private mutating func take(_ message: Recording.Message, _ index: Int) {
        let connection = message.connection
        if known.insert(connection).inserted { _ = server.accept(connection, offers: message.mode.offers(8...14)) }
        switch message.content {
        case .client(let content):
            prepare(content, connection, index)
            server.receive(message.bytes, from: connection)
        case .server(let sent):
            received += 1
            if message.isScripted || scripted == received - 1 { return }
            take(sent, connection)
        case .broken: received += 1
        }
    }

    private mutating func prepare(_ message: ClientMessage, _ connection: UInt64, _ index: Int) {
        switch message {
        case .bind(let bind):
            directory.next = SaltedIdent(ident: 1000 + UInt64(index), salt: 1)
            for case .message(let later) in recording.events[index...] where later.connection == connection {
                guard case .server(.ident(bind.session, let file)) = later.content else { continue }
                directory.next = file
                break
            }
        case .ident(let ident):
            progress[[connection, ident.session]] = (
                ident.file.ident, ClientProgress(download: ident.download, latest: ident.latest)
            )
        default: break
        }
    }

    /// Handles a message of the recorded server, which may be scripted.
    private mutating func take(_ sent: ServerMessage, _ connection: UInt64) {
        switch sent {
        case .jsonError(let session, let code, let error) where session > 0:
            server.fail(session, of: connection, code: code, error)
            take(sent, connection, &recorded)
        case .error(let session, let code, let canTryAgain, let text):
            // Our server sends this error in the newer form.
            let error = ServerError(text, .applicationBug, canTryAgain: canTryAgain)
            server.fail(session, of: connection, code: code, error)
            take(.jsonError(session: session, code: code, error), connection, &recorded)
        case .jsonError(0, ConnectionErrorCode.other.rawValue, _): server.didDisconnect(connection)
        default: take(sent, connection, &recorded)
        }
    }

    private mutating func collect() {
        var effects = server.takeEffects()
        while !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .send(let connection, let bytes):
                    if let message = try? ServerMessage(bytes, mode: .partition) {
                        follow(message, connection)
                        take(message, connection, &ours)
                    }
                    server.didSend(connection)
                case .log(_, let text): log.append(text)
                default: break
                }
            }
            effects = server.takeEffects()
        }
    }

    /// A client would disconnect if a download didn't continue the previous one.
    private mutating func follow(_ message: ServerMessage, _ connection: UInt64) {
        guard case .download(let download) = message else { return }
        do {
            let ident = progress[[connection, download.session]]?.ident ?? 0
            try progress[[connection, download.session]]?.progress.take(
                download, ownIdent: ident, newestVersion: .max)
        } catch {
            violations.append("\(Self.head(message)): \(error)")
        }
    }

    private func take(_ message: ServerMessage, _ connection: UInt64, _ sent: inout [[UInt64]: Sent]) {
        let session = [connection, message.session]
        switch message {
        case .log: break
        case .download(var download):
            // Original bytes intern other texts first.
            let entries = download.entries.map { entry in
                var entry = entry
                // The original's server sends another size.
                entry.originalSize = 0
                if let changeset = try? Changeset(decoding: entry.changeset) { entry.changeset = changeset.encoded() }
                return entry
            }
            sent[session, default: Sent()].entries += entries
            download.entries = entries
            sent[session, default: Sent()].downloads.append(download)
        case .jsonError(_, let code, let error):
            let plain = ServerError("", error.action, canTryAgain: error.canTryAgain)
            sent[session, default: Sent()].messages.append(.jsonError(session: session[1], code: code, plain))
        default: sent[session, default: Sent()].messages.append(message)
        }
    }

    static func head(_ message: ServerMessage) -> String {
        String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    }

    static func head(_ entry: ServerMessage.Download.Entry) -> String {
        let changeset = try? Changeset(decoding: entry.changeset)
        return """
            \(entry.serverVersion) \(entry.clientVersion) \(entry.timestamp) \(entry.origin) \(entry.originalSize) \
            \(changeset?.description ?? "?")
            """
    }

    func sameDownloads(_ session: [UInt64]) -> Int {
        guard let a = ours[session]?.downloads, let b = recorded[session]?.downloads else { return 0 }
        return a.count - a.difference(from: b).insertions.count
    }
}

extension Recording {
    fileprivate var salt: UInt64 {
        for message in messages {
            if case .server(.download(let download)) = message.content, download.latest.salt != 0, !message.isScripted {
                return download.latest.salt
            }
        }
        return 0
    }
}
