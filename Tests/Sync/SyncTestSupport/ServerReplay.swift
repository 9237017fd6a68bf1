// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// The partitions of a replayed server.
package protocol ReplayedDirectory: PartitionDirectory {
    /// The codes of the errors that the server sends itself. Sessions fail with the other ones as recorded.
    var ownErrors: Set<Int> { get }

    /// Prepares the server for a message of a client.
    ///
    /// - Parameter answers: The later messages of the recorded server to the session.
    func prepare(_ message: ClientMessage, of connection: UInt64, answers: [ServerMessage]) throws

    /// Makes all changes durable.
    func flush() throws
}

extension ReplayedDirectory {
    package var ownErrors: Set<Int> { [] }

    package func flush() {}
}

/// Our server with recorded clients. Sessions fail as recorded.
///
/// Idents and versions are those of the recording, or the messages of the clients are translated.
package struct ServerReplay {
    /// The messages sent to a session, regardless of the division of its changes into messages.
    package struct Sent: Equatable {
        /// A bootstrap is represented by a download without content.
        package var messages: [ServerMessage] = []
        package var entries: [ServerMessage.Download.Entry] = []
        package var downloads: [ServerMessage.Download] = []

        package init() {}
    }

    package private(set) var recorded: [[UInt64]: Sent] = [:]
    package private(set) var ours: [[UInt64]: Sent] = [:]
    package private(set) var log: [String] = []
    /// The invalid cursors and versions in our downloads (§2.8).
    package private(set) var violations: [String] = []
    /// The states of client files that differ from those of the recorded ones. Empty without translation.
    package private(set) var differences: [String] = []
    /// The number of compared states, and of the objects in them.
    package private(set) var compared = (states: 0, objects: 0)
    /// The sessions whose clients failed. The messages that follow aren't compared.
    package private(set) var failedClients: Set<[UInt64]> = []
    private let recording: Recording
    private let directory: any ReplayedDirectory
    private var server: SyncServer
    /// The number of messages before one that deliberately breaks the protocol. Nil if the server follows the protocol.
    private let scripted: Int?
    private var received = 0
    private var modes: [UInt64: SyncMode] = [:]
    private var progress: [[UInt64]: (ident: UInt64, progress: ClientProgress)] = [:]
    /// The last idents that our server has assigned to sessions.
    private var assigned: [[UInt64]: SaltedIdent] = [:]
    private var translation: ReplayTranslation?
    private var views = ReplayedViews()

    /// - Parameter isExact: Whether the server assigns the recorded idents and versions.
    package init(_ name: String, _ recording: Recording, _ directory: any ReplayedDirectory, isExact: Bool) throws {
        (self.recording, self.directory) = (recording, directory)
        translation = isExact ? nil : ReplayTranslation()
        server = SyncServer(directory)
        switch name {
        case "violation-download-after-error.jsonl": scripted = 4
        case _ where name.hasPrefix("violation-"): scripted = 1
        default: scripted = nil
        }
        for (index, event) in recording.events.enumerated() {
            switch event {
            case .message(let message): try take(message, index)
            case .close(let connection, _), .dropped(let connection): server.didDisconnect(connection)
            case .connect, .connected, .note: break
            }
            try collect()
        }
        compareViews()
    }

    private mutating func take(_ message: Recording.Message, _ index: Int) throws {
        let connection = message.connection
        if modes.updateValue(message.mode, forKey: connection) == nil {
            _ = server.accept(connection, offers: message.mode.offers(8...14))
        }
        switch message.content {
        case .client(let content):
            try directory.prepare(content, of: connection, answers: answers(to: content.session, connection, index))
            server.receive(try prepared(content, connection)?.encoded() ?? message.bytes, from: connection)
        case .server(let sent):
            received += 1
            if message.isScripted || scripted == received - 1 { return }
            try take(sent, connection)
        case .broken: received += 1
        }
    }

    private func answers(to session: UInt64, _ connection: UInt64, _ index: Int) -> [ServerMessage] {
        recording.events[index...].compactMap { event in
            guard case .message(let message) = event, message.connection == connection,
                case .server(let sent) = message.content, sent.session == session
            else { return nil }
            return sent
        }
    }

    /// Returns the message to send in place of a recorded one, or `nil` for the recorded one.
    private mutating func prepared(_ message: ClientMessage, _ connection: UInt64) throws -> ClientMessage? {
        let key = [connection, message.session]
        var sent = message
        if let translation {
            if case .ident(let ident) = message { views.begin(ident, key) }
            sent = translation.translated(message, of: views.file(key))
            if case .upload(let upload) = message { try views.take(upload, key) }
            if case .error = message { failedClients.insert(key) }
        }
        if case .ident(let ident) = sent {
            progress[key] = (ident.file.ident, ClientProgress(download: ident.download, latest: ident.latest))
        }
        return translation == nil ? nil : sent
    }

    /// Handles a message of the recorded server, which may be scripted.
    private mutating func take(_ sent: ServerMessage, _ connection: UInt64) throws {
        switch sent {
        case .jsonError(let session, let code, let error) where session > 0:
            if !directory.ownErrors.contains(code) { server.fail(session, of: connection, code: code, error) }
            take(sent, connection, &recorded)
        case .error(let session, let code, let canTryAgain, let text):
            // Our server sends this error in the newer form.
            let error = ServerError(text, .applicationBug, canTryAgain: canTryAgain)
            server.fail(session, of: connection, code: code, error)
            take(.jsonError(session: session, code: code, error), connection, &recorded)
        case .jsonError(0, ConnectionErrorCode.other.rawValue, _): server.didDisconnect(connection)
        default:
            take(sent, connection, &recorded)
            try translate(sent, connection)
        }
    }

    /// Notes our idents and versions for those of the recorded server.
    private mutating func translate(_ sent: ServerMessage, _ connection: UInt64) throws {
        guard translation != nil else { return }
        let key = [connection, sent.session]
        switch sent {
        case .ident(_, let file):
            if let assigned = assigned[key] { translation?.assign(assigned, to: file.ident) }
        case .download(let download):
            try views.take(download, key, isRecorded: true)
            guard download.stage.isComplete, let file = views.file(key), let position = progress[key]?.progress else {
                return
            }
            views.save(download.download.serverVersion, of: file)
            translation?.note(download.download.serverVersion, of: file, position)
        case .mark, .unbound: compareViews(of: views.file(key))
        default: break
        }
    }

    /// - Parameter file: The recorded ident of a file. Nil for all files.
    private mutating func compareViews(of file: UInt64? = nil) {
        guard translation != nil else { return }
        for file in file.map({ [$0] }) ?? views.files {
            compared.states += 1
            compared.objects += views.objectCount(of: file)
            differences += views.differences(of: file)
        }
    }

    private mutating func collect() throws {
        try directory.flush()
        var effects = server.takeEffects()
        while !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .send(let connection, let bytes):
                    if let message = try? ServerMessage(bytes, mode: modes[connection] ?? .partition) {
                        try follow(message, connection)
                        take(message, connection, &ours)
                    }
                    server.didSend(connection)
                case .integrate(let integration):
                    integration.run()
                    server.finish(integration)
                case .log(_, let text): log.append(text)
                default: break
                }
            }
            try directory.flush()
            effects = server.takeEffects()
        }
    }

    /// A client would disconnect if a download didn't continue the previous one.
    private mutating func follow(_ message: ServerMessage, _ connection: UInt64) throws {
        let key = [connection, message.session]
        if case .ident(_, let file) = message { assigned[key] = file }
        if case .jsonError(_, SessionErrorCode.compensatingWrite.rawValue, let error) = message,
            error.rejection?.compensatingVersion ?? 0 <= progress[key]?.progress.download.serverVersion ?? .max
        {
            violations.append("\(Self.head(message)): the report follows the changes that revert the write")
        }
        guard case .download(let download) = message else { return }
        do {
            let ident = progress[key]?.ident ?? 0
            try progress[key]?.progress.take(download, ownIdent: ident, newestVersion: .max)
        } catch {
            violations.append("\(Self.head(message)): \(error)")
        }
        if translation != nil { try views.take(download, key, isRecorded: false) }
    }

    private func take(_ message: ServerMessage, _ connection: UInt64, _ sent: inout [[UInt64]: Sent]) {
        let session = [connection, message.session]
        if failedClients.contains(session) { return }
        switch message {
        case .log: break
        case .ident where translation != nil:
            sent[session, default: Sent()].messages.append(
                .ident(session: session[1], SaltedIdent(ident: 0, salt: 0)))
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
            if let end = download.endOfBootstrap { sent[session, default: Sent()].messages.append(end) }
        case .jsonError(_, let code, let error):
            // Texts in queries can have either kind of quotation marks.
            let query = error.partitionQuery.map { String($0.map { $0 == "'" ? "\"" : $0 }) }
            let plain = ServerError(
                "", error.action, canTryAgain: error.canTryAgain, partitionQuery: query,
                previousSchemaVersion: error.previousSchemaVersion, rejection: error.rejection?.withoutReasons)
            sent[session, default: Sent()].messages.append(.jsonError(session: session[1], code: code, plain))
        case .queryError(let ident, let code, let version, _):
            let plain = ServerMessage.queryError(session: ident, code: code, queryVersion: version, "")
            sent[session, default: Sent()].messages.append(plain)
        default: sent[session, default: Sent()].messages.append(message)
        }
    }

    package static func head(_ message: ServerMessage) -> String {
        String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    }

    package static func head(_ entry: ServerMessage.Download.Entry) -> String {
        let changeset = try? Changeset(decoding: entry.changeset)
        return """
            \(entry.serverVersion) \(entry.clientVersion) \(entry.timestamp) \(entry.origin) \(entry.originalSize) \
            \(changeset?.description ?? "?")
            """
    }

    package func sameDownloads(_ session: [UInt64]) -> Int {
        guard let a = ours[session]?.downloads, let b = recorded[session]?.downloads else { return 0 }
        return a.count - a.difference(from: b).insertions.count
    }
}

extension ServerMessage.Download.Stage {
    /// Whether the progress of the message takes effect, because no other part of a bootstrap follows.
    fileprivate var isComplete: Bool {
        if case .flexible(_, .moreToCome, _) = self { false } else { true }
    }
}

extension ServerMessage.Download {
    fileprivate var endOfBootstrap: ServerMessage? {
        guard case .flexible(let version, .lastOfBootstrap, _) = stage else { return nil }
        return .download(
            ServerMessage.Download(
                session: session, download: DownloadCursor(), latest: SaltedVersion(), upload: UploadCursor(),
                stage: .flexible(queryVersion: version, .lastOfBootstrap, progress: 1), entries: []))
    }
}

extension ServerError.Rejection {
    /// The rejection with the objects alone, in an order that doesn't depend on the server.
    fileprivate var withoutReasons: ServerError.Rejection {
        ServerError.Rejection(
            updates: updates.map { Update(reason: "", object: $0.object) }.sorted {
                ($0.object.table, $0.object.key) < ($1.object.table, $1.object.key)
            },
            clientVersion: clientVersion)
    }
}
