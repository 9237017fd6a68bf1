// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Our client against the recorded server: it has to say what the original's said, when it is told what that was told and
/// its application does what that one did.
struct ClientReplay {
    private(set) var compared = 0
    /// Messages that ours does not send, because it hears of an error before.
    private(set) var skipped = 0
    /// Reports of progress that ours made together with another one.
    private(set) var earlier = 0
    /// Uploads that the original sends before its first mark has come back, and ours does not (§2.7).
    private(set) var heldBack = 0
    /// Messages that are the same byte for byte.
    private(set) var same = 0
    /// How often ours wanted a connection, and how often the original did.
    private(set) var connects = (ours: 0, recorded: 0)
    private(set) var effects: [ClientEffect] = []
    private(set) var hasDisconnected = false
    private let recording: Recording
    private var client = ClientConnection(random: SeededGenerator(seed: 1))
    private var timers: Set<ClientTimer> = []
    private var files: [UInt64: ScriptedClientFile] = [:]
    private var sessions: [UInt64: ScriptedClientFile] = [:]
    /// What it has sent and the recording did not come to yet, by session.
    private var waiting: [UInt64: [(message: ClientMessage, bytes: [UInt8])]] = [:]
    /// Sessions that have asked for a mark first, and have it not yet.
    private var unmarked: Set<UInt64> = []
    private var opened: UInt64 = 0
    private var position = 0
    /// What the server sent and the client has not heard yet.
    private var queued: [(bytes: [UInt8], message: ServerMessage)] = []
    private var failed: Set<UInt64> = []
    private var isConnecting = false
    private var lastUploads: [UInt64: ClientMessage.Upload] = [:]
    private var answer: String?
    private let isContentBad: Bool

    /// - Parameter connection: the one connection of a client where several clients are recorded.
    init(_ name: String, connection: UInt64? = nil) throws {
        recording = try Recording(name, connection: connection)
        isContentBad = name.contains("download-content")
    }

    mutating func run() throws {
        for (index, event) in recording.events.enumerated() {
            position = index
            switch event {
            case .connect: connect(index)
            case .connected(let name, let status): connected(name, status)
            case .message(let message):
                switch message.content {
                case .client(let expected): try expect(expected, message.bytes, index)
                case .server(let sent): receive(message.bytes, sent)
                case .broken:
                    receiveAll()
                    client.receive(message.bytes, now: 0)
                }
            case .close(_, let code):
                receiveAll()
                client.didDisconnect(ClientDisconnection(closeCode: code))
            case .dropped: dropped()
            case .note: break
            }
            collect()
        }
    }

    // MARK: The transport

    private mutating func connect(_ index: Int) {
        connects.recorded += 1
        if client.isConnected { dropped() }
        collect()
        if timers.remove(.reconnect) != nil { client.fire(.reconnect, now: 0) }
        collect()
        // The delay after an error is over as well.
        for session in sessions.keys.sorted() where timers.remove(.resume(session: session)) != nil {
            client.fire(.resume(session: session), now: 0)
        }
        // The first bind opens the session that wants the connection.
        if sessions.isEmpty {
            for case .message(let message) in recording.events[index...] {
                if case .client(.bind(let bind)) = message.content { return open(bind, index) }
            }
            // The server does not let it come to that.
            open(ClientMessage.Bind(session: 1, path: "\"p1\"", needsIdent: true), index)
        }
    }

    private mutating func connected(_ name: String?, _ status: Int) {
        if status != 101 { return client.didDisconnect(ClientDisconnection(status: status)) }
        if isConnecting {
            isConnecting = false
            client.didConnect(name)
        } else {
            // The session that wants it comes later.
            answer = name
        }
    }

    private mutating func dropped() {
        receiveAll()
        if client.isConnected { client.didDisconnect(.retry) }
        failed = []
    }

    private mutating func collect() {
        var new = client.takeEffects()
        while !new.isEmpty {
            for effect in new { take(effect) }
            new = client.takeEffects()
        }
    }

    private mutating func take(_ effect: ClientEffect) {
        switch effect {
        case .connect:
            connects.ours += 1
            isConnecting = answer == nil
            if let answer { client.didConnect(answer) }
            answer = nil
        case .send(let bytes):
            guard let message = try? ClientMessage(bytes, mode: .partition) else { return }
            waiting[message.session, default: []].append((message, bytes))
        case .setTimer(let timer, _): timers.insert(timer)
        case .cancelTimer(let timer): timers.remove(timer)
        case .disconnect:
            hasDisconnected = true
            waiting = [:]
            queued = []
        case .refresh: if isRefreshed { client.didRefresh() }
        default: effects.append(effect)
        }
    }

    /// Whether the server gives out new tokens: it is connected to again then.
    private var isRefreshed: Bool {
        client.isConnected
            || recording.events[(position + 1)...].contains { if case .connect = $0 { true } else { false } }
    }

    // MARK: What the server sent

    /// It is heard as late as possible: what the client sent before shows how far it had heard.
    private mutating func receive(_ bytes: [UInt8], _ message: ServerMessage) {
        if case .pong(let timestamp) = message { return client.receive(bytes, now: timestamp) }
        queued.append((bytes, message))
        if message.session == 0 { receiveAll() }
    }

    private mutating func receiveAll() {
        while !queued.isEmpty { receiveNext(at: 0) }
    }

    private mutating func receiveNext(at index: Int) {
        let (bytes, message) = queued.remove(at: index)
        switch message {
        case .download(let download):
            // It has what the server says that it has.
            if let file = sessions[download.session] {
                file.state.newestVersion = max(file.state.newestVersion, download.upload.clientVersion)
            }
        case .jsonError(let session, _, _), .error(let session, _, _, _): failed.insert(session)
        case .mark(let session, _): unmarked.remove(session)
        default: break
        }
        client.receive(bytes, now: 0)
        if case .ident(let session, let file) = message, let stored = sessions[session] { files[file.ident] = stored }
        collect()
    }

    /// Hears what the client had heard when it sent a message.
    private mutating func receive(before message: ClientMessage) {
        while let index = queued.firstIndex(where: { $0.message.session == message.session }) {
            switch (message, queued[index].message) {
            case (.mark, _), (.ping, _), (.upload, .jsonError), (.upload, .error): return
            case (.upload(let upload), .download(let download))
            where download.download.serverVersion > upload.lockedServerVersion:
                return
            default: receiveNext(at: index)
            }
        }
    }

    // MARK: What the application does

    private static var newFile: ScriptedClientFile {
        ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
    }

    private mutating func open(_ bind: ClientMessage.Bind, _ index: Int) {
        var file = Self.newFile
        if !bind.needsIdent { file.state.file = SaltedIdent(ident: 1, salt: 1) }
        if !bind.needsIdent, let ident = ident(of: bind.session, after: index) {
            let old = files[ident.file.ident]
            let hasAll = old?.state.progress.download == ident.download
            let progress = ClientProgress(
                download: ident.download, latest: ident.latest,
                upload: hasAll ? old?.state.progress.upload ?? UploadCursor() : UploadCursor())
            file = ScriptedClientFile(
                ClientFileState(file: ident.file, progress: progress, newestVersion: old?.state.newestVersion ?? 1))
            file.changes = old?.changes ?? []
            files[ident.file.ident] = file
        }
        file.refusesChanges = isContentBad && bind.session == 1
        sessions[bind.session] = file
        // Those before it are another connection's.
        while opened + 1 < bind.session {
            opened = client.open(Self.newFile, path: bind.path)
            client.close(opened)
        }
        let session = client.open(file, path: bind.path)
        assert(session == bind.session)
        opened = session
        unmarked.insert(session)
        if let mark = firstMark(of: bind.session, after: index) { request(mark, session) }
    }

    private mutating func request(_ mark: UInt64, _ session: UInt64) {
        while let number = lastMark[session] ?? Optional(1), number < mark {
            guard let next = client.requestMark(session) else { return }
            lastMark[session] = next
        }
    }

    private var lastMark: [UInt64: UInt64] = [:]

    private func ident(of session: UInt64, after index: Int) -> ClientMessage.Ident? {
        for case .message(let message) in recording.events[index...] {
            if case .client(.ident(let ident)) = message.content, ident.session == session { return ident }
        }
        return nil
    }

    private func firstMark(of session: UInt64, after index: Int) -> UInt64? {
        for case .message(let message) in recording.events[index...] {
            if case .client(.mark(session, let request)) = message.content { return request }
        }
        return nil
    }

    /// Lets happen what makes the original send this.
    private mutating func prepare(_ message: ClientMessage, _ index: Int) {
        switch message {
        case .bind(let bind):
            lastUploads[bind.session] = nil
            failed.remove(bind.session)
            if sessions[bind.session] == nil { open(bind, index) } else { client.resume(bind.session) }
        case .upload(let upload):
            guard let file = sessions[upload.session] else { return }
            let last = file.changes.last?.clientVersion ?? 0
            file.changes += upload.entries.filter { $0.clientVersion > last }
            file.state.newestVersion = max(file.state.newestVersion, upload.progress.clientVersion)
            if let next = nextUpload(of: upload, index) {
                file.changes += next
                file.state.newestVersion = max(file.state.newestVersion, next.last?.clientVersion ?? 0)
            }
            client.didCommit()
        case .mark(let session, let number): request(number, session)
        case .unbind(let session): if !failed.contains(session) { client.close(session) }
        case .ping(let timestamp, _): if timers.remove(.ping) != nil { client.fire(.ping, now: timestamp) }
        default: break
        }
    }

    /// The changes of the next upload, if this one was too long for them.
    private func nextUpload(of upload: ClientMessage.Upload, _ index: Int) -> [ClientMessage.Upload.Entry]? {
        guard upload.entries.reduce(0, { $0 + $1.changeset.count }) > 128 << 10 else { return nil }
        for case .message(let message) in recording.events[(index + 1)...] {
            guard case .client(.upload(let next)) = message.content, next.session == upload.session else { continue }
            return next.entries.isEmpty ? nil : next.entries
        }
        return nil
    }

    // MARK: Messages

    private mutating func expect(_ message: ClientMessage, _ bytes: [UInt8], _ index: Int) throws {
        receive(before: message)
        collect()
        if hasDisconnected, !client.isConnected {
            skipped += 1
            return
        }
        prepare(message, index)
        collect()
        if case .upload(let upload) = message, upload.entries.isEmpty, let last = lastUploads[upload.session],
            last.progress.serverVersion >= upload.progress.serverVersion
        {
            // Ours said so already.
            earlier += 1
            return
        }
        for _ in 0..<20 where waiting[message.session]?.isEmpty != false {
            client.didSend()
            collect()
        }
        guard let (sent, sentBytes) = waiting[message.session]?.first else {
            if case .upload = message, unmarked.contains(message.session) {
                heldBack += 1
                return
            }
            throw Failure("\(head(message)) was not sent")
        }
        waiting[message.session]?.removeFirst()
        compared += 1
        if sentBytes == bytes { same += 1 }
        if case .upload(let expected) = message, case .upload(let upload) = sent {
            lastUploads[upload.session] = upload
            // The original had integrated more than it says here.
            if expected.lockedServerVersion > expected.progress.serverVersion, upload.entries == expected.entries {
                return
            }
        }
        if case .error(_, let code, _) = message, case .error(_, code, _) = sent { return }
        if case .ping = message, case .ping = sent { return }
        try require(sent == message, "sent \(head(sent)) in place of \(head(message))")
        // How zlib compresses is not fixed.
        if case .upload = message, head(message).split(separator: " ")[2] == "1" { return }
        try require(sentBytes == bytes, "other bytes than \(head(message))")
    }

    private func head(_ message: ClientMessage) -> String {
        String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
